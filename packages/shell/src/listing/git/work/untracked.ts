import { remembered } from '@ambit/core';
import { type Effect, type Files, onFiles } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { mayDiffer, mayHaveChanged, mayHaveChangedBelow, noChanges } from '../../../world.js';
import { gitDialect, type IgnoreFile, ignoreRules, verdictOf } from '../../ignore-rules.js';
import { smallText } from '../store/read-files.js';
import { everyPath, type Pathspec } from './pathspec.js';
import { foldersBelow, isMoved, lookAt, surelyTracked, type WorkTree } from './work-tree.js';

export interface Untracked {
  readonly files: Files;
  /** Folders that git reads on the way. */
  readonly folders: readonly string[];
}

/** What a command lists that prints the state of the work tree. */
export function listUntracked(work: WorkTree): readonly Effect[] {
  const { files, folders } = untrackedFiles(work, everyPath, { ignored: false });
  return onFiles('list', { ...files, paths: folders });
}

/** With `ignored`, also the files that rules exclude, or `only` these. */
export function untrackedFiles(
  work: WorkTree,
  spec: Pathspec,
  options: { readonly ignored: boolean | 'only' },
): Untracked {
  const { tree, index, world } = work;
  const tracked = new Set([...surelyTracked(work)].map((path) => joinPath(tree, path)));
  // Git reads these even if a rule excludes them.
  const indexed = (index?.entries ?? []).map(({ path }) => joinPath(tree, path));
  const holding = new Set(foldersBelow(work, indexed));
  const rules = new Rules(work);
  const isLeftOut = (path: string, isFolder: boolean) =>
    options.ignored !== true && rules.ignores(path, isFolder) !== (options.ignored === 'only');
  const isWanted = (path: string) => spec.mayMatch(path.slice(tree.length + 1)) && !isLeftOut(path, false);
  const top = topOf(spec);
  const isPassed = (path: string) =>
    path.endsWith('/.git') ||
    !isOnTheWay(spec, path.slice(tree.length + 1)) ||
    (!options.ignored && isLeftOut(path, true) && !holding.has(path));
  const { entries, isOpen } = world.listing.below(top === '' ? tree : joinPath(tree, top), {
    skip: ({ path, depth }) => depth > 0 && isPassed(path),
  });
  const [paths, folders]: [string[], string[]] = [[], []];
  for (const { path, kind } of entries) {
    if (path === `${tree}/.git` || path.includes('/.git/')) continue;
    if (kind === 'folder') {
      if (path === tree || !isPassed(path)) folders.push(path);
    } else if (!tracked.has(path) && isWanted(path)) paths.push(path);
  }
  const { created } = world.changes;
  for (const path of created)
    if (path.startsWith(`${tree}/`) && !path.includes('/.git/') && isWanted(path)) paths.push(path);
  if (rules.isUnknown && options.ignored !== true) return untrackedFiles(work, spec, { ignored: true });
  const isOwn = (folder: string) => folder.startsWith(`${joinPath(tree, '.git')}/`);
  const isChanged = [...world.changes.open].some(
    (folder) => !isOwn(folder) && mayHaveChangedBelow(tree, { ...noChanges(), open: new Set([folder]) }),
  );
  const open = isOpen || isChanged || index === null || isMoved(work);
  return { files: { paths: [...new Set(paths)], open, under: isMoved(work) ? null : tree }, folders };
}

/** The folder in which git begins to read: the one that holds the only name. */
function topOf({ named }: Pathspec): string {
  const [only, ...others] = named ?? [];
  return only === undefined || others.length > 0 ? '' : only.slice(0, Math.max(0, only.lastIndexOf('/')));
}

/** Whether git reads a folder: it compares only as many characters as the shorter of path and name has. */
function isOnTheWay({ named, excluded }: Pathspec, folder: string): boolean {
  const isNear = (name: string) => name.startsWith(folder) || folder.startsWith(name);
  return named === null || [...named, ...excluded].some(isNear);
}

class Rules {
  /** Whether an earlier command may have changed them: then they may exclude other files, or none. */
  isUnknown: boolean;
  readonly #outer: readonly IgnoreFile[];
  readonly #files = new Map<string, readonly IgnoreFile[]>();
  readonly #verdicts = new Map<string, boolean>();

  constructor(private readonly work: WorkTree) {
    const outer = [`${work.repository.common}/info/exclude`, work.excludes];
    // Of these, git follows links.
    this.isUnknown = outer.some((file) => mayDiffer(file, work.world.changes));
    this.#outer = outer.map((file) => this.#read(file, work.tree));
  }

  ignores(path: string, isFolder: boolean): boolean {
    // The line may replace a folder with a file, to which other rules apply.
    return remembered(this.#verdicts, isFolder ? `${path}/` : path, () => {
      const folder = path.slice(0, path.lastIndexOf('/')) || '/';
      const isInside = folder !== this.work.tree && folder.length > this.work.tree.length;
      return (
        (isInside && this.ignores(folder, true)) || verdictOf(path, isFolder, this.#in(folder)) === 'ignored'
      );
    });
  }

  #in(folder: string): readonly IgnoreFile[] {
    return remembered(this.#files, folder, () => {
      const isTop = folder === this.work.tree;
      const above = isTop ? this.#outer : this.#in(folder.slice(0, folder.lastIndexOf('/')) || '/');
      return [this.#read(joinPath(folder, '.gitignore'), folder), ...above];
    });
  }

  #read(file: string, folder: string): IgnoreFile {
    const { world, foldsCase } = this.work;
    if (mayHaveChanged(file, world.changes)) this.isUnknown = true;
    // A link is not followed: its rules are ignored, so more is listed.
    const text = lookAt(file)?.isFile() === true ? smallText(file, 4_000_000) : null;
    return { folder, rules: ignoreRules(text ?? '', { ...gitDialect, ignoreCase: foldsCase }) };
  }
}
