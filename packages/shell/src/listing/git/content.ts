import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathFact } from '@ambit/core';
import type { Effect } from '../../effect.js';
import { joined } from '../../files/listing.js';
import { mayHaveChanged, mayHaveChangedBelow } from '../../world.js';
import { type Arguments, readArguments } from './arguments.js';
import { hasLost, idsNamed, mayBeAnyId, mayBeStaged, withNamed } from './lost.js';
import { stashOf } from './own-files.js';
import { isGiven, isHead, type Request } from './request.js';
import { settingOf } from './settings/settings.js';
import { difference, everything, History } from './store/history.js';
import { readIndex } from './store/index-file.js';
import { Objects, UnknownObject } from './store/objects.js';
import { type References, readReferences } from './store/references.js';
import { resolveRevision } from './store/revision.js';
import { isSecret } from './store/secret-names.js';
import { addedToIndex, headsAfter } from './work/index-memory.js';

/** The part of the history that a command shows. */
export interface Past {
  readonly history: History;
  readonly references: References;
  readonly arguments: Arguments;
  /** The object that a revision names; null if unknown. */
  resolve(text: string): string | null;
  /** Whether certainly no revision has a name in this text, as in `NAME`, `NAME~2` and `A..NAME`. */
  lacks(text: string): boolean;
  /** Whether the operands have the id of an object to which no name leads. */
  isLost(): boolean;
  /** Well-known secrets anywhere in history, and in what the operands name by ids, by paths below the work tree. */
  everything(): ReadonlySet<string>;
  /** Well-known secrets in the index. */
  staged(): ReadonlyMap<string, string>;
}

/** The well-known secrets that a command shows, by paths; null for no history. May throw `UnknownObject`. */
export type Shows = (past: Past) => Iterable<string> | null;

/** Secrets of whole histories, kept between calls, by all that may change what is reachable. */
const kept = new Map<string, ReadonlySet<string>>();
const mostKept = 50;

const anyId = 'an id may be that of any file that was staged once';

/**
 * The capabilities of showing content from history. Unknown history shows the named files alone if each revision is a commit:
 * a folder or a file by itself is shown whatever files are named.
 */
