import type { Here } from '../here.js';
import { unknownNumber, unknownValue, type Value } from '../variable.js';
import { textOf, type Word, word } from '../word.js';

/** Parameters and variables that the shell keeps as numbers itself. */
const numbers = new Set(
  `# ? $ ! PPID UID EUID RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS BASHPID SHLVL COLUMNS LINES OPTIND`.split(
    ' ',
  ),
);

/** What a name stands for. */
export function valueNamed(name: string, here: Here): Value {
  const { state } = here;
  if (/^\d+$/.test(name)) return parameter(Number(name), state.parameters);
  if (state.has_references) return unknownValue;
  const own = state.variables.get(name);
  if (own !== undefined) return own.value;
  if (name === 'PWD') {
    const [folder, ...others] = state.folders;
    return folder === undefined || others.length > 0
      ? unknownValue
      : { kind: 'text', word: word(folder.named) };
  }
  return numbers.has(name) ? unknownNumber : unknownValue;
}

function parameter(index: number, parameters: readonly Word[] | null): Value {
  if (index === 0 || parameters === null) return unknownValue;
  const found = parameters[index - 1];
  // A word that stands for several would shift those behind it.
  const isShifted = parameters
    .slice(0, index)
    .some(({ parts }) => parts.some((part) => typeof part !== 'string' && part.kind !== 'text'));
  if (isShifted) return unknownValue;
  return found === undefined ? { kind: 'unset' } : { kind: 'text', word: found };
}

/** The text of a variable; null where it is not known, or there is none. */
export function textOfVariable(name: string, here: Here): string | null {
  const value = valueNamed(name, here);
  return value.kind === 'text' ? textOf(value.word) : null;
}

/** Whether nothing ever gave the name a value, as far as the shell itself does not. */
export function isNeverSet(name: string, { state }: Here): boolean {
  return !state.is_lost && !state.variables.has(name);
}
