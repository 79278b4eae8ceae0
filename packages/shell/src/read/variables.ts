import { text, unknown } from '../word.js';
import { Outside } from './outside.js';
import type { State, Value } from './state.js';

/** Parameters that bash keeps as numbers. */
const numbers: ReadonlySet<string> = new Set(
  '# ? $ ! PPID UID EUID SECONDS LINENO EPOCHSECONDS RANDOM SRANDOM BASHPID SHLVL'.split(' '),
);

/** Lower-case names that mean something to bash. */
const ownLowerCase: ReadonlySet<string> = new Set(['auto_resume', 'histchars']);

/** Whether a line may give the name a value: its own names, which mean nothing to bash and to programs. */
export function isAssignable(name: string): boolean {
  return /^[a-z][A-Za-z0-9_]{0,99}$/.test(name) && !ownLowerCase.has(name);
}

/** What a name or a parameter stands for; null where it is certainly unset. */
export function valueNamed(name: string, state: State): Value | null {
  const own = state.variables.get(name);
  if (own !== undefined) return own.value;
  if (name === 'PWD') {
    const [folder, ...others] = state.folders;
    if (folder !== undefined && others.length === 0) return text(folder.named);
  }
  if (numbers.has(name)) return unknown(`$${name}`, { isNumber: true });
  // In quotes it may be no word at all.
  if (name === '@') throw new Outside('`$@` is not described', '$@');
  if (/^[1-9]\d*$/.test(name) || name === '*') {
    if (state.hasParameters === true)
      throw new Outside('a parameter of the text is not described', `$${name}`);
    return null;
  }
  if (isAssignable(name)) return null;
  return unknown(`$${name}`);
}
