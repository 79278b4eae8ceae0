import type { Effect } from '../../effect.js';
import { isOpen, startOf, text, textOf, textsIn, type Word, writtenAs } from '../../word.js';
import type { Around, Effects, Languages } from '../effects.js';
import { append, isUnknownStart, mapWord } from '../words.js';
import { connect, file, fileOrStream, isStream, tree } from './make-effect.js';

export const names: Languages = {
  /** An operand of a compiler: a file, or `@` and a file of options. */
  'at-operand': (written, around) => {
    if (startOf(written).startsWith('@') || isUnknownStart(written))
      return 'a file of options says what it does';
    return fileOrStream('read', written, around);
  },
  /** A file that `py_compile` reads, and what it writes beside it. Each version of Python adds its own number. */
  'python-compiled': (written, around) => {
    const [, folder = '', name] = /^((?:.*\/)?)([^/]+)\.py$/.exec(textOf(written) ?? '') ?? [];
    if (name === undefined) return `what \`${writtenAs(written)}\` is compiled to is unknown`;
    const versions = Array.from({ length: 14 }, (_, index) => `cpython-3${index + 6}`);
    const outputs = versions.map((version) => `${folder}__pycache__/${name}.${version}.pyc`);
    return [file('read', written, around), ...outputs.map((output) => file('write', output, around))];
  },
  /** A file that is read, unless its name has a prefix with a special meaning. */
  'plain-operand': (written, around) => {
    if (isStream(written)) return [];
    return isPlain(written)
      ? [file('read', written, around)]
      : `what \`${writtenAs(written)}\` makes it do is unknown`;
  },
  /** A file that a new one replaces. Instead of a device it would take what others write there. */
  replaced: (written) =>
    textsIn(written).some((name) => name.startsWith('/dev/')) ? 'it replaces a device' : [],
  /** A compressed file, unpacked beside itself. Without a known suffix, another file may be meant. */
  unpacked: (written, around) => {
    if (isStream(written)) return [];
    if (isOpen(written) || textsIn(written).some((name) => endOf(name) === undefined))
      return `which file \`${writtenAs(written)}\` stands for`;
    const plain = mapWord(written, (name) => {
      const [end, rest] = endOf(name) ?? [/$/, ''];
      return name.replace(end, rest);
    });
    return [file('write', plain, around)];
  },
  /** A file that `bzip2` unpacks beside itself. */
  'unpacked-bzip2': (written, around) => {
    if (isStream(written)) return [];
    if (isOpen(written)) return `which file \`${writtenAs(written)}\` stands for`;
    const plain = mapWord(written, (name) =>
      /\.t?bz2?$/.test(name) ? name.replace(/\.bz2?$/, '').replace(/\.tbz2?$/, '.tar') : `${name}.out`,
    );
    return [file('write', plain, around)];
  },
  /** A file that `gzip` prints. Without a known suffix, a file with a suffix may be read. */
  packed: (written, around) => {
    if (isStream(written)) return [];
    if (!isOpen(written) && textsIn(written).every((name) => endOf(name) !== undefined)) return [];
    return ['.gz', '.z', '-gz', '-z', '_z', '.Z'].map((end) => file('read', append(written, end), around));
  },
  /** A trace file, or a command after `|` or `!`. */
  'pipe-or-file': (written, around) => {
    if (isUnknownStart(written) || /^[|!]/.test(startOf(written)))
      return `\`${writtenAs(written)}\` may be a command`;
    return [file('write', written, around)];
  },
  /** An operand of `lsof` or `fuser`: a port, or a file. */
  'socket-or-file': (written, around) => {
    const isPort = /^(?::\d+|\d+\/(?:tcp|udp))$/.test(textOf(written) ?? '');
    return isPort ? [] : [{ ...file('list', written, around), isLook: true }, ...readSocket(written)];
  },
  /** A manual page by name; with a slash it is a file, which may include others. */
  'man-page': (written) =>
    /^[\w.:@[+-]+$/.test(textOf(written) ?? '') ? [] : `\`${writtenAs(written)}\` may be a file`,
  socket: readSocket,
  /** The log file of `zip`. A name without a suffix gets one. */
  'zip-log': (written, around) => {
    const known = textOf(written);
    if (known === null) return `the name \`${writtenAs(written)}\` is unknown`;
    return [file('write', hasEnd(known) ? known : `${known}.log`, around)];
  },
  /** A file name for `7z`, which matches patterns itself. */
  '7z-member': (written) => {
    const known = textOf(written);
    return known === null || holdsPattern(known) ? `which files \`${writtenAs(written)}\` stands for` : [];
  },
  /** A folder in which `7z` unpacks: `*` stands for the name of the archive. */
  '7z-folder': (written, around) =>
    textOf(written)?.includes('*') === false
      ? [tree('write', written, around)]
      : `which folder \`${writtenAs(written)}\` is`,
  /** A package for `apt`: by its name, or a file, which `dpkg-deb` reads. */
  'deb-package': (written) =>
    /^[./]/.test(startOf(written)) || isUnknownStart(written)
      ? `\`${writtenAs(written)}\` may be the file of a package`
      : [],
  /** A kind of key for `openssl`, with the number of its bits, or with a file of parameters. */
  'kind-of-key': (written, around) => {
    const known = textOf(written);
    if (known === null) return `which file \`${writtenAs(written)}\` names`;
    const [, name] = /^(?!rsa:\d)[^:]*:([\s\S]*)$/i.exec(known) ?? [];
    if (name === undefined) return [];
    return isPlain(text(name)) ? [file('read', name, around)] : `what \`${known}\` makes it do is unknown`;
  },
  '7z-archive': readArchive('.7z'),
  '7z-name': readArchiveChanged('.7z'),
  'zip-archive': readArchive('.zip'),
  'zip-name': readArchiveChanged('.zip'),
};

function isPlain(written: Word): boolean {
  const known = textOf(written) ?? startOf(written);
  return known !== '' && /^[^:@|%[\]*?{}]*$/.test(known);
}

const unpacked: readonly (readonly [RegExp, string])[] = [
  [/\.t(?:gz|bz2|xz|zst|lz)$/, '.tar'],
  [/\.(?:gz|bz2|xz|zst|lz4|lz|lzma|br|Z)$/, ''],
];

function endOf(name: string): (typeof unpacked)[number] | undefined {
  return unpacked.find(([end]) => end.test(name));
}

/** Sockets for `lsof` and `fuser`: `TCP:80`, or with a host that is looked up, `@a.example:80` and `80,a.example`. */
function readSocket(written: Word): readonly Effect[] {
  const known = textOf(written);
  const isPort = /^[46]?(?:tcp|udp)?:/i.test(startOf(written));
  return isPort || (known !== null && !/[@,]/.test(known)) ? [] : [connect(null)];
}

type End = '.zip' | '.7z';

/** An archive that is created or changed. A name without a suffix gets one. */
function readArchiveChanged(end: End) {
  return (written: Word, around: Around): Effects => {
    const known = textOf(written);
    const isOfKind = end === '.7z' && around.reading?.given.has('-t') === true;
    // The test of `zip` puts the folder between quotes, for a shell.
    if (known === null || known.includes("'") || (isOfKind && !hasEnd(known)))
      return `the name of the archive \`${writtenAs(written)}\` is unknown`;
    if (known === '-') return [];
    const name = hasEnd(known) ? known : known + end;
    return [file('read', name, around), file('write', name, around)];
  };
}

/** An archive that is read: perhaps with a suffix, or matched by a pattern. */
function readArchive(end: End) {
  return (written: Word, around: Around): Effects => {
    const known = textOf(written);
    if (known === null || holdsPattern(known)) return `which archive \`${writtenAs(written)}\` stands for`;
    // `unzip a.b` reads `a.b.zip` where the other is missing.
    const ends = end === '.7z' && hasEnd(known) ? [''] : ['', end, end.toUpperCase()];
    return ends.map((each) => file('read', known + each, around));
  };
}

function hasEnd(name: string): boolean {
  return /\.[^/]*$/.test(name);
}

function holdsPattern(name: string): boolean {
  return /[*?[\]]/.test(name);
}
