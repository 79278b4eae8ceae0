import { exampleInWords, ladder, type Question, type Rung } from '@ambit/core';
import { type Looks, styled, wrapped } from '../view/text.js';

/** How far an answer to this question may be kept; nothing where it holds for its call alone. */
export function rungsOf(question: Question): readonly Rung[] {
  return question.keep === null ? [] : ladder(shownCall(question), question.keep.reach);
}

/** What an answer of this reach covers: in words, which begin with `first`, by calls that it would cover and by one that it would not. */
export function rungLines(
  question: Question,
  { words, covers, not }: Rung,
  { first, ...looks }: Looks & { readonly first: string },
): readonly string[] {
  const example = (one: Rung['not']) => exampleInWords(shownCall(question), one);
  return [
    ...wrapped(words, looks.width, first).map((line) => styled(line, 'bold', looks)),
    ...covers.flatMap((one) => wrapped(example(one), looks.width, '       covers  ')),
    ...wrapped(example(not), looks.width, '       not     ').map((line) => styled(line, 'yellow', looks)),
  ];
}

/** Whose later calls a rung speaks about. */
export function laterCalls({ chain, tool }: Question): string {
  return `later calls of ${tool} by ${chain.join(' › ')}`;
}

function shownCall({ chain, tool, args, capabilities: [first, ...others] }: Question) {
  const shown = [first.capability, ...others.map(({ capability }) => capability)] as const;
  return { chain, tool, args, capabilities: shown };
}
