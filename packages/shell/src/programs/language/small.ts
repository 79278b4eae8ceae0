import { isOpen, startOf, text, textOf, textsIn, writtenAs } from '../../word.js';
import type { Languages } from '../effects.js';
import { dropStart, isPlain, isUnknownStart } from '../words.js';
import { capability, connect, file, load, readsVariable, shell } from './make-effect.js';

export const small: Languages = {
  /** An operand of `date`: a format, or the new time of the clock. */
  date: (written) => (startOf(written).startsWith('+') ? [] : [capability('sys.admin', { what: 'clock' })]),
  /** A time as `date` reads it. A time zone before it, `TZ="…"`, may name a file. */
  moment: (written) => {
    const isUnknown = isOpen(written) && !(written.kind === 'unknown' && isPlain(written));
    const isHarmless = isUnknown
      ? /^\s*[^T\s]/.test(startOf(written))
      : textsIn(written).every((time) => !/^\s*TZ="(?![A-Z][\w+-]*(?:\/[A-Z][\w+-]*){0,2}")/.test(time));
    return isHarmless ? [] : `\`${writtenAs(written)}\` may name the file of a time zone`;
  },
  /** Words for the headers of `tar`. A time in braces may name a file, or that of a time zone. */
  'pax-headers': (written) =>
    textOf(written)?.includes('{') === false ? [] : `\`${writtenAs(written)}\` may name the file of a time`,
  /** An extension of a certificate, in the form of the settings of `openssl`, which may name files and variables. */
  'certificate-extension': (written) =>
    /^(?:subjectAltName|keyUsage|extendedKeyUsage|basicConstraints|subjectKeyIdentifier) ?=[\w ,:;.*/@+-]*$/.test(
      textOf(written) ?? '',
    )
      ? []
      : `\`${writtenAs(written)}\` may name files or variables`,
  /** The name of a variable that `env` takes away. */
  unset: (written) => {
    const name = textOf(written);
    if (name === null) return `which variable \`${writtenAs(written)}\` is`;
    return [{ kind: 'variable', name, value: '', isUnset: true }];
  },
  /** An operand of `ps`: `e` among letters without a dash shows the environment of programs. */
  ps: (written) => {
    const known = textOf(written);
    return known !== null && (!/^[a-zA-Z]*e/.test(known) || known.includes('=')) ? [] : [readsVariable()];
  },
  /** A mode for `chmod`: set-user-id and set-group-id run a file as another user. */
  mode: (written) => {
    const parts = (textOf(written) ?? '').split(',');
    // rsync tells folders and files apart.
    const isHarmless = parts.every((each) => /^[DF]?(?:0*1?[0-7]{1,3}|[ugoarwxXt+=-]+)$/.test(each));
    return isHarmless ? [] : [capability('priv.escalate', { program: 'chmod' })];
  },
  /** A text for `less`, which reads more options behind `$`. */
  'less-text': (written) =>
    textOf(written)?.includes('$') === false ? [] : `\`${writtenAs(written)}\` may hold more options`,
  /** The text in which `envsubst` looks for the variables that it puts in. */
  'shell-format': (written) => {
    const known = textOf(written);
    const names = [...(known ?? '').matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => readsVariable(name));
    return known === null ? [readsVariable()] : names;
  },
  /** An operand of `kill`: the number of a process, or a job. */
  pid: (written) => {
    const known = textOf(written);
    const isNumber = known !== null && /^\d{1,9}$/.test(known);
    return [capability('proc.signal', isNumber ? { pid: Number(known) } : {})];
  },
  /** An operand of `sysctl`: a setting that is shown or, with `=`, changed. */
  sysctl: (written) => {
    const known = textOf(written);
    if (known === null || known.includes('=')) return [capability('sys.admin', { what: 'kernel' })];
    // A slash could leave the folder of settings.
    return /^[\w.-]+$/.test(known) ? [] : `the setting \`${known}\` is unknown`;
  },
  /** The action of `tar` at a checkpoint. */
  'tar-action': (written, around) => {
    const known = textOf(written);
    if (known !== null && /^(?:\.|dot|bell|totals)$/.test(known)) return [];
    return [shell(known?.startsWith('exec=') === true ? known.slice(5) : null, around)];
  },
  /** An operand of `dig`: a server, a flag, a type, or a name to resolve. */
  dns: (written) => {
    const start = startOf(written);
    if (/^\+t(?!ime|ries)[^=]*=/i.test(start)) return `the file of \`${writtenAs(written)}\` is read`;
    const isType = /^(?:[A-Z]+|IN|any|mx|ns|txt|a|aaaa|soa|cname|ptr|srv)$/.test(textOf(written) ?? '');
    if (start.startsWith('+') || isType) return [];
    const to = start.startsWith('@') ? dropStart(written, 1) : written;
    return [{ kind: 'connect', to, scheme: 'dns', port: 53 }];
  },
  /** `port:host:port`, optionally after an address. */
  forward: (written) => {
    const known = textOf(written) ?? '';
    const port = /^(?:(?:\[[^\]]*\]|[^:]*):)?(\d+):(?:\[[^\]]*\]|[^:]+):\d+$/.exec(known)?.[1];
    const number = Number(port ?? /^(\d+):\//.exec(known)?.[1]);
    return [capability('net.listen', number > 0 && number < 65_536 ? { port: number } : {})];
  },
  /** A package to install: a name from the registry, a URL, a repository, or a path whose code is run. */
  package: (written, around) => {
    const start = startOf(written);
    if (isUnknownStart(written)) return [load(written, around), connect(null)];
    const url = /^(?:[\w.@/[\]-]*(?:@| @ ))?(?:git\+)?(?=(?:https?|ssh|git|ftp):\/\/)/.exec(start)?.[0];
    if (url !== undefined) return [connect(dropStart(written, url.length))];
    if (/^(?:[./~]|file:|link:|portal:)/.test(start)) {
      const prefix = /^(?:file|link|portal):/.exec(start)?.[0] ?? '';
      return [load(dropStart(written, prefix.length), around)];
    }
    const known = textOf(written) ?? '';
    const repository = /^(?:(github|gitlab|bitbucket|gist):)?[\w.-]+\/[\w.-]+(?:#.*)?$/.exec(known);
    if (repository !== null) return [connect(text(`${repository[1] ?? 'github'}.com`))];
    const host = /^git@([^:/]+):/.exec(start)?.[1];
    return host === undefined ? [] : [connect(host)];
  },
  /**
   * A single `SELECT` for `sqlite3` that only computes. A view may run a command by `edit`, and a virtual table may read
   * any file, so a query of a table may do anything.
   */
  sqlite: (written) => {
    const known = textOf(written) ?? '';
    const statement = /^\s*(?:select|explain\s+select)\b([^;]*);?\s*$/i.exec(known)?.[1];
    const words = statement?.replace(/'[^']*'/g, "''").match(/[^\W\d]\w*/g) ?? [];
    const isComputed =
      statement !== undefined &&
      !/\n\.|["`[\]]|\/\*|--|\bin\b(?!\s*\()/i.test(known) &&
      words.every((word) => computing.has(word.toLowerCase()));
    return isComputed ? [] : 'its SQL may write, load and run';
  },
  /** A database of `sqlite3`, with the files that it keeps beside it. */
  'sqlite-file': (written, around) => {
    const known = textOf(written);
    if (known === null || /^file:/i.test(known)) return `which file \`${writtenAs(written)}\` is`;
    if (known === '' || known === ':memory:') return [];
    const beside = ['-journal', '-wal', '-shm'].map((end) => known + end);
    return [
      file('read', known, around),
      ...[known, ...beside].map((name) => file('write', name, around)),
      ...beside.map((name) => file('delete', name, around)),
    ];
  },
};

/** Functions and words of SQL that name no table. */
const computing = new Set(
  (
    'abs and as between case cast coalesce count date datetime distinct else end group_concat ifnull in instr integer ' +
    'is length like limit lower max min not null nullif or order printf real round select sqlite_version strftime ' +
    'substr sum text then time total trim typeof upper values when'
  ).split(' '),
);
