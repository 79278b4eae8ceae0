import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word, word } from '../../word.js';
import { within, written } from '../words.js';
import { admin } from './effect-of.js';

/** An operand of `date`: a format, or the time that the clock is set to. */
export function readDate(text: Word): readonly Effect[] {
  return startOf(text).startsWith('+') ? [] : [admin('clock')];
}

/** An operand of `ps`: with `e` among letters without a dash, the environment of programs is shown. */
export function readPs(text: Word): readonly Effect[] {
  const known = textOf(text);
  if (known !== null && !/^[a-zA-Z]*e/.test(known)) return [];
  if (known?.includes('=') === true) return [];
  return [{ kind: 'capability', capability: { name: 'env.read' } }];
}

/** A mode for `chmod`: with it, a file may run as somebody else. */
export function readMode(text: Word): readonly Effect[] {
  const known = textOf(text);
  if (known !== null && /^0*[0-7]{1,3}$/.test(known)) return [];
  if (known !== null && !/^\d+$/.test(known) && !/[+=][rwxX]*s/.test(known)) return [];
  if (known !== null && /^0*1[0-7]{3}$/.test(known)) return [];
  return [{ kind: 'capability', capability: { name: 'priv.escalate', program: 'chmod' } }];
}

/** The name of a variable, which the shell evaluates where it has an index. */
export function readName(text: Word): readonly Effect[] {
  const known = textOf(text);
  if (known !== null && /^[A-Za-z_]\w*(?:\[(?:\d+|@|\*)\])?$/.test(known)) return [];
  return [{ kind: 'opaque', text: written(text), why: 'the index of a variable is evaluated' }];
}

/** A compressed file, unpacked beside itself. */
export function readUnpacked(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === '-') return [];
  const plain =
    known === null
      ? null
      : known.replace(/\.t(?:gz|bz2|xz|zst)$/, '.tar').replace(/\.(?:gz|bz2|xz|zst|lz4|lz|lzma|br|Z)$/, '');
  if (plain !== null) return [{ kind: 'path', access: 'write', word: within(folder, word(plain)) }];
  return [
    {
      kind: 'path',
      access: 'write',
      word: within(folder, { parts: [startOf(text), { kind: 'text', text: written(text) }] }),
    },
  ];
}

/** An operand of `kill`: the number of a process, or a job. */
export function readPid(text: Word): readonly Effect[] {
  const known = textOf(text);
  const pid = known !== null && /^\d{1,9}$/.test(known) ? { pid: Number(known) } : {};
  return [{ kind: 'capability', capability: { name: 'proc.signal', ...pid } }];
}

/** An operand of `sysctl`: a setting that is shown or, with `=`, made. */
export function readSysctl(text: Word): readonly Effect[] {
  const known = textOf(text);
  return known !== null && !known.includes('=') ? [] : [admin('kernel')];
}
