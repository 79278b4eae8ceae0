import type { Effect } from '../effect.js';
import { shapeOf } from '../number.js';
import { isOpen, startOf, text, textsIn, type Word } from '../word.js';
import type { Around, Effects } from './effects.js';
import type { Role } from './entry/role.js';
import { file } from './language/make-effect.js';
import { dropStart, isUnknownStart } from './words.js';

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Programs for another machine use `ssh`, whose settings may run commands. */
const startsShell: Effect = { kind: 'opaque', why: 'it starts ssh, which does what its settings say' };

/** A URL or, for `remote`, `host:path`; otherwise a path with the effect `local`. */
export function actOnAddress(kind: 'remote' | 'url', named: Word, local: (path: Word) => Effects): Effects {
  const start = startOf(named);
  const file = kind === 'url' ? fileOf(named) : null;
  if (file !== null) return local(file);
  // For programs that take `host:path`, most words before `://` are a host.
  if (kind === 'url' ? scheme.test(start) : /^rsync:\/\//i.test(start))
    return [{ kind: 'connect', to: named }];
  if (kind === 'remote' && /^(?:scp|sftp):\/\//i.test(start))
    return [{ kind: 'connect', to: named }, startsShell];
  if (kind === 'remote' && start.startsWith(':')) return 'it does not say which machine is meant';
  const host = kind === 'remote' ? /^[^/:]*(?:\[[^\]]*\])?[^/:]*(?=:)/.exec(start)?.[0] : undefined;
  if (host !== undefined && host !== '')
    return [{ kind: 'connect', to: withoutUser(text(host)) }, startsShell];
  const isHost = (each: string) => /^[^/]*:/.test(each);
  const isPath = shapeOf(named)?.includes(':') === false;
  const mayBeHost = (isOpen(named) && !isPath) || (named.kind === 'names' && textsIn(named).some(isHost));
  const isAnywhere = kind === 'remote' ? !start.includes('/') && mayBeHost : isUnknownStart(named);
  const effects = local(named);
  if (!isAnywhere || typeof effects === 'string') return effects;
  return [...effects, { kind: 'connect', to: null }, ...(kind === 'remote' ? [startsShell] : [])];
}

/** The path of a `file:` URL; null for any other word. */
function fileOf(named: Word): Word | null {
  const found = /^file:(?:\/\/(?:localhost)?(?=\/))?/i.exec(startOf(named))?.[0];
  return found === undefined ? null : dropStart(named, found.length);
}

/** A host, `host:port`, `user@host` or a URL. */
export function connect(
  { scheme: protocol, port }: Extract<Role, { kind: 'connect' }>,
  named: Word | null,
  around: Around,
): Effects {
  const path = named === null ? null : fileOf(named);
  if (path !== null) return [file('read', path, around)];
  return [
    {
      kind: 'connect',
      to: named === null ? null : withoutUser(named),
      ...(protocol !== null && { scheme: protocol }),
      ...(port !== null && { port }),
    },
  ];
}

function withoutUser(named: Word): Word {
  const start = startOf(named);
  const user = start.includes('://') ? undefined : /^[^/]*@/.exec(start)?.[0];
  return user === undefined ? named : dropStart(named, user.length);
}
