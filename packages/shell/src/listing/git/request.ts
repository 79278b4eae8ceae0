import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fromHome, orNull, remembered } from '@ambit/core';
import type { Effect } from '../../effect.js';
import { likesOf } from '../../number.js';
import { off } from '../../programs/language/git.js';
import { type Reading, spellingsOf } from '../../programs/reading.js';
import { isOpen, type Output, text, textOf, textsIn, type Word } from '../../word.js';
import {
  type Context,
  type ListerResult,
  mayHaveChanged,
  mayHaveChangedBelow,
  type World,
} from '../../world.js';
import { mayBeNone, pathEffects } from '../options.js';
import type { Aspect } from './settings/known-settings.js';
import type { Setting } from './settings/setting-text.js';
import { Settings } from './settings/settings.js';
import { readIndex } from './store/index-file.js';
import { namesAt, textAt } from './store/read-files.js';
import { findRepository, type Repository } from './store/repository.js';
import { changeOfIndex, isOverwritten } from './work/index-memory.js';
import { everyPath, type Pathspec, readPathspec } from './work/pathspec.js';
import type { WorkTree } from './work/work-tree.js';

/** A command of git with its repository. */
export interface Request {
  readonly reading: Reading;
  readonly world: World;
  /** The real folder in which it works. */
  readonly folder: string;
  /** Null if there is no repository. */
  readonly repository: Repository | null;
  readonly settings: Settings;
  readonly input: Output;
  /** Whether something reads its output. */
  readonly isRead: boolean;
}

/** Returns a text that says why git's behaviour in this folder is unknown. */
export function requestOf(reading: Reading, { folder, input, isRead, world }: Context): Request | string {
  // Git first changes to the top of the work tree. A path that depends on the folder of the process then
  // names another file.
  const ofProcess = reading.words.flatMap(textsIn).find((text) => isOfProcess.test(text));
  if (ofProcess) return `\`${ofProcess}\` names another file for git`;
  const real = reading.folder === null ? folder.real : realFolder(folder.real, reading.folder, world);
  if (real === null) return 'the folder in which it works is unknown';
  const repository = findRepository(real);
  if (typeof repository === 'string') return repository;
  const why =
    repository === null ? null : (changedBefore(repository, world) ?? replacedIn(repository, world));
  if (why !== null) return why;
  if (mayBecomeOne(real, repository, world)) return 'an earlier command may have made a repository';
  const settings = new Settings(repository, world.home, world.changes);
  return (
    settings.why.get('any') ??
    treeProblem(repository, settings) ?? { reading, world, folder: real, repository, settings, input, isRead }
  );
}

const isOfProcess = /(?:^|\/)proc\/(?:self|thread-self|\d+)(?:\/|$)/;

function realFolder(start: string | null, word: Word, { changes }: World): string | null {
  const text = textOf(word);
  if (text === null || (start === null && !text.startsWith('/'))) return null;
  const path = resolve(start ?? '/', text);
  if (mayHaveChanged(path, { ...changes, created: new Set(), open: changes.links })) return null;
  // Git fails without this folder, and the line may have created it.
  const isMissing = changes.created.size + changes.open.size === 0;
  return orNull(() => realpathSync(path)) ?? (isMissing ? path : null);
}

/** Settings are checked separately. Objects and references may be new: see `content.ts`. */
function changedBefore({ own, common, tree }: Repository, { changes }: World): string | null {
  const places = [`${common}/hooks`, `${common}/info`, `${own}/commondir`, `${own}/gitdir`];
  const folders = tree === null ? [own, common] : [`${tree}/.git`, own, common];
  const isChanged =
    places.some((place) => mayHaveChangedBelow(place, changes)) ||
    folders.some((each) => mayHaveChanged(each, changes));
  return isChanged ? 'the line may change the git folder first' : null;
}

/** Where objects stand in for others, a file may have the content of any other one. */
function replacedIn({ common }: Repository, { changes }: World): string | null {
  const place = `${common}/refs/replace`;
  const areNone = orNull(
    () => namesAt(place).length === 0 && !/ refs\/replace\//.test(textAt(`${common}/packed-refs`)),
  );
  const isMade = [...changes.created, ...changes.links].some((path) => `${path}/`.startsWith(`${place}/`));
  return areNone !== true || isMade ? 'objects in `refs/replace` may stand in for others' : null;
}

/** Whether the line may have made one nearer than the one that is found: `.git`, or a bare one with these names. */
function mayBecomeOne(real: string, found: Repository | null, { changes }: World): boolean {
  const names = ['.git', 'HEAD', 'objects'];
  for (let at = real; at !== (found?.tree ?? found?.own); at = dirname(at)) {
    if (names.some((name) => mayHaveChangedBelow(resolve(at, name), changes))) return true;
    if (at === '/') return false;
  }
  return false;
}

/** A submodule names its work tree; any other place is unknown. */
function treeProblem(repository: Repository | null, settings: Settings): string | null {
  const place = settings.get('core.worktree');
  const isOwn = place === null || repository === null || resolve(repository.own, place) === repository.tree;
  return isOwn ? null : 'the setting `core.worktree` names another work tree';
}

