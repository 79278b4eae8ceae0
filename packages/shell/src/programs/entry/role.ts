import { ownMember } from '@ambit/core';
import type { Access } from '../../effect.js';

/** What a word means to a program, written as in `read`, `write/**`, `code:sh`, `connect:ssh/22`, `sys.admin:mounts`. */
export type Role =
  | { readonly kind: PlainKind }
  | PathRole
  /** `host:path` or `user@host:path` for another machine, otherwise a path. */
  | { readonly kind: 'remote'; readonly path: PathRole }
  /** A URL, `file:` included; otherwise a path. */
  | { readonly kind: 'url'; readonly path: PathRole }
  | { readonly kind: 'code'; readonly language: string }
  /** Code that comes through the standard input. */
  | { readonly kind: 'input'; readonly language: string }
  | { readonly kind: 'load'; readonly language: string | null }
  /**
   * This word and those that follow are a command: `open` if the standard input adds words, `nul` if a zero byte
   * ends each of these. A lister handles one that ends at `;`, with `{}` also at `{} +`.
   */
  | {
      readonly kind: 'command';
      readonly adds: 'nothing' | 'blanks' | 'nul';
      readonly until: 'end' | ';' | '{}';
    }
  /** This word and those that follow are read by the table's entry of this name and the word, or of the name and `*`. */
  | { readonly kind: 'entry'; readonly name: string }
  | { readonly kind: 'connect'; readonly scheme: string | null; readonly port: number | null }
  | { readonly kind: 'capability'; readonly name: string; readonly fact: string | null }
  | { readonly kind: 'opaque'; readonly why: string };

const plainKinds = [
  /** Text without an effect. */
  'value',
  /** Digits without an effect. A program reads any other text differently. */
  'number',
  /** The program itself interprets this word and all that follow. */
  'rest',
  /** The name of a program that is run. */
  'run',
  /** This word and those that follow are one text for the shell. */
  'shell',
  /** `NAME=value`, a variable for what is run. */
  'assignment',
  /** `name=value` or `name value`, looked up in the program's `keys`. */
  'key',
  /** The folder of later relative paths. */
  'folder',
  /** Text that stands for arguments in the words of a command (`xargs -I`). */
  'placeholder',
  /** How many words it puts in at once; a placeholder before it does not count. */
  'batch',
  /** Text that separates the words that it puts in. */
  'delimiter',
  /** The file with the words that it puts in, in place of its standard input. */
  'arguments',
] as const;
type PlainKind = (typeof plainKinds)[number];

export interface PathRole {
  readonly kind: 'path';
  readonly access: Access;
  readonly deep: boolean;
  /** Whether `-` stands for a standard stream. */
  readonly hasDash: boolean;
  /** Whether only existence is checked. */
  readonly isLook?: true;
  /** The changed property; for one file, the suffix of its name; for files below a folder, suffixes. */
  readonly what: string | null;
}

const paths: Readonly<Record<string, Pick<PathRole, 'access' | 'hasDash' | 'isLook'>>> = {
  read: { access: 'read', hasDash: true },
  file: { access: 'read', hasDash: false },
  list: { access: 'list', hasDash: false },
  exists: { access: 'list', hasDash: false, isLook: true },
  write: { access: 'write', hasDash: false },
  output: { access: 'write', hasDash: true },
  delete: { access: 'delete', hasDash: false },
  meta: { access: 'meta', hasDash: false },
};

/** The fact of a capability that a word fills. */
const subjects: Readonly<Record<string, string>> = {
  'env.read': 'variable',
  'env.set': 'variable',
  'code.eval': 'language',
  'message.send': 'to',
  'net.listen': 'port',
  'priv.escalate': 'program',
  'proc.exec': 'program',
  'proc.signal': 'program',
  'secret.read': 'secret',
  'sys.admin': 'what',
  'sys.guard': 'what',
  'sys.persist': 'what',
  'vcs.push': 'remote',
};

/** The names of roles, without details. */
export const roleNames: readonly string[] = [...Object.keys(paths), ...plainKinds, ...Object.keys(subjects)];

const pattern = /^([a-z]+(?:\.[a-z_]+)*)(\/\*\*)?(?:\|(remote|url))?(?::(.+))?$/;

export function role(text: string): Role | null {
  const [, name = '', below, elsewhere, detail = null] = pattern.exec(text) ?? [];
  const path = ownMember(paths, name);
  if (path !== undefined)
    return pathRole({ kind: 'path', ...path, deep: below !== undefined, what: detail }, elsewhere);
  if (below !== undefined || elsewhere !== undefined) return null;
  if (Object.hasOwn(subjects, name)) return { kind: 'capability', name, fact: detail };
  if (detail === null) return plainRole(name);
  return detailedRole(name, detail);
}

export function subjectOf(capability: string): string | null {
  return ownMember(subjects, capability) ?? null;
}

function pathRole(path: PathRole, elsewhere: string | undefined): Role {
  if (elsewhere === 'remote') return { kind: 'remote', path };
  return elsewhere === 'url' ? { kind: 'url', path } : path;
}

function plainRole(name: string): Role | null {
  const kind = plainKinds.find((each) => each === name);
  if (kind !== undefined) return { kind };
  if (name === 'load') return { kind: 'load', language: null };
  if (name === 'command') return { kind: 'command', adds: 'nothing', until: 'end' };
  return name === 'connect' ? { kind: 'connect', scheme: null, port: null } : null;
}

function detailedRole(name: string, detail: string): Role | null {
  if (name === 'code' || name === 'input' || name === 'load') return { kind: name, language: detail };
  if (name === 'opaque') return { kind: 'opaque', why: detail };
  if (name === 'entry') return { kind: 'entry', name: detail };
  if (name === 'command') {
    if (detail === ';' || detail === '{}') return { kind: 'command', adds: 'nothing', until: detail };
    if (detail !== 'open' && detail !== 'nul') return null;
    return { kind: 'command', adds: detail === 'nul' ? 'nul' : 'blanks', until: 'end' };
  }
  if (name !== 'connect') return null;
  const [scheme = '', port] = detail.split('/');
  return { kind: 'connect', scheme: scheme || null, port: port === undefined ? null : Number(port) };
}
