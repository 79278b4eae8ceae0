import { resolve } from 'node:path';
import type { Effect } from '../../../effect.js';
import { capability, connect } from '../../../programs/language/make-effect.js';
import { text, textOf } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { pathEffects } from '../../options.js';
import { keep, ownFiles } from '../own-files.js';
import { isGiven, type Request } from '../request.js';
import { readReferences } from '../store/references.js';
import { isSwitched } from '../work/index-memory.js';

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
  const remotes = remotesOf(request, true);
  const remote = remotes.length === 1 ? remotes[0] : '';
  const branches = request.reading.operands.slice(1).map((word) => textOf(word));
  const [branch, ...others] = branches.map((each) => each?.replace(/^\+/, '').replace(/^.*:/, '') ?? null);
  const fact = branch === undefined || branch === null || others.length > 0 ? {} : { branch };
  const pushed = capability('vcs.push', { ...(remote !== '' && { remote }), ...fact });
  const connections = remotes.flatMap((name) => connection(request, name, 'pushurl'));
  return [pushed, ...connections, ...keep(request, 'references'), startsPrograms];
}

/** The remotes that it uses, by name or URL; after a switch of the line, those of every branch. Empty for an unknown one. */
function remotesOf(request: Request, isPush = false): readonly string[] {
  const { reading, settings, repository, world } = request;
  const [first] = reading.operands;
  if (first !== undefined) return [textOf(first) ?? ''];
  const names = settings.all.flatMap(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  if (isGiven(request, '--all --multiple -m') || reading.open !== null)
    return names.length === 0 ? [''] : names;
  if (!settings.areOfBranchesKnown || repository === null) return [''];
  const head = readReferences(repository)?.head;
  const own = (key: string) => settings.get(`branch.${head?.replace(/^refs\/heads\//, '') ?? ''}.${key}`);
  const ofPush = isPush ? settings.get('remote.pushdefault') : null;
  const otherwise = ofPush ?? (names.length === 1 && names[0] ? names[0] : 'origin');
  if (!isSwitched(world.changes, repository))
    return [(isPush ? own('pushremote') : null) ?? ofPush ?? own('remote') ?? otherwise];
  const ofBranches = settings.all.filter(({ key }) => /^branch\..+\.(?:push)?remote$/s.test(key));
  return [...new Set([...ofBranches.map(({ value }) => value), otherwise])];
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
  if (isOther) return [connect(null)];
  return addresses.flatMap((address) => connectionTo(request, address));
}

function connectionTo({ folder, world }: Request, address: string): readonly Effect[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) && !/^file:/i.test(address)) return [connect(address)];
  const host = /^(?!file:)(?:[^/:@]*@)?(\[[^\]]*\]|[^/:]+):(?!:)/i.exec(address)?.[1];
  if (host !== undefined) return [{ kind: 'connect', to: text(host), scheme: 'ssh', port: 22 }];
  if (!/^(?:[./~]|file:)/i.test(address)) return [connect(null)];
  const path = address.replace(/^file:\/\//i, '');
  // Of a work tree, git reads nothing but its git folder.
  const isTree = world.listing.kind(resolve(folder, path, '.git')) === 'folder';
  const word = text(isTree ? `${path.replace(/\/$/, '')}/.git` : path);
  return pathEffects('read', [word], { deep: true });
}
