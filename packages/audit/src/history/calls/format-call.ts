import {
  type Capability,
  inWords,
  type JsonObject,
  memberInWords,
  originInWords,
  printable,
} from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { chainOf, objectOf, objectsOf, textOf, wordsOf } from '../../log/line/members.js';
import type { CallStory } from './call-story.js';
import { byWords, creditOf } from './format-event.js';

/** The story of a call for a person; escaped. */
export function formatCall(story: CallStory): string {
  const entries = story.lines.map(({ entry }) => entry);
  if (entries.length === 0) return printable(`call ${story.call}: nothing is recorded`);
  const body = entries.flatMap((entry) => ['', ...block(entry)]);
  const title = `call ${story.call}, run ${entries[0]?.run ?? ''}`;
  // Line by line: text from data cannot begin a line, so it cannot imitate a field.
  return [title, ...body].map(printable).join('\n');
}

function block(entry: LogEntry): readonly string[] {
  const lines = linesFor[entry.event]?.(entry) ?? [];
  return [`${entry.event}  seq ${entry.seq}  ${entry.time}`, ...lines.map((line) => `  ${line}`)];
}

const linesFor: Partial<Record<LogEntry['event'], (entry: LogEntry) => readonly string[]>> = {
  decision: decisionLines,
  approval: approvalLines,
  outcome: outcomeLines,
};

function decisionLines(entry: LogEntry): readonly string[] {
  return [
    field('worker', chainOf(entry.chain)),
    field('tool', wordsOf(entry.tool)),
    ...jsonLines('arguments', entry.args ?? null),
    ...objectsOf(entry.capabilities).map((capability, index) =>
      field(
        index === 0 ? 'carries' : '',
        `${wordsOf(capability.name)}: ${wordsOfCapability(capability)}${originOf(entry, index)}`,
      ),
    ),
    field(
      'decision',
      entry.decision === null ? 'none: refused before it was judged' : wordsOf(entry.decision),
    ),
    ...optional('refused', entry.code),
    ...optional('because', entry.why),
    ...judgedLines(entry),
    ...observedLines(entry),
  ];
}

/** The origin of a capability, if it is not the tool. */
function originOf({ origins }: LogEntry, index: number): string {
  const { by, at } = objectsOf(origins)[index] ?? {};
  const words =
    by === 'map' ? originInWords({ by }) : by === 'carries' ? originInWords({ by, at: wordsOf(at) }) : null;
  return words === null ? '' : ` (${words})`;
}

function observedLines(entry: LogEntry): readonly string[] {
  if (entry.observed === undefined) return [];
  if (entry.observed === null)
    return [field('observed', 'failed'), ...optional('because', entry.observed_why)];
  const observed = objectOf(entry.observed);
  return [field('observed', `would be ${wordsOf(observed.decision)}`), ...judgedLines(observed)];
}

/** Of a decision, and of what policies that only observe would have said. */
function judgedLines({ capabilities, judgements, reason, instead }: JsonObject): readonly string[] {
  const carried = objectsOf(capabilities);
  return [
    ...objectsOf(judgements).flatMap((judgement) =>
      judgementLines(judgement, wordsOfCapability(carried[Number(judgement.capability)])),
    ),
    ...optional('reason', reason),
    ...optional('instead', instead),
  ];
}

function judgementLines(judgement: JsonObject, words: string): readonly string[] {
  const credit = objectOf(judgement.answered_by);
  const { path, count, of } = objectOf(judgement.member);
  const isMember = typeof count === 'number' && typeof of === 'number';
  return [
    `- ${wordsOf(judgement.policy)} on \`${words}\`: ${wordsOf(judgement.decision)}`,
    ...(isMember ? [`    because of ${memberInWords({ path: textOf(path), count, of })}`] : []),
    ...objectsOf(judgement.rules).map(
      (rule) => `    rule ${wordsOf(rule.id)} at ${wordsOf(rule.at)} says ${wordsOf(rule.decision)}`,
    ),
    ...objectsOf(judgement.undecided).map(
      (rule) =>
        `    rule ${wordsOf(rule.id)} at ${wordsOf(rule.at)}, which says ${wordsOf(rule.decision)}, is undecided: ${wordsOf(rule.why)}`,
    ),
    ...objectsOf(judgement.observed).map(
      (rule) =>
        `    rule ${wordsOf(rule.id)} at ${wordsOf(rule.at)}, which only observes, would say ${wordsOf(rule.decision)}`,
    ),
    ...(judgement.default === true ? ['    the default takes part'] : []),
    ...(judgement.answer === 'person' ? ['    wants a person'] : []),
    ...(Object.keys(credit).length > 0 ? [`    answered by ${creditOf(credit)}`] : []),
  ];
}

function approvalLines(entry: LogEntry): readonly string[] {
  const question = objectOf(entry.question);
  const keep = objectOf(entry.keep);
  const asked = objectsOf(question.capabilities).map(({ words }) => wordsOf(words));
  return [
    ...asked.map((words, index) => field(index === 0 ? 'asked about' : '', words)),
    ...(Array.isArray(question.calls)
      ? [field('asked for', `${question.calls.length} identical calls at once`)]
      : []),
    ...optional('asked why', question.reason),
    ...optional('again', question.again),
    field('answer', entry.approved === true ? 'approved' : 'not approved'),
    field('by', byWords(entry)),
    ...(keep.remember === undefined
      ? []
      : [
          field('kept', `for ${wordsOf(keep.remember)}, as far as ${wordsOf(keep.reach)}${untilWords(keep)}`),
        ]),
    ...(entry.edited === true ? [field('arguments', 'edited by the person; the call was judged again')] : []),
    ...optional('note', entry.note),
  ];
}

function untilWords({ until }: JsonObject): string {
  if (typeof until !== 'number') return '';
  const date = new Date(until);
  return `, until ${Number.isNaN(date.getTime()) ? until : date.toISOString()}`;
}

function outcomeLines(entry: LogEntry): readonly string[] {
  return [
    field('outcome', wordsOf(entry.outcome)),
    ...optional('code', entry.code),
    ...optional('reason', entry.reason),
    ...optional('error', entry.error),
  ];
}

function wordsOfCapability(capability: JsonObject | undefined): string {
  return typeof capability?.name === 'string' ? inWords(capability as Capability) : wordsOf(capability);
}

function optional(name: string, value: Parameters<typeof wordsOf>[0]): readonly string[] {
  return textOf(value) === null ? [] : [field(name, wordsOf(value))];
}

function field(name: string, value: string): string {
  return `${name.padEnd(12)}${value}`;
}

function jsonLines(name: string, value: Parameters<typeof wordsOf>[0]): readonly string[] {
  const [first = '', ...rest] = (JSON.stringify(value, null, 2) ?? 'null').split('\n');
  return [field(name, first), ...rest.map((line) => `${' '.repeat(12)}${line}`)];
}
