import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoggedEvent } from '../read-log.js';
import { reportName } from './decks.js';

/** What a report's file was like at one moment; null where there was none. */
export type Mark = string | null;

/** What the reports of these decks are like now, so that those of an earlier run are not taken for new ones. */
export async function marksOf(folder: string, decks: readonly string[]): Promise<readonly Mark[]> {
  return Promise.all(
    decks.map((deck) =>
      stat(join(folder, reportName(deck))).then(
        (status) => `${status.ino} ${status.mtimeMs} ${status.ctimeMs} ${status.size}`,
        () => null,
      ),
    ),
  );
}

/** What became of one deck. */
export type Result =
  | { readonly deck: string; readonly became: 'reported' }
  | { readonly deck: string; readonly became: 'refused'; readonly why: string }
  | { readonly deck: string; readonly became: 'lost' };

/** What became of each deck: a report that is new, a refusal that explains why there is none, or neither. */
export async function resultsOf(
  decks: readonly string[],
  of: { readonly folder: string; readonly before: readonly Mark[]; readonly events: readonly LoggedEvent[] },
): Promise<readonly Result[]> {
  const after = await marksOf(of.folder, decks);
  const folder = await realpath(of.folder).catch(() => of.folder);
  return decks.map((deck, index): Result => {
    if (after[index] !== null && after[index] !== of.before[index]) return { deck, became: 'reported' };
    const why = refusalOf(deck, { folder, events: of.events });
    return why === null ? { deck, became: 'lost' } : { deck, became: 'refused', why };
  });
}

function refusalOf(deck: string, { folder, events }: { folder: string; events: readonly LoggedEvent[] }) {
  const report = join(folder, reportName(deck));
  const isAbout = ({ capabilities = [] }: LoggedEvent) =>
    capabilities.some(
      ({ name, path }) =>
        (name === 'fs.write' && path === report) ||
        (name === 'data.share' && typeof path === 'string' && path.endsWith(`/${deck}`)),
    );
  const calls = events
    .filter((event) => event.event === 'decision' && isAbout(event))
    .map(({ call }) => call);
  const outcome = events.find(
    ({ event, call, outcome }) => event === 'outcome' && outcome !== 'completed' && calls.includes(call),
  );
  if (outcome !== undefined) return `${outcome.code ?? 'failed'}: ${outcome.reason ?? 'see the log'}`;
  const edited = events.some(
    ({ event, edited, call }) => event === 'approval' && edited === true && calls.includes(call),
  );
  return edited ? 'you changed the call' : null;
}
