import { textOf, type Word, writtenAs } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { file } from './make-effect.js';

type End = '.zip' | '.7z';

/** An archive that is created or changed. A name without a suffix gets one. */
export function readArchiveChanged(end: End) {
  return (written: Word, around: Around): Effects => {
    const known = textOf(written);
    if (known === null) return `the name of the archive \`${writtenAs(written)}\` is unknown`;
    if (known === '-') return [];
    const name = hasEnd(known) ? known : known + end;
    return [file('read', name, around), file('write', name, around)];
  };
}

/** The log file of `zip`. A name without a suffix gets one. */
export function readZipLog(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null) return `the name \`${writtenAs(written)}\` is unknown`;
  return [file('write', hasEnd(known) ? known : `${known}.log`, around)];
}

/** An archive that is read: perhaps with a suffix, or matched by a pattern. */
export function readArchive(end: End) {
  return (written: Word, around: Around): Effects => {
    const known = textOf(written);
    if (known === null || isPattern(known)) return `which archive \`${writtenAs(written)}\` stands for`;
    const ends = hasEnd(known) ? [''] : ['', end, end.toUpperCase()];
    return ends.map((each) => file('read', known + each, around));
  };
}

/** A file name for `7z`, which matches patterns itself. */
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
