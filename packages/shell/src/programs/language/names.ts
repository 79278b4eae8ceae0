import type { Effect } from '../../effect.js';
import { isOpen, startOf, textOf, textsIn, type Word, writtenAs } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { append, beside, isUnknownStart, mapped } from '../words.js';
import { connect, file } from './make-effect.js';

/** An operand of a compiler: a file, or `@` and a file of options. */
export function readAtOperand(written: Word, around: Around): Effects {
  if (startOf(written).startsWith('@') || isUnknownStart(written))
    return 'a file of options says what it does';
  return isStream(written) ? [] : [file('read', written, around)];
}

/** A file that is read, unless its name has a prefix with a special meaning. */
export function readPlainOperand(written: Word, around: Around): Effects {
  if (isStream(written)) return [];
  return isPlain(written) ? [file('read', written, around)] : `what \`${writtenAs(written)}\` makes it do`;
}

function isStream(written: Word): boolean {
  return ['', '-'].includes(textOf(written) ?? '?');
}

function isPlain(written: Word): boolean {
  const known = textOf(written) ?? startOf(written);
  return known !== '' && /^[^:@|%[\]*?{}]*$/.test(known);
}

const unpacked: readonly (readonly [RegExp, string])[] = [
  [/\.t(?:gz|bz2|xz|zst|lz)$/, '.tar'],
  [/\.(?:gz|bz2|xz|zst|lz4|lz|lzma|br|Z)$/, ''],
];

/** A compressed file, unpacked beside itself. Without a known suffix, another file may be meant. */
export function readUnpacked(written: Word, around: Around): Effects {
  if (isStream(written)) return [];
  if (isOpen(written) || textsIn(written).some((name) => endOf(name) === undefined))
    return `which file \`${writtenAs(written)}\` stands for`;
  const plain = mapped(written, (name) => {
    const [end, rest] = endOf(name) ?? [/$/, ''];
    return name.replace(end, rest);
  });
  return [file('write', plain, around)];
}

/** A file that `gzip` prints. Without a known suffix, a file with a suffix may be read. */
export function readPacked(written: Word, around: Around): Effects {
  if (isStream(written)) return [];
  if (!isOpen(written) && textsIn(written).every((name) => endOf(name) !== undefined)) return [];
  return ['.gz', '.z', '-gz', '-z', '_z', '.Z'].map((end) => file('read', append(written, end), around));
}

function endOf(name: string): (typeof unpacked)[number] | undefined {
  return unpacked.find(([end]) => end.test(name));
}

/** A trace file, or a command after `|` or `!`. */
export function readPipeOrFile(written: Word, around: Around): Effects {
  if (isUnknownStart(written) || /^[|!]/.test(startOf(written)))
    return `\`${writtenAs(written)}\` may be a command`;
  return [file('write', written, around)];
}

/** An operand of `lsof` or `fuser`: a port, or a file. */
export function readSocketOrFile(written: Word, around: Around): Effects {
  const isPort = /^(?::\d+|\d+\/(?:tcp|udp))$/.test(textOf(written) ?? '');
  return isPort ? [] : [{ ...file('list', written, around), isLook: true }, ...readSocket(written)];
}

/** Sockets for `lsof` and `fuser`: `TCP:80`, or with a host that is looked up, `@a.example:80` and `80,a.example`. */
export function readSocket(written: Word): readonly Effect[] {
  const known = textOf(written);
  const isPort = /^[46]?(?:tcp|udp)?:/i.test(startOf(written));
  return isPort || (known !== null && !/[@,]/.test(known)) ? [] : [connect(null)];
}

/** A name for `mktemp`, which replaces the last run of `X` by letters. */
export function readTemplate(written: Word, around: Around): Effects {
  if (!/X{3}[^/]*$/.test(textOf(written) ?? '')) return `what \`${writtenAs(written)}\` is a template for`;
  return [file('write', beside(written), around)];
}

/** A manual page by name; with a slash it is a file, which may include others. */
export function readManualPage(written: Word): Effects {
  return /^[\w.:@[+-]+$/.test(textOf(written) ?? '') ? [] : `\`${writtenAs(written)}\` may be a file`;
}
