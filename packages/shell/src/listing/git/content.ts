import { existsSync } from 'node:fs';
import { pathFact } from '@ambit/core';
import type { Effect } from '../../effect.js';
import { joinPath } from '../../files/listing.js';
import { capability } from '../../programs/language/make-effect.js';
import { type Changes, mayExist, mayHaveChanged, mayHaveChangedBelow } from '../../world.js';
import { type Arguments, pathIn, readArguments } from './arguments.js';
import { everythingOf } from './everything.js';
import { hasLost, idsNamed, mayBeAnyId, mayBeStaged, withNamed } from './lost.js';
import { stashOf } from './own-files.js';
import { isGiven, isHead, type Request } from './request.js';
import { nameIn, partsOf, plainName, upstream, withUpstream } from './revisions.js';
import { History } from './store/history.js';
import { indexFile, readIndex } from './store/index-file.js';
import { type Objects, UnknownObject, UnreadObject, withObjects } from './store/objects.js';
import { type References, readReferences } from './store/references.js';
import type { Repository } from './store/repository.js';
import { resolveRevision } from './store/revision.js';
import { isSecret } from './store/secret-names.js';
import { changeOfIndex, isOverwritten } from './work/index-memory.js';

/** The part of the history that a command shows. */
export interface Past {
  readonly history: History;
  readonly references: References;
  readonly arguments: Arguments;
  /** The commits of which one is `HEAD`; null if unknown. */
  readonly heads: readonly string[] | null;
  /** The object that a revision names; null if unknown, as the revision itself may be. */
  resolve(text: string | null | undefined): string | null;
  /** What a revision was when the line began, if that has only added commits; otherwise null. */
  before(text: string): string | null;
  /** Whether the line may have moved or made a reference. */
  readonly isMoved: boolean;
  /** Whether this text is certainly not a revision: as `NAME`, in `NAME~2`, or in `A..NAME`. */
  lacks(text: string): boolean;
  /** Whether a revision, or each side of a range, is certainly a commit. */
  isCommit(text: string): boolean;
  /** Whether the operands have the id of an object to which no name leads. */
  isLost(): boolean;
  /** Well-known secrets anywhere in history, and in what the operands name by ids, by paths below the work tree. */
  everything(): ReadonlySet<string>;
  /** Well-known secrets in the index. */
  staged(): ReadonlyMap<string, string>;
}

/**
 * The well-known secrets that a command shows, by paths. Null if they are unknown, and any may be among them; undefined if it
 * shows no history. May throw `UnknownObject`.
 */
export type Shows = (past: Past) => Iterable<string> | null | undefined;

const asText = 'it shows binary files as texts, and an archive among them may hold a secret';
const anyId = 'an id may be that of any file that was staged once';

/**
 * The capabilities of showing content from history. Unknown history shows the named files alone if each revision is a commit:
 * a folder or a file by itself is shown whatever files are named. `areCommits`: null to look at the revisions.
 */
export function shown(request: Request, shows: Shows, areCommits: boolean | null = null): readonly Effect[] {
  const { repository, settings, world, folder } = request;
  if (repository === null) return [];
  const base = repository.tree ?? repository.own;
  const homes = world.roots.homes;
  // It also shows former names of a file, or all that a commit changes.
  const isWider = isGiven(request, '--follow --full-diff') || settings.get('log.follow') !== null;
  const known: { read?: Arguments; areCommits?: boolean; error?: UnknownObject } = {};
  const packed: readonly Effect[] = isGiven(request, '-a --text') ? [{ kind: 'opaque', why: asText }] : [];
  const look = (past: Past) => {
    const { spec, revisions } = past.arguments;
    const inside = revisions.flatMap((text) => pathIn(text, folder, base) ?? []);
    const named = [...(spec.named ?? []), ...inside].filter((path) => isSecret(joinPath(base, path), homes));
    Object.assign(known, {
      read: past.arguments,
      areCommits: revisions.every((text) => past.isCommit(text)),
    });
    const paths = shows(past);
    if (paths === undefined) return [];
    // Paths in `REVISION:folder` begin there.
    const isWhole = isWider || revisions.some((text) => text.includes(':'));
    const secrets = [
      ...named,
      ...[...(paths ?? past.everything())].filter((path) => isWhole || spec.matches(path)),
    ];
    const lost: readonly Effect[] = mayBeAnyId(request) ? [{ kind: 'opaque', why: anyId }] : [];
    return [readOf(base, past.arguments, isWider), ...secretsRead(base, secrets), ...lost, ...packed];
  };
  const found = withPast(request, look, (error) => Object.assign(known, { error }));
  if (found !== null) return found;
  const read = known.read ?? readArguments(request, () => true);
  if (read === null) return [];
  const named = read.spec.named ?? [];
  const areFiles =
    !isWider &&
    (areCommits ?? known.areCommits ?? read.revisions.every(isHead)) &&
    named.length > 0 &&
    named.every((path) => world.listing.kind(joinPath(base, path)) === 'file');
  const unknown = areFiles ? [] : [unknownSecret(known.error)];
  const secrets = named.filter((path) => isSecret(joinPath(base, path), homes));
  return [readOf(base, read, isWider), ...secretsRead(base, secrets), ...unknown, ...packed];
}

