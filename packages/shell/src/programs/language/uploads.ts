import { startOf, textOf, type Word, writtenAs } from '../../word.js';
import { connect as connectTo } from '../address.js';
import type { Around, Effects } from '../effects.js';
import { dropStart } from '../words.js';
import { file } from './make-effect.js';

/** A URL for `curl`, which expands braces and brackets. */
export function readUrl(written: Word, around: Around): Effects {
  const start = startOf(written);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/?/i.exec(start)?.[0] ?? '';
  // Others read settings and keys: `scp:`, `ldap:`.
  if (scheme !== '' && !/^(?:https?|ftps?|wss?|file):/i.test(scheme)) return `what \`${scheme}\` reads`;
  const known = textOf(written);
  if (known === null && (scheme === '' || !/^[^{[]*\//.test(start.slice(scheme.length))))
    return `which URL \`${writtenAs(written)}\` is`;
  const isFile = /^file:/i.test(start);
  if (isFile && !/^file:\/\/(?:localhost)?\/[^%?#{}[\]\\]*$/i.test(known ?? '')) return 'which file it is';
  const [host = ''] = start.slice(scheme.length).split(/[/?#]/);
  const isPattern = /[{}[\]]/.test(host.replace(/^(?:[^@]*@)?\[[0-9a-f:.]+\]/i, ''));
  if (isPattern || /^@|[\s\\]/.test(start)) return `\`${writtenAs(written)}\` is not one URL`;
  return connectTo({ kind: 'connect', scheme: null, port: null }, written, around);
}

/** The same for data that is sent to it: a file is written. */
export function readTarget(written: Word, around: Around): Effects {
  return /^file:/i.test(startOf(written)) ? 'which file it writes' : readUrl(written, around);
}

/** A file that `curl` sends: `-` is the standard input, braces and brackets are several files. */
export function readUploaded(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known !== null && /[{}[\]]/.test(known)) return `\`${known}\` stands for several files`;
  return ['', '-', '.'].includes(known ?? '?') ? [] : [file('read', written, around)];
}

/** An output file of `curl`: `#1` is a part of the URL. */
export function readOutputName(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known !== null && /#\d/.test(known)) return `a URL says where \`${known}\` is`;
  return ['', '-'].includes(known ?? '?') ? [] : [file('write', written, around)];
}

/** `text`, `name=text`, `@file` or `name@file`. */
export function readNameAtFile(written: Word, around: Around): Effects {
  const name = /^[^=@]*@/.exec(startOf(written))?.[0];
  if (name !== undefined) return named(dropStart(written, name.length), around);
  const isOpen = textOf(written) === null && !startOf(written).includes('=');
  return isOpen ? `what \`${writtenAs(written)}\` sends is unknown` : [];
}

/** `file:password`. */
export function readBeforeColon(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null || known.includes('\\') || /^pkcs11:/i.test(known))
    return `which file \`${writtenAs(written)}\` names`;
  return [file('read', known.split(':')[0] ?? known, around)];
}

function named(name: Word, around: Around): Effects {
  return ['', '-'].includes(textOf(name) ?? '?') ? [] : [file('read', name, around)];
}
