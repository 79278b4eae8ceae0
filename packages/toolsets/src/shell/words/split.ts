import type { Here } from '../here.js';
import { textOf, type Word } from '../word.js';

/** Whether the shell splits the text of a word at blanks, and nowhere else: whether `IFS` is as usual, or makes no difference. */
export function splits(word: Word, { state }: Here): boolean {
  const own = state.variables.get('IFS');
  if (own === undefined) return !state.is_lost || isPlain(word);
  const { value } = own;
  if (value.kind === 'text' && value.word.parts.length === 1 && value.word.parts[0] === ' \t\n') return true;
  const separators = value.kind === 'text' ? textOf(value.word) : null;
  if (separators === null) return false;
  return word.parts.every(
    (part) =>
      typeof part === 'string' &&
      ![...part].some((each) => separators.includes(each) || ' \t\n'.includes(each)),
  );
}

function isPlain({ parts }: Word): boolean {
  return parts.length === 0;
}