export function shown(request: Request, shows: Shows, isCommit = isHead): readonly Effect[] {
  const { repository, settings, world, folder } = request;
  if (repository === null) return [];
  const base = repository.tree ?? repository.own;
  const homes = world.roots.homes;
  // It also shows former names of a file, or all that a commit changes.
  const isWider = isGiven(request, '--follow --full-diff') || settingOf(settings, 'log.follow') !== null;
  const found = withPast(request, (past) => {
    const { spec, revisions } = past.arguments;
    // `REVISION:path`
    const files = revisions.flatMap((text) => /^(?::[0-3](?=:)|[^:]*):([^/].*)$/s.exec(text)?.[1] ?? []);
    const inside = files.map((path) => relative(base, resolve(/^\.\.?\//.test(path) ? folder : base, path)));
    const named = [...(spec.named ?? []), ...inside].filter((path) => isSecret(joined(base, path), homes));
    const paths = shows(past);
    if (paths === null) return [];
    const secrets = [...named, ...[...paths].filter((path) => isWider || spec.matches(path))];
    const lost: readonly Effect[] = mayBeAnyId(request) ? [{ kind: 'opaque', why: anyId }] : [];
    return [readOf(base, past.arguments, isWider), ...secretsRead(base, secrets), ...lost];
  });
  if (found !== null) return found;
  const read = readArguments(request, () => true);
  if (read === null) return [];
  const named = read.spec.named ?? [];
  const areFiles =
    !isWider &&
    [...read.revisions, 'HEAD'].every(isCommit) &&
    named.length > 0 &&
    named.every((path) => world.listing.kind(joined(base, path)) === 'file');
  const unknown: readonly Effect[] = areFiles ? [] : [secretRead({ secret: 'git history' })];
  const secrets = named.filter((path) => isSecret(joined(base, path), homes));
  return [readOf(base, read, isWider), ...secretsRead(base, secrets), ...unknown];
}

/** Reads the history of a repository; null if a part of it is unknown. */
export function withPast<Result>(request: Request, look: (past: Past) => Result | null): Result | null {
  const { repository, world } = request;
  if (repository === null) return null;
  let objects: Objects | null = null;
  try {
    objects = new Objects(repository.common);
    const references = readReferences(repository);
    if (references === null) return null;
    const history = new History(objects, repository.tree ?? repository.own, world.roots.homes);
    const past = pastOf(request, { references, history });
    return past === null ? null : look(past);
  } catch (error) {
    if (error instanceof UnknownObject) return null;
    throw error;
  } finally {
    objects?.close();
  }
}

function pastOf(
  request: Request,
  { references, history }: Pick<Past, 'references' | 'history'>,
): Past | null {
  const { repository, world } = request;
  if (repository === null) return null;
  const stash = new Set(stashOf(repository));
  const { tags } = world.changes;
  const isStashed = [...world.changes.created].some((path) => stash.has(path));
  const created = new Set([...world.changes.created].filter((path) => !stash.has(path) && !tags.get(path)));
  const isChanged = ['HEAD', 'refs', 'packed-refs', 'logs'].some((name) =>
    [repository.own, repository.common].some((folder) =>
      mayHaveChangedBelow(`${folder}/${name}`, { ...world.changes, created }),
    ),
  );
  const isMoved = isChanged || tags.size > 0;
  // To stash also writes `ORIG_HEAD`, and the logs of other references.
  const isSwitched = headsAfter(world.changes, `${repository.own}/index`)?.length !== 0;
  // Git prefers a file of the git folder to the tag or branch of that name.
  const isFile = (text: string) => mayHaveChanged(`${repository.own}/${nameIn(text)}`, world.changes);
  const mayDiffer = (text: string) =>
    isMoved ||
    isFile(text) ||
    (isStashed && /stash|ORIG_HEAD|@\{\d/.test(text)) ||
    (isSwitched && /^(?:HEAD|@|-)|@\{/.test(text));
  const resolve = (text: string) => {
    const tag = `refs/tags/${nameIn(text)}`;
    const id = isChanged ? null : tags.get(`${repository.common}/${tag}`);
    if (id && !isFile(text))
      return resolveRevision(text, { ...references, byName: new Map([[tag, id]]) }, history.objects);
    return mayDiffer(text) ? null : resolveRevision(text, references, history.objects);
  };
  const lacks = (text: string) =>
    partsOf(text).some((part) => {
      const name = part.replace(/[~^][~^\d]*$/, '');
      return (
        plainName.test(name) &&
        !mayDiffer(name) &&
        // A stopped rebase keeps ids in files of its own.
        ![repository.own, repository.common].some((folder) => existsSync(`${folder}/${name}`)) &&
        resolveRevision(name, references, history.objects) === null
      );
    });
  const staged = () => stagedSecrets(request, () => everythingOf(request, { references, history }));
  const logged = new Set([...references.logged, ...idsNamed(request, history)]);
  const isLost = () => logged.size > references.logged.size && hasLost(history, references, logged);
  const all = () =>
    new Set([
      ...everythingOf(request, { references: withNamed(history, references, logged), history }),
      ...(isMoved || isStashed || isSwitched || mayBeStaged(request) ? staged().keys() : []),
    ]);
  const read = readArguments(request, (text) => mayDiffer(text) || isRevision(text, resolve));
  return read === null
    ? null
    : { history, references, arguments: read, resolve, lacks, isLost, everything: all, staged };
}

/** The name in a revision: `v1` in `v1~2`. */
function nameIn(text: string): string {
  return /^[^~^:@{}]*/.exec(text)?.[0] ?? '';
}

/** The sides of `A..B`. */
function partsOf(text: string): readonly string[] {
  return text.replace(/^\^/, '').split(/\.{2,3}/);
}

/** A name that is neither an id, nor a part of one, nor a name that git makes up. */
const plainName = /^(?=.*[g-z])(?!.*-g[\da-f]{4,}$)(?!(?:main-)?worktrees?\/)[a-z][\w./-]*$/;

/** Shows nothing if git certainly refuses the command, because an operand is neither a revision nor a file. */
export function ofNamed(request: Request, shows: Shows): Shows {
  const isRefusing = request.reading.open === null && !isGiven(request, '--ignore-missing');
  return (past) => (isRefusing && past.arguments.missing.some((text) => past.lacks(text)) ? [] : shows(past));
}

function isRevision(text: string, resolve: (text: string) => string | null): boolean {
  const parts = partsOf(text);
  return parts.every((part) => {
    const name = part.replace(/\^(?:@|!|-\d*)$/, '').replace(/(?<=.):[\s\S]*$/, '');
    return name === '' ? parts.length > 1 : resolve(name) !== null || /^:|@\{/.test(name);
  });
}

function everythingOf(
  { repository, world }: Request,
  { references, history }: Pick<Past, 'references' | 'history'>,
): ReadonlySet<string> {
  const [names, ends] = [references.logged, history.objects.shallow].map((ids) => [...ids].sort().join('\n'));
  const place = [repository?.common, repository?.tree, ...world.roots.homes].join('\n');
  const key = hash('sha256', `${place}\n\n${names}\n\n${ends}`);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = everything(history, references);
  if (history.isPartial) return found;
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
  kept.set(key, found);
  return found;
}

/** Secrets in the index. Those that earlier commands may have put there have an unknown content, an empty id. */
function stagedSecrets(
  { repository, world }: Request,
  others: () => ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const index = repository === null ? null : readIndex(`${repository.own}/index`);
  const base = repository?.tree ?? '/';
  if (index === null || repository === null || mayHaveChangedBelow(`${repository.own}/index`, world.changes))
    throw new UnknownObject('the index');
  const added = addedToIndex(world.changes, `${repository.own}/index`) ?? others();
  const all = [...index.entries, ...[...added].map((path) => ({ path, id: '' }))];
  const secrets = all.filter(({ path }) => isSecret(joined(base, path), world.roots.homes));
  return new Map(secrets.map(({ path, id }) => [path, id]));
}

function readOf(base: string, read: Arguments, isWider: boolean): Effect {
  const [revision, ...others] = read.revisions;
  const fact = revision === undefined || others.length > 0 ? {} : { revision };
  const named = read.spec.named?.map((path) => (path === '' ? base : joined(base, path))) ?? [];
  const path = named.length === 0 ? {} : { path: pathFact(named, { open: isWider, under: base }) };
  return { kind: 'capability', capability: { name: 'vcs.read', ...path, ...fact } };
}

/** Well-known secrets below the work tree that are read from history. */
export function secretsRead(base: string, paths: Iterable<string>): readonly Effect[] {
  const all = [...paths].map((path) => joined(base, path));
  return all.length === 0 ? [] : [secretRead({ path: pathFact(all) })];
}

function secretRead(fact: { path: ReturnType<typeof pathFact> } | { secret: string }): Effect {
  return { kind: 'capability', capability: { name: 'secret.read', ...fact } };
}

/** What the changes of commits show: `git log -p`, `git show`. */
export function* changesOf(past: Past, ids: Iterable<string>): Generator<string> {
  for (const id of ids) yield* past.history.inChange(id);
}

/** The commits of `A`, `A..B`, `^A B`, `A...B`; null if unknown. */
export function commitsOf(past: Past, revisions: readonly string[]): ReadonlySet<string> | null {
  const [wanted, left]: [string[], string[]] = [[], []];
  for (const text of revisions) {
    const [first = '', second] = text.split('..');
    if (text.includes('...')) {
      const [one, other] = sidesOf(past, text) ?? [];
      if (one === undefined || other === undefined) return null;
      wanted.push(one, other);
      left.push(...mergeBases(past, one, other));
      continue;
    }
    const names = second === undefined ? [text] : [`^${first || 'HEAD'}`, second || 'HEAD'];
    for (const name of names) {
      const id = past.resolve(name.replace(/^\^/, ''));
      if (id === null) return null;
      (name.startsWith('^') ? left : wanted).push(id);
    }
  }
  if (wanted.length === 0) return null;
  const excluded = past.history.commitsFrom(left);
  return new Set([...past.history.commitsFrom(wanted)].filter((id) => !excluded.has(id)));
}

/** Well-known secrets that differ between two sides; null if unknown. */
export function between(past: Past, text: string): ReadonlySet<string> | null {
  const { history } = past;
  const found = pairsOf(past, text)?.flatMap(([before, after]) => [
    ...difference(history.inRevision(before), history.inRevision(after)),
  ]);
  return found === undefined ? null : new Set(found);
}

/** What `git diff` compares for `A..B`, and for `A...B`, where it starts at a merge base; null if unknown. */
export function pairsOf(past: Past, text: string): readonly (readonly [string, string])[] | null {
  const [before, after] = sidesOf(past, text) ?? [];
  if (before === undefined || after === undefined) return null;
  const starts = text.includes('...') ? mergeBases(past, before, after) : [before];
  return starts.map((start) => [start, after]);
}

function sidesOf(past: Past, text: string): readonly [string, string] | null {
  const [first = '', second = ''] = text.split(/\.{2,3}/);
  const [before, after] = [past.resolve(first || 'HEAD'), past.resolve(second || 'HEAD')];
  return before === null || after === null ? null : [before, after];
}

/** The newest common ancestors of two commits. */
export function mergeBases({ history }: Past, one: string, other: string): readonly string[] {
  const first = history.commitsFrom([one]);
  const common = [...history.commitsFrom([other])].filter((id) => first.has(id));
  const inner = new Set(common.flatMap((id) => history.objects.commit(id).parents));
  return common.filter((id) => !inner.has(id));
}
