import { textOf, type Word, writtenAs } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { file } from './make-effect.js';

type End = '.zip' | '.7z';

/** An archive that is made or changed. Its name gets an end where it has none. */
export function readArchiveChanged(end: End) {
  return (written: Word, around: Around): Effects => {
    const known = textOf(written);
    if (known === null) return `the name of the archive \`${writtenAs(written)}\` is unknown`;
    if (known === '-' || known === '') return [];
    const name = hasEnd(known) ? known : known + end;
    return [file('read', name, around), file('write', name, around)];
  };
}

/** Where `zip` writes what it does, with an end where the name has none. */
export function readZipLog(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null) return `the name \`${writtenAs(written)}\` is unknown`;
  return [file('write', hasEnd(known) ? known : `${known}.log`, around)];
}

/** An archive that is read: perhaps one with an end, where its name has none, or one that a pattern matches. */
export function readArchive(end: End) {
  return (written: Word, around: Around): Effects => {
    const known = textOf(written);
    if (known === null || isPattern(known)) return `which archive \`${writtenAs(written)}\` stands for`;
    const ends = hasEnd(known) ? [''] : ['', end, end.toUpperCase()];
    return ends.map((each) => file('read', known + each, around));
  };
}

/** A name of files for `7z`, which matches patterns itself. */
export function readMember(written: Word): Effects {
  const known = textOf(written);
  return known === null || isPattern(known) ? `which files \`${writtenAs(written)}\` stands for` : [];
}

function hasEnd(name: string): boolean {
  return /\.[^/]*$/.test(name);
}

function isPattern(name: string): boolean {
  return /[*?[\]]/.test(name);
}
