import { text } from '../word.js';
import type { Builtin } from './builtin.js';
import { cd, pwd } from './folder.js';
import { echo, printf } from './output.js';
import { read } from './read.js';
import { breakLoop, exit, kill, runCommand, wait } from './running.js';
import { exportVariables, set, unset } from './settings.js';
import { sourceAs } from './source.js';
import { bracket, nothing, test } from './testing.js';

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
