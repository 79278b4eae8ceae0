import { printableLines } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { looksOf } from '../text.js';
import { takeConsole } from './console-lines.js';
import { eventLines } from './event-lines.js';
import { liveView } from './live-view.js';
import { plainLines } from './plain-lines.js';
import { noProgress, type Progress, together } from './progress.js';

/** What shows a run while it goes on: people see it on stderr, programs read events from stdout. */
export function createProgress(
  host: Host,
  { quiet = false, json = false }: { readonly quiet?: boolean; readonly json?: boolean },
): Progress {
  if (quiet) return { ...noProgress, close: takeConsole(() => undefined) };
  const { stdout, stderr, environment } = host;
  if (!json) return forPeople(host);
  const events = eventLines(stdout);
  // Two that draw on one terminal would draw over one another.
  const isShared = stdout.isTTY === true && stderr.isTTY === true;
  if (!isShared && environment.TERM !== 'dumb') return together([events, forPeople(host)]);
  const giveConsole = takeConsole((text) => stderr.write(`${printableLines(text)}\n`));
  return together([events, { ...noProgress, close: giveConsole }]);
}

function forPeople({ stderr, environment }: Host): Progress {
  const isLive = stderr.isTTY === true && environment.TERM !== 'dumb';
  return isLive ? liveView(stderr, { looks: () => looksOf(stderr, environment) }) : plainLines(stderr);
}
