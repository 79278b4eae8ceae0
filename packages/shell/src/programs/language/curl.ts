import { startOf, text, textOf, type Word, writtenAs } from '../../word.js';
import { connect as connectTo } from '../address.js';
import type { Around, Effects, Languages } from '../effects.js';
import { dropStart } from '../words.js';
import { connect, file, fileOrStream } from './make-effect.js';

export const curl: Languages = {
  /** Data to send: `@file`, or text. */
  'at-file': (written, around) => {
    if (startOf(written).startsWith('@')) return fileOrStream('read', dropStart(written, 1), around);
    const isOpen = textOf(written) === null && startOf(written) === '';
    return isOpen ? [file('read', written, around)] : [];
  },
  /** The output format, or `@file` with one. It may write files by `%output{file}`. */
  'curl-format': (written, around) => {
    const known = textOf(written);
    if (known === null) return `the format \`${writtenAs(written)}\` is unknown`;
    if (known.startsWith('@')) return 'its format is somewhere else';
    const outputs = [...known.matchAll(/%output\{(?:>>)?([^}]*)\}/g)];
    return outputs.map(([, output = '']) => file('write', output, around));
  },
  /** A field of a form: `name=@file`, `name=<file`, `name=text`. */
  form: (written, around) => {
    const known = textOf(written);
    const start = /^[^=]*=[@<]/.exec(startOf(written))?.[0];
    if (known === null) return start === undefined ? 'a form that is unknown' : `a file of a form is unknown`;
    if (/;\s*headers=/i.test(known)) return 'a form with headers of its own';
    if (start === undefined) return /^[^=]*=\(/.test(known) ? 'a form of several parts' : [];
    const [names = '', ...about] = known.slice(start.length).split(';');
    if (/["\\]/.test(names)) return 'a form with quotes';
    // Each of several files has a type and a name of its own.
    if (start.endsWith('@') && about.some((each) => each.includes(','))) return 'a form of several files';
    const files = start.endsWith('@') ? names.split(',') : [names];
    return files.flatMap((name) => fileOrStream('read', text(name.trim()), around));
  },
  /** The digest of a key, or a file with the key. */
  'pinned-key': (written, around) =>
    startOf(written).startsWith('sha256//') ? [] : [file('read', written, around)],
  /** Cookies, or a file of them, perhaps after `@`. */
  cookie: (written, around) => {
    if (startOf(written).startsWith('@')) return fileOrStream('read', dropStart(written, 1), around);
    return startOf(written).includes('=') ? [] : fileOrStream('read', written, around);
  },
  /** `host:port:host:port`: connections to the first go to the second. */
  'connect-to': (written) => {
    const [, host] =
      /^(?:\[[^\]]*\]|[^:]*):[^:]*:(\[[^\]]*\]|[^:]*):[^:]*$/.exec(textOf(written) ?? '') ?? [];
    return host === '' ? [] : [connect(host ?? null)];
  },
  /** `host:port:address,address`. */
  resolve: (written) => {
    const known = textOf(written) ?? '';
    const [, addresses] = /^[+-]?(?:\[[^\]]*\]|[^:]*):\d*:(.+)$/.exec(known) ?? [];
    if (addresses === undefined) return known.startsWith('-') ? [] : [connect(null)];
    return addresses.split(',').map(connect);
  },
  /** The same where something is sent to it: a file is written. */
  'curl-target': (written, around) =>
    /^file:/i.test(startOf(written)) ? 'which file it writes is unknown' : readHost(written, around),
  /** A file that `curl` sends: `-` is the standard input, braces and brackets are several files. */
  'curl-upload': (written, around) => {
    const known = textOf(written);
    if (known !== null && /[{}[\]]/.test(known)) return `\`${known}\` stands for several files`;
    return known === '.' ? [] : fileOrStream('read', written, around);
  },
  /** An output file of `curl`: `#1` is a part of the URL. */
  'curl-output': (written, around) => {
    const known = textOf(written);
    if (known !== null && /#\d/.test(known)) return `a URL says where \`${known}\` is`;
    return fileOrStream('write', written, around);
  },
  /** `text`, `name=text`, `@file` or `name@file`. */
  'name-at-file': (written, around) => {
    const name = /^[^=@]*@/.exec(startOf(written))?.[0];
    if (name !== undefined) return fileOrStream('read', dropStart(written, name.length), around);
    const isOpen = textOf(written) === null && !startOf(written).includes('=');
    return isOpen ? `what \`${writtenAs(written)}\` sends is unknown` : [];
  },
  /** `file:password`. */
  'before-colon': (written, around) => {
    const known = textOf(written);
    if (known === null || known.includes('\\') || /^pkcs11:/i.test(known))
      return `which file \`${writtenAs(written)}\` names`;
    return [file('read', known.split(':')[0] ?? known, around)];
  },
  /** With spaces or line breaks, it would be another request. */
  'curl-method': (written) =>
    /^[a-z-]+$/i.test(textOf(written) ?? '') ? [] : `\`${writtenAs(written)}\` is not a method`,
  'curl-url': readUrl,
  /** The same where other options may change the path, the query or the site. */
  'curl-host': readHost,
};

function readHost(written: Word, around: Around): Effects {
  return anyUrl(readUrl(written, around));
}

function anyUrl(effects: Effects): Effects {
  if (typeof effects === 'string') return effects;
  return effects.map((effect) => (effect.kind === 'connect' ? { ...effect, isAnyUrl: true } : effect));
}

/** A URL for `curl`, which expands braces and brackets. */
function readUrl(written: Word, around: Around): Effects {
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
  const effects = connectTo({ kind: 'connect', scheme: null, port: null }, written, around);
  // Brackets in its path are several URLs.
  return isFile || !/[{}[\]]/.test(start) ? effects : anyUrl(effects);
}