/** A person can judge a history that is not read. Any other unknown one counts as a secret. */
function unknownSecret(error: UnknownObject | undefined): Effect {
  if (!(error instanceof UnreadObject)) return capability('secret.read', { secret: 'git history' });
  const why = `the history may hold secrets, as ${error.message}; files that are named after \`--\` are known`;
  return { kind: 'opaque', why };
}

/** Reads the history of a repository; null if a part of it is unknown. */
export function withPast<Result>(
  request: Request,
  look: (past: Past) => Result | null,
  otherwise: (error: UnknownObject) => unknown = () => null,
): Result | null {
  const { repository, world } = request;
  if (repository === null) return null;
  try {
    return withObjects(repository.common, (objects) => {
      const references = readReferences(repository);
      const history = new History(objects, repository.tree ?? repository.own, world.roots.homes);
      const past = references && pastOf(request, { references, history });
      return past && look(past);
    });
  } catch (error) {
    if (!(error instanceof UnknownObject)) throw error;
    otherwise(error);
    return null;
  }
}

/** Looks at the object that a revision names; null if it or a part of the history is unknown. */
export function atRevision<Result>(
  request: Request,
  revision: string | null,
  look: (past: Past, id: string) => Result | null,
): Result | null {
  return withPast(request, (past) => {
    const id = past.resolve(revision);
    return id === null ? null : look(past, id);
  });
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
  const isChanged = areMoved(repository, { ...world.changes, created });
  // To stash also writes `ORIG_HEAD`, and the logs of other references.
  const { heads: switched } = changeOfIndex(world.changes, repository);
  const hasSwitched = switched.length > 0;
  const isAny = isChanged || tags.size > 0 || isStashed || hasSwitched;
  // Git prefers a file of the git folder to the tag or branch of that name.
  const isFile = (text: string) => mayHaveChanged(`${repository.own}/${nameIn(text)}`, world.changes);
  const mayDiffer = (text: string) =>
    isChanged ||
    mayNameMade(text, [...tags.keys()]) ||
    isFile(text) ||
    (isStashed && /stash|ORIG_HEAD|@\{\d|^:\//.test(text)) ||
    (hasSwitched && /^(?:HEAD|@|-|:\/)|@\{/.test(text));
  const named = (text: string) => withUpstream(request, references, text);
  const first = (text: string) => resolveRevision(named(text) ?? '', references, history.objects);
  const resolve = (text: string | null | undefined) => {
    if (text == null) return null;
    const tag = `refs/tags/${nameIn(text)}`;
    const id = isChanged ? null : tags.get(`${repository.common}/${tag}`);
    if (id && !isFile(text))
      return resolveRevision(text, { ...references, byName: new Map([[tag, id]]) }, history.objects);
    return mayDiffer(text) ? null : first(text);
  };
  const isOwn = (text: string) => hasFile(repository, nameIn(text)) || isFile(text);
  const before = (text: string) => (hasGrown(request) && (isHead(text) || !isOwn(text)) ? first(text) : null);
  const isCommit = (text: string) =>
    areCommits(text, history.objects, (part, name) => before(name) ?? resolve(part));
  const lacks = (text: string) =>
    partsOf(text).some((part) => {
      const name = part.replace(/[~^][~^\d]*$/, '');
      const isFile = !isHead(name) && hasFile(repository, name);
      // It leads to no parent.
      if (name !== part && !isFile && resolve(name) !== null && resolve(part) === null) return true;
      // A stopped rebase keeps ids in files of its own.
      const isNone = plainName.test(name) && !hasFile(repository, name) && first(name) === null;
      return !mayDiffer(name) && (isNone || named(name) === undefined);
    });
  const staged = () => stagedSecrets(request, () => everythingOf(request, { references, history }));
  const logged = new Set([...references.logged, ...idsNamed(request, history)]);
  const isLost = () => logged.size > references.logged.size && hasLost(history, references, logged);
  const all = () =>
    new Set([
      ...everythingOf(request, { references: withNamed(history, references, logged), history }),
      ...(isAny || mayBeStaged(request) ? staged().keys() : []),
    ]);
  const read = readArguments(request, (text) => mayDiffer(text) || isRevision(text, resolve));
  const heads = isChanged ? null : headsOf(references, switched);
  const names = { heads, resolve, before, lacks, isCommit, isMoved: isAny };
  return read && { history, references, arguments: read, ...names, isLost, everything: all, staged };
}

/** Whether a revision may name one of these tags and branches, or is found by all of them. */
function mayNameMade(text: string, made: readonly string[]): boolean {
  const names = text.split(/\.{2,3}|[~^:@{}]+/).map((name) => (name === '' ? 'head' : name.toLowerCase()));
  const isNamed = (file: string) =>
    file.includes('@') || names.some((name) => `/${file.toLowerCase()}`.endsWith(`/${name}`));
  return made.length > 0 && (/:\/|@\{|^-$/.test(text) || made.some(isNamed));
}

function headsOf({ byName }: References, switched: readonly string[]): readonly string[] | null {
  const head = byName.get('HEAD');
  if (head === undefined) return null;
  return switched.length > 0 ? switched : [head];
}

/** Whether changes may have moved a reference. */
function areMoved({ own, common }: Repository, changes: Changes): boolean {
  return ['HEAD', 'refs', 'packed-refs', 'logs'].some((name) =>
    [own, common].some((folder) => mayHaveChangedBelow(`${folder}/${name}`, changes)),
  );
}

/** Whether git may find a commit in a file of its own. */
function hasFile({ own, common }: Repository, name: string): boolean {
  return [own, common].some((folder) => existsSync(`${folder}/${name}`));
}

/** Whether the line only adds commits: names of commits stay such. */
function hasGrown({ repository, world: { changes } }: Request): boolean {
  return Boolean(changes.made.get(`${repository?.own}/HEAD`)) && changes.tags.size === 0;
}

function areCommits(
  text: string,
  objects: Objects,
  idOf: (part: string, name: string) => string | null,
): boolean {
  return partsOf(text).every((part) => {
    if (part === '' || isHead(part)) return true;
    const id = idOf(part, /^([^~^:@{}]+)[~^\d]*$/.exec(part)?.[1] ?? '');
    return id !== null && objects.peel(id).kind === 'commit';
  });
}

/** Shows nothing if git certainly refuses the command, because an operand is neither a revision nor a file. */
export function ofNamed(request: Request, shows: Shows): Shows {
  const isRefusing = request.reading.open === null && !isGiven(request, '--ignore-missing');
  return (past) => (isRefusing && past.arguments.missing.some((text) => past.lacks(text)) ? [] : shows(past));
}

function isRevision(text: string, resolve: (text: string) => string | null): boolean {
  const parts = partsOf(text);
  return parts.every((part) => {
    const name = part.replace(/\^(?:@|!|-\d*)$/, '').replace(/(?<=.):[\s\S]*$/, '');
    if (name === '') return parts.length > 1;
    return resolve(name) !== null || (/^:(?!\/)|@\{/.test(name) && !upstream.test(name));
  });
}

/**
 * Secrets in the index. Those that earlier commands may have put there have an unknown content, an empty id. So have those
 * without a file, which these commands may have taken out.
 */
function stagedSecrets(
  { repository, world }: Request,
  others: () => ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const index = repository === null ? null : readIndex(repository);
  const base = repository?.tree ?? '/';
  if (index === null || repository === null || isOverwritten(world.changes, repository))
    throw new UnknownObject('the index');
  const added = changeOfIndex(world.changes, repository).added ?? others();
  const isWritten = world.changes.indexes.has(indexFile(repository));
  const gone = index.entries.filter(
    ({ path, isSkipped }) => isWritten && isSkipped !== true && !mayExist(joinPath(base, path), world),
  );
  const unsure = [...gone.map(({ path }) => path), ...added];
  const all = [...index.entries, ...unsure.map((path) => ({ path, id: '' }))];
  const secrets = all.filter(({ path }) => isSecret(joinPath(base, path), world.roots.homes));
  return new Map(secrets.map(({ path, id }) => [path, id]));
}

function readOf(base: string, read: Arguments, isWider: boolean): Effect {
  const [revision, ...others] = read.revisions;
  const fact = revision === undefined || others.length > 0 ? {} : { revision };
  const named = read.spec.named?.map((path) => (path === '' ? base : joinPath(base, path))) ?? [];
  const path = named.length === 0 ? {} : { path: pathFact(named, { open: isWider, under: base }) };
  return capability('vcs.read', { ...path, ...fact });
}

/** Well-known secrets below the work tree that are read from history. */
function secretsRead(base: string, paths: Iterable<string>): readonly Effect[] {
  const all = [...paths].map((path) => joinPath(base, path));
  return all.length === 0 ? [] : [capability('secret.read', { path: pathFact(all) })];
}
