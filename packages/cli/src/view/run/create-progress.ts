import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { createMask } from '@ambit/audit';
import { jsonText, printableLines } from '@ambit/core';
import type { SessionEvent } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { looksOf } from '../text.js';
import { LiveView } from './live-view.js';
import { plainLines } from './plain-lines.js';
import { noProgress, type Progress, takeConsole, together } from './progress.js';

export function createProgress(
  host: Host,
  { quiet = false, json = false }: { readonly quiet?: boolean; readonly json?: boolean },
): Progress {
  const { stdout, stderr, environment } = host;
  const say = (text: string) => void stderr.write(`${printableLines(text)}\n`);
  if (quiet) return { ...noProgress, say, close: takeConsole(() => undefined) };
  if (!json) return forPeople(host);
  const events = eventLines(stdout);
  // Two views on one terminal would overwrite each other.
  const isShared = stdout.isTTY === true && stderr.isTTY === true;
  if (!isShared && environment.TERM !== 'dumb') return together([events, forPeople(host)]);
  return together([events, { ...noProgress, say, close: takeConsole(say) }]);
}

function forPeople({ stderr, environment }: Host): Progress {
  const isLive = stderr.isTTY === true && environment.TERM !== 'dumb';
  return isLive ? new LiveView(stderr, () => looksOf(stderr, environment)) : plainLines(stderr);
}

/** Each event as a line of JSON, masked as in the log. */
function eventLines(stream: Writable): Progress {
  const mask = createMask(randomBytes(32));
  let [isHeld, waiting] = [false, ''];
  const flush = () => {
    if (isHeld || waiting === '') return;
    stream.write(waiting);
    waiting = '';
  };
  return {
    ...noProgress,
    take: (event) => {
      waiting += `${jsonText(masked(event, mask))}\n`;
      flush();
    },
    hold: (isTaken) => {
      isHeld = isTaken;
      flush();
    },
    close: () => {
      isHeld = false;
      flush();
    },
  };
}

function masked(event: SessionEvent, mask: ReturnType<typeof createMask>): unknown {
  if (event.type !== 'recorded') return event;
  // A digest without a counterpart has no use.
  const { args_digest: _, ...recorded } = mask(event.event);
  return { ...event, event: recorded };
}
