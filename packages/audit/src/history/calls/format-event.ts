import { type JsonObject, printable, shortened } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { chainOf, listOf, objectOf, objectsOf, textOf, wordsOf } from '../../log/line/members.js';
import { decidingNames } from './deciding-names.js';

/** One line for a person; escaped. */
export function formatEvent(entry: LogEntry): string {
  const words = [
    String(entry.seq).padStart(4),
    entry.time,
    entry.event.padEnd(8),
    ...wordsFor[entry.event](entry),
  ];
  return printable(words.filter((word) => word !== '').join('  '));
}

const wordsFor: Readonly<Record<LogEntry['event'], (entry: LogEntry) => readonly string[]>> = {
  run: (entry) => [
    wordsOf(entry.run),
    `mode ${wordsOf(entry.mode)}`,
    `by ${wordsOf(entry.user)}`,
    typeof entry.resumed === 'number' ? `continued, time ${entry.resumed}` : '',
  ],
  policy: (entry) => [
    objectsOf(entry.files)
      .map((file) => `${wordsOf(file.name)}${file.observed === true ? ' (only observes)' : ''}`)
      .join(', '),
    entry.problems === undefined ? '' : `a reload failed: ${wordsOf(listOf(entry.problems)[0])}`,
  ],
  decision: (entry) => [
    short(entry.call),
    chainOf(entry.chain),
    wordsOf(entry.tool),
    entry.decision === null ? `refused (${wordsOf(entry.code)})` : wordsOf(entry.decision),
    ...(entry.decision !== null && entry.code !== undefined ? [`refused (${wordsOf(entry.code)})`] : []),
    decidingNames(objectsOf(entry.judgements), ({ id, at }) => `${wordsOf(id)} at ${wordsOf(at)}`).join(', '),
    observedWords(entry),
  ],
  approval: (entry) => [
    short(entry.call),
    entry.approved === true ? 'approved' : 'not approved',
    byWords(entry),
    textOf(entry.note) ?? '',
  ],
  outcome: (entry) => [
    short(entry.call),
    wordsOf(entry.outcome),
    textOf(entry.code) ?? '',
    textOf(entry.reason) ?? textOf(entry.error) ?? '',
  ],
  guard_changed: (entry) => [
    ...objectsOf(entry.changes).map(({ what, path, how }) => [what, path, how].map(wordsOf).join(' ')),
    entry.after === undefined ? 'before a permit' : `after ${short(entry.after)}`,
  ],
  end: (entry) => [wordsOf(entry.status), textOf(entry.why) ?? ''],
  segment: ({ number, before, next }) => [
    next === undefined
      ? `${wordsOf(number)}, after ${wordsOf(objectOf(before).file)}`
      : `${wordsOf(number)} ends, ${wordsOf(next)} follows`,
  ],
};

/** `person ada`, `mode approve_all`; a grant says itself what it is. */
export function byWords(entry: JsonObject): string {
  const who = whoOf(entry);
  return entry.how === 'grant' && who !== '' ? who : `${wordsOf(entry.how)} ${who}`.trim();
}

/** The people whose answers it holds, also those kept from an earlier call. */
export function peopleOf({ who }: JsonObject): readonly string[] {
  const credits = Array.isArray(who) ? objectsOf(who) : [objectOf(who)];
  return credits.flatMap(({ person }) => textOf(person) ?? []);
}

export function whoOf(entry: JsonObject): string {
  const { who } = entry;
  if (Array.isArray(who)) return [...new Set(objectsOf(who).map(creditOf))].join(', ');
  if (typeof who !== 'object' || who === null) return textOf(who) ?? '';
  const { person } = objectOf(who);
  return textOf(person) ?? creditOf(objectOf(who));
}

export function creditOf(credit: JsonObject): string {
  if (credit.by === 'rule') return `rule ${wordsOf(credit.id)} at ${wordsOf(credit.at)}`;
  if (credit.by === 'reference')
    return `the approvals of ${wordsOf(credit.worker)} for ${wordsOf(credit.tool)}`;
  if (credit.by === 'kept') return `an answer of ${wordsOf(credit.person)} (${wordsOf(credit.approval)})`;
  return JSON.stringify(credit);
}

function observedWords({ decision, observed }: LogEntry): string {
  if (observed === undefined) return '';
  if (observed === null) return 'observing failed';
  const other = objectOf(observed).decision;
  return other === decision ? '' : `observed: would be ${wordsOf(other)}`;
}

/** The first characters of a call's id are enough to name it. */
export function short(call: LogEntry['call'] | undefined): string {
  return shortened(wordsOf(call), 13);
}
