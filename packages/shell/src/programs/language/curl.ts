import { startOf, textOf, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { dropStart } from '../words.js';
import { connect, file } from './make-effect.js';

/** What is sent: `@file`, `name@file`, or text. In what is printed, `%output{file}` is written. */
export function readAtFile(written: Word, around: Around): Effects {
  const name = /^[\w%]*@/.exec(startOf(written))?.[0];
  if (name !== undefined) return reading(dropStart(written, name.length), around);
  const known = textOf(written);
  // An unknown text may begin with `@` wherever its known start may be a name.
  if (known === null) return /^[\w%]*$/.test(startOf(written)) ? [file('read', written, around)] : [];
  if (!known.includes('%output{')) return [];
  const outputs = [...known.matchAll(/%output\{(?:>>)?([^}]*)\}/g)];
  return outputs.map(([, output = '']) => file('write', output, around));
}

/** A field of a form: `name=@file`, `name=<file`, `name=text`. */
export function readForm(written: Word, around: Around): Effects {
  const known = textOf(written);
  const start = /^[^=]*=[@<]/.exec(startOf(written))?.[0];
  if (known === null) return start === undefined ? 'a form that is unknown' : `a file of a form is unknown`;
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
