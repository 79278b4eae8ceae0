import { startOf, textOf, type Word, writtenAs } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { dropStart } from '../words.js';
import { connect, file } from './make-effect.js';

/** Data to send: `@file`, or text. */
export function readAtFile(written: Word, around: Around): Effects {
  if (startOf(written).startsWith('@')) return reading(dropStart(written, 1), around);
  const isOpen = textOf(written) === null && startOf(written) === '';
  return isOpen ? [file('read', written, around)] : [];
}

/** The output format, or `@file` with one. It may write files by `%output{file}`. */
export function readFormat(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null) return `the format \`${writtenAs(written)}\` is unknown`;
  if (known.startsWith('@')) return 'its format is somewhere else';
  const outputs = [...known.matchAll(/%output\{(?:>>)?([^}]*)\}/g)];
  return outputs.map(([, output = '']) => file('write', output, around));
}

/** A field of a form: `name=@file`, `name=<file`, `name=text`. */
export function readForm(written: Word, around: Around): Effects {
  const known = textOf(written);
  const start = /^[^=]*=[@<]/.exec(startOf(written))?.[0];
  if (known === null) return start === undefined ? 'a form that is unknown' : `a file of a form is unknown`;
  if (/;\s*headers=/i.test(known)) return 'a form with headers of its own';
  if (/;\s*headers=[@<]/.test(known)) return 'a file of headers of a form';
  if (start === undefined) return /^[^=]*=\(/.test(known) ? 'a form of several parts' : [];
  const [names = ''] = known.slice(start.length).split(';');
  if (/["\\]/.test(names)) return 'a form with quotes';
  return names
    .split(',')
    .flatMap((name) => (name === '' || name === '-' ? [] : [file('read', name, around)]));
}

/** Cookies, or a file of them. */
export function readCookie(written: Word, around: Around): Effects {
  return startOf(written).includes('=') ? [] : reading(written, around);
}

function reading(name: Word, around: Around): Effects {
  return ['', '-'].includes(textOf(name) ?? '?') ? [] : [file('read', name, around)];
}

/** `host:port:host:port`: connections to the first go to the second. */
export function readConnectTo(written: Word): Effects {
  const [, host] = /^(?:\[[^\]]*\]|[^:]*):[^:]*:(\[[^\]]*\]|[^:]*):[^:]*$/.exec(textOf(written) ?? '') ?? [];
  return host === '' ? [] : [connect(host ?? null)];
}

/** `host:port:address,address`. */
export function readResolve(written: Word): Effects {
  const known = textOf(written) ?? '';
  const [, addresses] = /^[+-]?(?:\[[^\]]*\]|[^:]*):\d*:(.+)$/.exec(known) ?? [];
  if (addresses === undefined) return known.startsWith('-') ? [] : [connect(null)];
  return addresses.split(',').map(connect);
}
