import { isInside } from '../../filesystem/root.js';
import { lookBelow } from '../below.js';
import type { Here } from '../here.js';
import { placesOf } from '../places.js';
import { startOf, type Word } from '../word.js';

/** Whether it is names of files in a folder, as programs list them, and blanks are only between them. */
export function isListed(word: Word, here: Here): boolean {
  const names = word.parts.filter((part) => part !== '\n');
  const [first, second] = names;
  const gap = typeof first === 'string' ? second : first;
  if (names.length > (typeof first === 'string' ? 2 : 1)) return false;
  return (
    typeof gap === 'object' &&
    gap.kind === 'glob' &&
    gap.text === '**' &&
    isWithin(word, here) &&
    !hasBlanks(word, here)
  );
}

/** Whether the folder lies in what may be worked in: outside of that, a name may be that of a secret. */
export function isWithin(word: Word, here: Here): boolean {
  const places = placesOf(startOf(word) || '.', here);
  const { roots } = here.walk.world;
  return places.length > 0 && places.every(({ real }) => real !== null && isInside(real, roots));
}

/** Whether there are files by now whose names would be taken for several. */
export function hasBlanks(word: Word, here: Here): boolean {
  const places = placesOf(startOf(word) || '.', here);
  return places.length === 0 || places.some(({ real }) => real === null || lookBelow(real).has_blanks);
}
