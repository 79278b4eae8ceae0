import type { Judgement, Question } from '@ambit/runtime';
import { jsonText } from '../json-text.js';
import { type Looks, styled, wrapped } from '../text.js';
import { differenceLines } from './difference.js';

export interface QuestionText {
  readonly text: string;
  /** Whether something was left out; the text says so, too. */
  readonly isCut: boolean;
}

/** How many lines of arguments and of a difference are shown before the rest is offered. */
const mostLines = { arguments: 16, difference: 40 };

/** A question as a person reads it: who asks, what, why. With `whole`, nothing is left out. Everything is escaped. */
export function questionText(
  question: Question,
  { whole, ...looks }: Looks & { readonly whole: boolean },
): QuestionText {
  const args = cut(argumentLines(question, looks), whole ? null : mostLines.arguments);
  const difference =
    question.preview === null
      ? { lines: [], isCut: false }
      : cut(differenceLines(question.preview, looks), whole ? null : mostLines.difference);
  const lines = [
    styled('─'.repeat(Math.min(looks.width, 78)), 'dim', looks),
    ...wrapped(`${question.chain.join(' › ')} wants to call ${question.tool}`, looks.width).map((line) =>
      styled(line, 'bold', looks),
    ),
    // Words of the tool's author, beside what was judged and never in its place.
    ...(question.summary === null ? [] : wrapped(question.summary, looks.width, 'in the tool’s words: ')),
    ...(question.again === null ? [] : wrapped(question.again, looks.width, 'asked again: ')),
    '',
    'It would',
    ...question.capabilities.flatMap(({ words, capability }, index) =>
      capabilityLines(`${words}  (${capability.name})`, isAsked(question, index), looks),
    ),
    '',
    'Somebody is asked because',
    ...question.asked_by.flatMap((judgement) => whyLines(judgement, question, looks)),
    ...(question.reason === null ? [] : ['', ...wrapped(question.reason, looks.width, 'reason: ')]),
    ...(question.instead === null ? [] : wrapped(question.instead, looks.width, 'instead: ')),
    '',
    'Arguments',
    ...args.lines,
    ...(difference.lines.length === 0 ? [] : ['', ...difference.lines]),
  ];
  return { text: `${lines.join('\n')}\n`, isCut: args.isCut || difference.isCut };
}

/** Every capability is shown whole: what is not read here is approved unread. */
function capabilityLines(words: string, asked: boolean, looks: Looks): readonly string[] {
  const lines = wrapped(words, looks.width, asked ? '  ? ' : '  · ');
  return asked ? lines.map((line) => styled(line, 'yellow', looks)) : lines;
}

function isAsked({ asked_by }: Question, index: number): boolean {
  return asked_by.some(({ capability }) => capability === index);
}

function whyLines(judgement: Judgement, question: Question, { width }: Looks): readonly string[] {
  const name = question.capabilities[judgement.capability]?.capability.name ?? 'this call';
  const asks = judgement.rules.filter(({ decision }) => decision === judgement.decision);
  const unsure = judgement.undecided.filter(({ decision }) => decision === judgement.decision);
  const causes = [
    ...asks.map(({ id, at }) => `the rule ${id} (${at}) asks about ${name}`),
    ...unsure.map(({ id, at, why }) => `the rule ${id} (${at}) may ask about ${name}: ${why}`),
  ];
  const fallback = `no rule of ${judgement.policy} speaks about ${name}, and its default asks`;
  const person = judgement.answer === 'person' ? '; a person has to answer, for this one call' : '';
  return (causes.length === 0 ? [fallback] : causes).flatMap((cause) =>
    wrapped(`${cause}${person}`, width, '  - '),
  );
}

function argumentLines({ args }: Question, { width }: Looks): readonly string[] {
  return jsonText(args, 2)
    .split('\n')
    .flatMap((line) => {
      const indent = ' '.repeat(2 + (line.length - line.trimStart().length));
      return wrapped(line.trimStart(), width, indent);
    });
}

function cut(lines: readonly string[], most: number | null): { lines: readonly string[]; isCut: boolean } {
  if (most === null || lines.length <= most) return { lines, isCut: false };
  const rest = lines.length - most;
  return { lines: [...lines.slice(0, most), `  … ${rest} more lines; v shows the whole`], isCut: true };
}
