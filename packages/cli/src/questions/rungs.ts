import { exampleInWords, ladder, type Question, type Rung } from '@ambit/core';
import { type Looks, styled, wrapped } from '../view/text.js';

/** The possible reach of an answer to this question; nothing if it holds for its call only. */
export function rungsOf(question: Question): readonly Rung[] {
  return question.keep === null ? [] : ladder(shownCall(question), question.keep.reach);
}

/** The coverage of an answer: in words after `first`, with examples. */
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

export function laterCalls({ chain, tool }: Question): string {
  return `later calls of ${tool} by ${chain.join(' › ')}`;
}

function shownCall({ chain, tool, args, capabilities: [first, ...others] }: Question) {
  const shown = [first.capability, ...others.map(({ capability }) => capability)] as const;
  return { chain, tool, args, capabilities: shown };
}
