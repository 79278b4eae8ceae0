import { startOf, text, textOf, type Word, writtenAs } from '../../word.js';
import type { Around, Effects, Languages } from '../effects.js';
import { dropStart } from '../words.js';
import { readCommand } from './command.js';
import { connect, shell, tree } from './make-effect.js';

/** Parts of a format that start a program, perhaps with a sign for blanks before the name: `%+G?`. Or an order: `-signature`. */
export const partsThatRun = /%[-+ ]?(?:G|\(\*?(?:signature|describe))|^-?(?:v(?:ersion)?:)?\*?signature/;

/** A setting that is switched off. */
export const off = /^(?:|false|no|off|0)$/i;

export const git: Languages = {
  /** A setting that is a switch, or else a command. */
  switch: (written, around) => {
    const isSwitch = /^(?:true|false|yes|no|on|off|[01])?$/i.test(textOf(written) ?? '?');
    return isSwitch ? [] : readCommand(written, around);
  },
  /** A helper for credentials: a program `git-credential-NAME`, a path, or after `!` a command. */
  helper: (written, around) => {
    const known = textOf(written);
    if (known === '') return [];
    if (known === null || known.startsWith('!')) return [shell(known?.slice(1) ?? null, around)];
    return readCommand(known.startsWith('/') ? written : text(`git-credential-${known}`), around);
  },
  /** A URL, `host:path`, a path, or the name of a remote. `NAME::address` runs `git-remote-NAME`. */
  'git-remote': (written, around) => {
    const start = startOf(written);
    if (start.includes('::')) return `a helper of git reads \`${writtenAs(written)}\``;
    if (/^file:\/\//i.test(start)) return local(dropStart(written, 7), around);
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(start)) return [connect(written)];
    const host = /^(?:[^/:@]*@)?(\[[^\]]*\]|[^/:]+):/.exec(start)?.[1];
    if (host !== undefined) return [{ kind: 'connect', to: text(host), scheme: 'ssh' }];
    if (textOf(written) === null) return `which repository \`${writtenAs(written)}\` is`;
    return /^(?:[./]|$)/.test(start) ? local(written, around) : [connect(null)];
  },
  /** A format of commits or names: some parts of it run a program for signatures. */
  'git-format': (written) => {
    const known = textOf(written);
    if (known === null) return `the format \`${writtenAs(written)}\` is unknown`;
    if (/(?:%\(|^-?(?:v(?:ersion)?:)?)\*?raw/.test(known))
      return 'its format shows the content of objects without a name';
    return partsThatRun.test(known) ? 'its format runs a program for signatures' : [];
  },
  /** A setting that may start a program, unless the setting is off. */
  off: (written) => {
    return off.test(textOf(written) ?? '?') ? [] : `the setting \`${writtenAs(written)}\` starts a program`;
  },
};

function local(written: Word, around: Around): Effects {
  return [tree('read', written, around), tree('write', written, around)];
}
