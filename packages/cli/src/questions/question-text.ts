import {
  decidingPaths,
  fileSetOf,
  type JsonObject,
  type Judgement,
  jsonText,
  memberInWords,
  type Origin,
  originInWords,
  pieces,
  printable,
  type Question,
} from '@ambit/core';
import { type Looks, styled, wrapped } from '../view/text.js';
import { capabilityDetails } from './capability-details.js';
import { differenceLines } from './difference.js';

/** How many lines of arguments and of a difference are shown before the rest is offered. */
const mostLines = { arguments: 16, difference: 40 };

/** The minimum number of lines for each, on any screen: a person decides by the first lines. */
const leastLines = 2;

/** A question for a person; escaped. Without `whole`, it is folded to fit `rows`. */
export function questionText(
  question: Question,
  { whole, rows, ...looks }: Looks & { readonly whole: boolean; readonly rows?: number },
): string {
  const { preview } = question;
  const all = {
    arguments: argumentLines(question.args, looks, preview?.after ?? null),
    difference: preview === null ? [] : differenceLines(preview, looks),
  };
  const complete = fixedLines(question, { ...looks, whole }, null);
  const height = complete.length + all.arguments.length + all.difference.length + 3;
  const isTight = !whole && rows !== undefined && height > rows;
  const blank = isTight ? [] : [''];
  const titles = isTight ? 1 : preview === null ? 2 : 3;
  const least = Math.min(all.arguments.length, leastLines) + Math.min(all.difference.length, leastLines);
  const fixed = isTight ? tightLines(question, looks, rows - titles - least) : complete;
  const room = rows === undefined ? Number.POSITIVE_INFINITY : rows - fixed.length - titles;
  const most = roomForParts(all, room);
  const args = folded(all.arguments, whole ? null : most.arguments);
  const difference = folded(all.difference, whole ? null : most.difference);
  const lines = [
    ...fixed,
    ...blank,
    'Arguments',
    ...args,
    ...(difference.length === 0 ? [] : [...blank, ...difference]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The number of lines for each part: first for the change of a file, then for the arguments. */
function roomForParts(
  all: Readonly<Record<'arguments' | 'difference', readonly string[]>>,
  room: number,
): Readonly<Record<'arguments' | 'difference', number>> {
  const least = Math.min(all.arguments.length, leastLines);
  const difference = Math.max(leastLines, Math.min(mostLines.difference, room - least));
  const rest = room - Math.min(all.difference.length, difference);
  return { difference, arguments: Math.max(leastLines, Math.min(mostLines.arguments, rest)) };
}

/** Without blank lines, and with as much of the rest as fits. */
function tightLines(question: Question, looks: Looks, room: number): readonly string[] {
  const permitted = question.capabilities.filter((_, index) => !isAsked(question, index)).length;
  for (let shown = permitted; ; shown -= 1) {
    const lines = fixedLines(question, { ...looks, whole: false }, shown).filter((line) => line !== '');
    if (shown > 0 && lines.length > room) continue;
    // As a last resort, earlier answers are only counted.
    const most = lines.length > room ? lines.findIndex((line) => line.startsWith(earlier)) + 1 : 0;
    return most === 0 ? lines : lines.slice(0, most);
  }
}

const earlier = 'Before, in this run: ';

/** `permitted`: how many of the other capabilities are shown; null for all. */
function fixedLines(
  question: Question,
  looks: Looks & { readonly whole: boolean },
  permitted: number | null,
): readonly string[] {
  const does = question.capabilities.map((each, index) => ({
    ...each,
    index,
    asked: isAsked(question, index),
  }));
  const others = does.filter(({ asked }) => !asked);
  const shown =
    permitted === null ? does : [...does.filter(({ asked }) => asked), ...others.slice(0, permitted)];
  const rest = does.length - shown.length;
  return [
    styled('─'.repeat(Math.min(looks.width, 78)), 'dim', looks),
    ...wrapped(`${question.chain.join(' › ')} wants to call ${question.tool}`, looks.width).map((line) =>
      styled(line, 'bold', looks),
    ),
    // Words of the tool's author, beside what was judged, never instead.
    ...(question.summary === null ? [] : summaryLines(question.summary, looks)),
    ...numberLines(question, looks),
    ...(question.again === null ? [] : wrapped(question.again, looks.width, 'asked again: ')),
    '',
    'It would',
    ...shown.flatMap(({ words, capability, origin, index, asked }) => {
      const members = looks.whole && asked ? membersOf(question, index) : [];
      const details = [...detailsOf(question, index, members.length > 0), ...originDetails(origin)];
      return [
        ...capabilityLines(`${words}  (${[capability.name, ...details].join(', ')})`, asked, looks),
        ...members.map((member) => `      ${member}`),
      ];
    }),
    ...(rest === 0 ? [] : wrapped(`${rest} more, permitted: v shows all`, looks.width, '  · ')),
    '',
    'Needs approval because',
    ...whyLines(question, looks),
    ...(question.reason === null ? [] : wrapped(question.reason, looks.width, 'reason: ')),
    ...(question.instead === null ? [] : wrapped(question.instead, looks.width, 'instead: ')),
    ...beforeLines(question, looks),
  ];
}

/** The most files of a set that are listed. The log names all. */
const mostMembers = 1_000;

/** The files of a set, deciding ones first; empty for others. */
function membersOf({ capabilities, asked_by }: Question, index: number): readonly string[] {
  const paths = fileSetOf(capabilities[index]?.capability.path)?.paths ?? [];
  const all = [...new Set([...decidingPaths(asked_by, index), ...paths])];
  const rest = all.length - mostMembers;
  const shown = all.slice(0, mostMembers).map(printable);
  return rest > 0 ? [...shown, `and ${rest} more, which the log names`] : shown;
}

/** Omits the words of a program that repeat the command line in the arguments. */
function detailsOf(
  { capabilities, asked_by, args }: Question,
  index: number,
  areFilesListed: boolean,
): readonly string[] {
  const { capability: judged, words } = capabilities[index] ?? capabilities[0];
  const { path: _, ...others } = judged;
  const capability = areFilesListed ? others : judged;
  const details = capabilityDetails(capability, words, decidingPaths(asked_by, index));
  return capability.argv === undefined ? details : details.filter((detail) => detail !== args.command);
}

/** On the line of its label, or below it if it is longer: a column would break every path. */
function summaryLines(summary: string, { width }: Looks): readonly string[] {
  const label = 'in the tool’s words: ';
  const [line = '', ...more] = wrapped(summary, width, label);
  return more.length === 0 ? [line] : [label.trimEnd(), ...wrapped(summary, width, '  ')];
}

function numberLines({ calls, part }: Question, looks: Looks): readonly string[] {
  const equal =
    calls === undefined
      ? []
      : wrapped(`${calls.length} identical calls wait: an answer is for all of them`, looks.width);
  const parts = part === undefined ? [] : [`question ${part.number} of ${part.of} about this call`];
  return [...equal, ...parts].map((line) => styled(line, 'yellow', looks));
}

function beforeLines({ before }: Question, looks: Looks): readonly string[] {
  if (before === undefined) return [];
  const counts = [
    ...(before.approved === 0 ? [] : [`${before.approved} approved`]),
    ...(before.refused === 0 ? [] : [`${before.refused} refused`]),
  ];
  return [
    '',
    `${earlier}${counts.join(', ')}`,
    ...before.latest.flatMap(({ person, at, approved, calls, what, edited, note }) => {
      const did = `${person} ${approved ? 'approved' : 'refused'}${calls === 1 ? '' : ` ${calls} calls`}`;
      const how = edited ? ' with other arguments' : note === null ? '' : ` (${note})`;
      return wrapped(`${did}${how} at ${clockText(at)}: ${what.join('; ')}`, looks.width, '  · ');
    }),
  ];
}

function clockText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : `${date.toISOString().slice(11, 16)} UTC`;
}

function originDetails(origin: Origin | undefined): readonly string[] {
  const words = origin === undefined ? null : originInWords(origin);
  return words === null ? [] : [words];
}

/** A capability that asks is never cut: it would be approved unread. */
function capabilityLines(words: string, asked: boolean, looks: Looks): readonly string[] {
  const lines = wrapped(words, looks.width, asked ? '  ? ' : '  · ');
  return asked ? lines.map((line) => styled(line, 'yellow', looks)) : lines;
}

function isAsked({ asked_by }: Question, index: number): boolean {
  return asked_by.some(({ capability }) => capability === index);
}

/** Each cause once. */
function whyLines(question: Question, { width }: Looks): readonly string[] {
  const causes = question.asked_by.map((judgement) => ({ judgement, ...causesOf(judgement, question) }));
  const texts = causes.flatMap(({ ruled, judgement: { policy }, person }) => {
    if (ruled.length > 0) return ruled.map((cause) => `${cause}${person}`);
    const same = causes.filter(
      (each) => each.ruled.length === 0 && each.judgement.policy === policy && each.person === person,
    );
    const names = [...new Set(same.map(({ name }) => name))];
    const all = names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    return [`no rule in ${policy} covers ${all}, so its default asks${person}`];
  });
  return [...new Set(texts)].flatMap((text) => wrapped(text, width, '  - '));
}

function causesOf(
  { member, capability, rules, decision, undecided, answer }: Judgement,
  question: Question,
): { readonly name: string; readonly ruled: readonly string[]; readonly person: string } {
  // If all of them ask, none is named.
  const of = member === undefined || member.count === member.of ? '' : ` of ${memberInWords(member)}`;
  const name = `${question.capabilities[capability]?.capability.name ?? 'this call'}${of}`;
  const asks = rules.filter((rule) => rule.decision === decision);
  const unsure = undecided.filter((rule) => rule.decision === decision);
  const ruled = [
    ...asks.map(({ id, at }) => `the rule ${id} (${at}) asks about ${name}`),
    ...unsure.map(({ id, at, why }) => `the rule ${id} (${at}) may ask about ${name}: ${why}`),
  ];
  return { name, ruled, person: answer === 'person' ? '; only a person may answer, for this one call' : '' };
}

function folded(lines: readonly string[], most: number | null): readonly string[] {
  if (most === null || lines.length <= most) return lines;
  const rest = lines.length - most + 1;
  return [...lines.slice(0, most - 1), `  … ${rest} more lines; v shows everything`];
}

/** The arguments, each line behind a bar that content cannot imitate. `elsewhere` is shown separately. */
function argumentLines(args: JsonObject, { width }: Looks, elsewhere: string | null): readonly string[] {
  const entries = Object.entries(args);
  if (entries.length === 0) return ['  none'];
  return entries.flatMap(([name, value]) => {
    const first = `  ${printable(name)}: `;
    if (typeof value !== 'string') return wrapped(`${name}: ${jsonText(value)}`, width, '  ');
    if (elsewhere !== null && value !== '' && value === elsewhere)
      return wrapped(`${name}: the text that is shown below`, width, '  ');
    const lines = value.replace(/\n$/, '').split('\n');
    // Short text in quotes on its line, so that its end is visible.
    if (lines.length === 1 && first.length + value.length + 2 <= width)
      return wrapped(`${name}: ${jsonText(value)}`, width, '  ');
    return [...wrapped(`${name}:`, width, '  '), ...lines.flatMap((line) => barred(line, width))];
  });
}

function barred(line: string, width: number): readonly string[] {
  const [first = '', ...rest] = pieces(printable(line.replaceAll('\t', '    ')), width - 5);
  return [`   │ ${first}`, ...rest.map((more) => `   ↪ ${more}`)];
}
