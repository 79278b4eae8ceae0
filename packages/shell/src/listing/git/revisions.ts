import { outputOfOne } from '../../outputs.js';
import type { Reading } from '../../programs/reading.js';
import { isOpen, text, textsIn, unknownOutput, type Word } from '../../word.js';
import { type Described, describedOf, type ListerResult } from '../../world.js';

/** How many combinations of revisions are acted on one by one. */
const mostRevisions = 40;

/** Acts on each revision that a word may be: `HEAD~$n` in a loop, or `"$base"...HEAD`. */
export function forEachRevision(
  reading: Reading,
  describe: (reading: Reading) => ListerResult,
  most = mostRevisions,
): ListerResult {
  const word = reading.operands.find((each) => isOneOfRevisions(each, most));
  if (word === undefined) return describe(reading);
  const texts = textsIn(word);
  const each: Described[] = [];
  for (const one of texts) {
    const described = describedOf(
      forEachRevision(withWord(reading, word, text(one)), describe, most / texts.length),
    );
    if (typeof described === 'string') return described;
    each.push(described);
  }
  return oneOf(each);
}

function isOneOfRevisions(word: Word, most: number): boolean {
  if (word.kind !== 'names' || word.count === 'many' || isOpen(word)) return false;
  const texts = textsIn(word);
  return (
    texts.length <= most && texts.every((each) => /^(?:HEAD|@|[0-9a-f]{7,40}$)|[~^:]|\.\.|^$/.test(each))
  );
}

function withWord(reading: Reading, from: Word, to: Word): Reading {
  const swap = (words: readonly Word[]) => words.map((each) => (each === from ? to : each));
  const sequence = reading.sequence.map((item) =>
    item.kind === 'operand' && item.word === from ? { ...item, word: to } : item,
  );
  const { operands, words, rest } = reading;
  return { ...reading, operands: swap(operands), words: swap(words), rest: swap(rest), sequence };
}

function oneOf(all: readonly Described[]): Described {
  const effects = new Map(all.flatMap((one) => one.effects.map((each) => [JSON.stringify(each), each])));
  return {
    effects: [...effects.values()],
    output: outputOfOne(all.map(({ output }) => output ?? unknownOutput)),
    leavesInput: all.every(({ leavesInput }) => leavesInput === true),
  };
}
