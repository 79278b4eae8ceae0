import { resolve } from 'node:path';
import type { Effect } from '../../../effect.js';
import { text, textOf } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { pathEffects } from '../../options.js';
import { keep, ownFiles } from '../own-files.js';
import { isGiven, type Request } from '../request.js';
import { readReferences } from '../store/references.js';

/** Commands that reach another repository run programs: for SSH, for passwords, for received data. */
const startsPrograms: Effect = { kind: 'opaque', why: 'settings and hooks say what it starts' };

/** `git fetch`, `git pull`, `git ls-remote`. */
export function fetch(request: Request): ListerResult {
  const effects = remotesOf(request).flatMap((name) => connection(request, name, 'url'));
  const isKept = !isGiven(request, '--symref --heads --tags');
  const kept = isKept ? keep(request, 'objects', 'references') : [];
  return [...effects, ...ownFiles(request, 'write', 'FETCH_HEAD'), ...kept, startsPrograms];
}

/** `git push`: publishes branches. */
export function push(request: Request): ListerResult {
  const [remote = ''] = remotesOf(request);
  const branches = request.reading.operands.slice(1).map((word) => textOf(word));
  const [branch, ...others] = branches.map((each) => each?.replace(/^\+/, '').replace(/^.*:/, '') ?? null);
  const fact = branch === undefined || branch === null || others.length > 0 ? {} : { branch };
  const pushed: Effect = {
    kind: 'capability',
    capability: { name: 'vcs.push', ...(remote !== '' && { remote }), ...fact },
  };
  return [pushed, ...connection(request, remote, 'pushurl'), ...keep(request, 'references'), startsPrograms];
}

/** The chosen remotes, by name or URL; empty for an unknown one. */
function remotesOf(request: Request): readonly string[] {
  const { reading, settings, repository } = request;
  const [first] = reading.operands;
  if (first !== undefined) return [textOf(first) ?? ''];
  const names = settings.all.flatMap(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  if (isGiven(request, '--all --multiple -m') || reading.open !== null)
    return names.length === 0 ? [''] : names;
  if (!settings.areOfBranchesKnown) return [''];
  const head = repository === null ? null : readReferences(repository)?.head;
  const branch = head?.replace(/^refs\/heads\//, '') ?? '';
  const only = names.length === 1 ? names[0] : undefined;
  return [settings.get(`branch.${branch}.remote`) ?? only ?? 'origin'];
}

/** The capability of connecting to a remote: a host, or a local folder. */
function connection(request: Request, remote: string, kind: 'url' | 'pushurl'): readonly Effect[] {
  const { settings } = request;
  const named = settings.all.filter(({ key }) => key === `remote.${remote}.${kind}`);
  const urls = named.length > 0 ? named : settings.all.filter(({ key }) => key === `remote.${remote}.url`);
  // Other settings may replace the address.
  const isOther = settings.all.some(
    ({ key }) => key.startsWith('url.') || (/^(?:http|core\.gitproxy)/.test(key) && key.endsWith('proxy')),
  );
  const addresses = urls.length > 0 ? urls.map(({ value }) => value) : [remote];
  if (isOther) return [{ kind: 'connect', to: null }];
  return addresses.flatMap((address) => connectionTo(request, address));
}

function connectionTo({ folder, world }: Request, address: string): readonly Effect[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) && !/^file:/i.test(address))
    return [{ kind: 'connect', to: text(address) }];
  const host = /^(?!file:)(?:[^/:@]*@)?(\[[^\]]*\]|[^/:]+):(?!:)/i.exec(address)?.[1];
  if (host !== undefined) return [{ kind: 'connect', to: text(host), scheme: 'ssh', port: 22 }];
  if (!/^(?:[./~]|file:)/i.test(address)) return [{ kind: 'connect', to: null }];
  const path = address.replace(/^file:\/\//i, '');
  // Of a work tree, git reads nothing but its git folder.
  const isTree = world.listing.kind(resolve(folder, path, '.git')) === 'folder';
  const word = text(isTree ? `${path.replace(/\/$/, '')}/.git` : path);
  return pathEffects('read', [word], { deep: true });
}
