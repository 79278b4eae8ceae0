import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoggedEvent } from '../read-log.js';
import { reportName } from './decks.js';

/** The state of a report's file at one moment; null if it was missing. */
export type Mark = string | null;

/** The current state of the reports on these decks: it tells new reports from those of an earlier run. */
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

/** The result for one deck. */
export type Result =
  /** `unread`: why no worker got the deck, if none did. */
  | { readonly deck: string; readonly became: 'reported'; readonly unread: string | null }
  | { readonly deck: string; readonly became: 'refused'; readonly why: string }
  | { readonly deck: string; readonly became: 'lost' };

/** For each deck a new report, a refusal that explains why it is missing, or neither. */
export async function resultsOf(
  decks: readonly string[],
  of: { readonly folder: string; readonly before: readonly Mark[]; readonly events: readonly LoggedEvent[] },
): Promise<readonly Result[]> {
  const after = await marksOf(of.folder, decks);
  const folder = await realpath(of.folder).catch(() => of.folder);
  return decks.map((deck, index): Result => {
    const reading = callsOf(of.events, isAboutReading(deck));
    const writing = callsOf(of.events, isAboutWriting(join(folder, reportName(deck))));
    if (after[index] !== null && after[index] !== of.before[index])
      return { deck, became: 'reported', unread: reading.some(isCompleted) ? null : refusalOf(reading) };
    const why = refusalOf([...reading, ...writing]);
    return why === null ? { deck, became: 'lost' } : { deck, became: 'refused', why };
  });
}

type Test = (event: LoggedEvent) => boolean;

const isAboutReading =
  (deck: string): Test =>
  ({ capabilities = [] }) =>
    capabilities.some(
      ({ name, path }) => name === 'data.share' && typeof path === 'string' && path.endsWith(`/${deck}`),
    );

const isAboutWriting =
  (report: string): Test =>
  ({ capabilities = [] }) =>
    capabilities.some(({ name, path }) => name === 'fs.write' && path === report);

/** The events of the calls whose decision passes the test, by call. */
function callsOf(events: readonly LoggedEvent[], isSuch: Test): readonly (readonly LoggedEvent[])[] {
  const decided = events.filter((event) => event.event === 'decision' && isSuch(event));
  return [...new Set(decided.map(({ call }) => call))].map((id) => events.filter(({ call }) => call === id));
}

function isCompleted(call: readonly LoggedEvent[]): boolean {
  return call.some(({ outcome }) => outcome === 'completed');
}

/** Why the first incomplete call of these did not complete. */
function refusalOf(calls: readonly (readonly LoggedEvent[])[]): string | null {
  const ended = calls.flat().find(({ event, outcome }) => event === 'outcome' && outcome !== 'completed');
  if (ended !== undefined)
    return `${ended.code ?? 'failed'}: ${ended.reason ?? ended.error ?? 'see the log'}`;
  return calls.flat().some(({ edited }) => edited === true) ? 'you changed the call' : null;
}