/** Why a setting of one of these kinds makes it unknown; null if no setting does. */
export function whyOf({ settings }: Request, aspects: readonly Aspect[]): string | null {
  return aspects.map((aspect) => settings.why.get(aspect)).find((why) => why !== undefined) ?? null;
}

/** The files that settings name, as far as this command may read them. Git reads them at the top of the work tree. */
export function namedFiles(
  { settings, repository, folder, world }: Request,
  command: string,
): readonly Effect[] {
  const isOther = ({ key }: Setting) =>
    (key.startsWith('blame.') && command !== 'blame') || (key.startsWith('commit.') && command !== 'commit');
  const paths = settings.named
    .filter((setting) => !isOther(setting))
    .map(({ value }) => resolve(repository?.tree ?? folder, value.replace(/^~(?=\/)/, world.home)));
  return pathEffects('read', paths.map(text));
}

/** Whether the command itself has one of these options; `-u=` means with its optional value. */
export function isGiven({ reading }: Request, names: string): boolean {
  const wanted = names.split(/\s+/);
  return reading.options.some((option) => spellingsOf(option).some((name) => wanted.includes(name)));
}

const workTrees = new WeakMap<Request, WorkTree | null>();

/** The work tree; null in a bare repository. Its index is read once for a command. */
export function workTreeOf(request: Request): WorkTree | null {
  return remembered(workTrees, request, () => readWorkTree(request));
}

function readWorkTree({ repository, settings, world }: Request): WorkTree | null {
  if (repository === null || repository.tree === null) return null;
  const { tree } = repository;
  const named = settings.get('core.excludesfile') ?? '~/.config/git/ignore';
  const { added } = changeOfIndex(world.changes, repository);
  const index = added === null || isOverwritten(world.changes, repository) ? null : readIndex(repository);
  const foldsCase = !off.test(settings.get('core.ignorecase') ?? '');
  const excludes = resolve(tree, fromHome(named, world.home));
  return { repository, tree, index, added: added ?? new Set(), world, excludes, foldsCase, stats: new Map() };
}

/** A work tree and the files that a command is about there. */
export interface Scope {
  readonly work: WorkTree;
  readonly spec: Pathspec;
}

/** A command about files of the work tree. It does nothing where git refuses it, and is unknown where `whyNot` says so. */
export function inScope(
  whyNot: (request: Request, work: WorkTree) => string | null,
  describe: (request: Request, scope: Scope) => ListerResult,
  needsPath = false,
): (request: Request) => ListerResult {
  return (request) => {
    const { operands, open } = request.reading;
    const work = workTreeOf(request);
    const spec = open === null ? pathspecOf(request, operands, needsPath) : everyPath;
    return work === null || spec === null ? [] : (whyNot(request, work) ?? describe(request, { work, spec }));
  };
}

/** The same about the files that it names: without a path, about none. */
export function onPaths(...given: Parameters<typeof inScope>): (request: Request) => ListerResult {
  const [whyNot, describe] = given;
  return inScope(whyNot, describe, true);
}

/**
 * The files that words name. An unknown word names any, and so does no word, unless it needs one. Null if they name nothing
 * in the work tree.
 */
export function pathspecOf(request: Request, words: readonly Word[], needsPath = false): Pathspec | null {
  const { repository, folder } = request;
  const isAny = needsPath ? words.length === 0 : mayBeNone(words);
  if (isAny || repository === null || repository.tree === null) return everyPath;
  const texts = words.flatMap((word): readonly (string | null)[] => textsOf(word) ?? [null]);
  if (texts.includes(null)) return everyPath;
  const { tree } = repository;
  // The way to the work tree may lead through a link, which git follows.
  if (texts.some((text) => text?.startsWith('/') === true && !`${text}/`.startsWith(`${tree}/`)))
    return everyPath;
  const place = { tree, prefix: prefixOf({ folder }, tree) };
  // One that may name something else does not make git fail.
  const isCertain = texts.length === words.length;
  const named = texts.filter((each) => isCertain || readPathspec([each ?? ''], place) !== null);
  return readPathspec(named as readonly string[], place);
}

/** The folder in which it works, below the work tree. */
export function prefixOf({ folder }: Pick<Request, 'folder'>, tree: string): string {
  return folder === tree ? '' : folder.slice(tree === '/' ? 1 : tree.length + 1);
}

/** All texts of a word; null if there may be others. */
export function textsOf(word: Word): readonly string[] | null {
  return isOpen(word) ? null : textsIn(word);
}

/** Whether it is the id of a commit that a command of the line prints, or names one with an unknown number: `HEAD~$n`. */
export function isCommitId(word: Word): boolean {
  if (word.kind !== 'unknown') return false;
  return (
    /^(?:[~^]\d*)*$/.test(word.afterId ?? ':') ||
    likesOf(word)?.every((each) => /^[\w@][\w@/-]*~\d*$/.test(each)) === true
  );
}

/** Whether it is a commit before the current one, or that one, even if the line has made it. */
export function isHead(revision: string): boolean {
  return /^(?:HEAD|@)(?:[~^]\d*)*$/.test(revision);
}
