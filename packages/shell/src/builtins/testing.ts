import { testWords } from '../read/test-command.js';
import { noOutput, textOf } from '../word.js';
import { type Builtin, notDescribed } from './builtin.js';

export const nothing: Builtin = () => noOutput;

export const test: Builtin = (words, scope) => {
  testWords(words, scope);
  return noOutput;
};

export const bracket: Builtin = (words, scope) => {
  if (textOf(words.at(-1)) !== ']') throw notDescribed('[', words);
  return test(words.slice(0, -1), scope);
};
