import { noOutput, text, textOf } from '../word.js';
import { type Builtin, notDescribed } from './builtin.js';
import { cd, pwd } from './folder.js';
import { echo, printf } from './output.js';
import { read } from './read.js';
import { breakLoop, exit, kill, runCommand, sourceAs, wait } from './running.js';
import { exportVariables, set, unset } from './settings.js';
import { testWords } from './test-command.js';

const nothing: Builtin = () => noOutput;

const test: Builtin = (words, scope) => {
  testWords(words, scope);
  return noOutput;
};

const bracket: Builtin = (words, scope) => {
  if (textOf(words.at(-1)) !== ']') throw notDescribed('[', words);
  return test(words.slice(0, -1), scope);
};

/** The builtins that are described. */
export const builtins: Readonly<Record<string, Builtin>> = {
  ':': nothing,
  '.': sourceAs('.'),
  true: nothing,
  false: nothing,
  '[': bracket,
  break: breakLoop,
  cd,
  command: runCommand,
  continue: breakLoop,
  echo,
  exit,
  export: exportVariables,
  kill,
  printf,
  pwd,
  read,
  set,
  source: sourceAs('source'),
  test,
  type: (words, scope) => runCommand([text('-v'), ...words], scope),
  unset,
  wait,
};
