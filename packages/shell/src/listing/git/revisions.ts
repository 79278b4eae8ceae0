import { outputOfOne } from '../../outputs.js';
import type { Reading } from '../../programs/reading.js';
import { isOpen, text, textsIn, unknownOutput, type Word } from '../../word.js';
import { type Act, type Deed, deedOf } from '../../world.js';

/** How many combinations of revisions are acted on one by one. */
const mostRevisions = 40;

/** Acts on each revision that a word may be: `HEAD~$n` in a loop, or `"$base"...HEAD`. */
export function forEachRevision(reading: Reading, act: (reading: Reading) => Act, most = mostRevisions): Act {
  const word = reading.operands.find((each) => isOneOfRevisions(each, most));
  if (word === undefined) return act(reading);
  const texts = textsIn(word);
  const deeds: Deed[] = [];
  for (const each of texts) {
    const deed = deedOf(forEachRevision(withWord(reading, word, text(each)), act, most / texts.length));
    if (typeof deed === 'string') return deed;
    deeds.push(deed);
  }
  return oneOf(deeds);
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

function oneOf(deeds: readonly Deed[]): Deed {
  const effects = new Map(deeds.flatMap((deed) => deed.effects.map((each) => [JSON.stringify(each), each])));
  return {
    effects: [...effects.values()],
    output: outputOfOne(deeds.map(({ output }) => output ?? unknownOutput)),
    leavesInput: deeds.every(({ leavesInput }) => leavesInput === true),
  };
}
