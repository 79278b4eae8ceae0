import type { ArithmeticFor, CompoundList, For, Select, While } from 'unbash';
import { setVariable } from './assign.js';
import type { Here, Result } from './here.js';
import { isSameState, join, lost, type State } from './state.js';
import { unknownValue, type Value } from './variable.js';
import type { Word } from './word.js';

/** The most words that a loop is walked for one by one. */
const mostWords = 24;

/** How often a loop is walked until what it changes is known. */
const mostRounds = 4;

type List = (list: CompoundList, here: Here) => Result;

export function loop(command: While | For | Select | ArithmeticFor, here: Here, list: List): Result {
  switch (command.type) {
    case 'While':
      repeat(here, (inner) => {
        settled(list(command.clause, inner), inner);
        const asked = inner.state;
        settled(list(command.body, inner), inner);
        return asked;
      });
      break;
    case 'ArithmeticFor':
      here.walk.arithmetic(command.initialize ?? null, here);
      repeat(here, (inner) => {
        here.walk.arithmetic(command.test ?? null, inner);
        const asked = inner.state;
        settled(list(command.body, inner), inner);
        inner.walk.arithmetic(command.update ?? null, inner);
        return asked;
      });
      break;
    case 'For':
    case 'Select':
      over(command, here, list);
  }
  return { output: null };
}

function settled({ failed }: Result, here: Here): void {
  if (failed !== undefined) here.state = join(here.state, failed);
}

/** Walks until another round would change nothing. The body says in which state it is left. */
function repeat(here: Here, body: (inner: Here) => State): void {
  let entered = here.state;
  for (let round = 0; ; round += 1) {
    const exits: State[] = [];
    const size = sizeOf(here);
    const inner: Here = { ...here, state: entered, exits };
    const left = body(inner);
    const next = [inner.state, left, ...exits].reduce((all, each) => join(all, each), entered);
    here.state = next;
    const isSettled = isSameState(next, entered) && sizeOf(here) === size;
    if (isSettled || !here.walk.report.spend(1)) return;
    entered = round < mostRounds ? next : lost(next);
    if (round > mostRounds) return;
  }
}

/** How much was written so far. */
function sizeOf({ walk }: Here): number {
  const { links, written, is_open } = walk.world.changes;
  return links.length + written.size + (is_open ? 1 : 0);
}

function over({ type, name, wordlist, body }: For | Select, here: Here, list: List): void {
  const words =
    wordlist === undefined ? here.state.parameters : wordlist.flatMap((each) => here.walk.words(each, here));
  const isKnown =
    type === 'For' &&
    words !== null &&
    words.length <= mostWords &&
    words.every(({ parts }) => parts.every((part) => typeof part === 'string' || part.kind !== 'words'));
  if (isKnown) {
    overKnown({ name: name.text, words, body }, here, list);
    return;
  }
  const value: Value = unknownValue;
  repeat(here, (inner) => {
    const asked = inner.state;
    setVariable(name.text, value, inner);
    settled(list(body, inner), inner);
    return asked;
  });
  if (type === 'Select') setVariable('REPLY', value, here);
}

function overKnown(
  { name, words, body }: { name: string; words: readonly Word[]; body: CompoundList },
  here: Here,
  list: List,
): void {
  const left: State[] = [];
  for (const word of words) {
    const exits: State[] = [];
    const inner: Here = { ...here, exits };
    setVariable(name, { kind: 'text', word }, inner);
    settled(list(body, inner), inner);
    left.push(...exits);
    // Some of these go on with the next word, some leave the loop: which is not told apart.
    here.state = exits.reduce((all, each) => join(all, each), inner.state);
  }
  here.state = left.reduce((all, each) => join(all, each), here.state);
}
