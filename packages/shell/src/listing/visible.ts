import { posix } from 'node:path';
import { foldersUp, orNull, remembered } from '@ambit/core';
import { isUnder, readPlain } from '@ambit/toolsets';
import { joinPath } from '../files/listing.js';
import type { Context } from '../world.js';
import { type IgnoreFile, ignoreRules, type Verdict, verdictOf } from './ignore-rules.js';
import { type Member, membersOf } from './members.js';
import type { Start } from './start.js';

/** The files that ripgrep and fd skip because of ignore files. */
export interface Visibility {
  readonly depth: number;
  readonly showsHidden: boolean;
  /** Whether an input other than ignore files, such as a file type, may show a hidden file. */
  readonly mayShowHidden?: (member: Member) => boolean;
  /** Names of the program's own ignore files, in order of precedence. */
  readonly ignoreFiles: readonly string[];
  readonly usesGit: boolean;
  readonly usesExclude: boolean;
  readonly usesParents: boolean;
  /** The verdict of the program's arguments about a file; it has precedence over all ignore files. */
  readonly override: (path: string, isFolder: boolean) => Verdict;
}

/** The members that are not certainly skipped. The start itself is never skipped. */
export function visibleFrom(start: Start, context: Context, visibility: Visibility) {
  const rules = new Rules(context);
  const { real } = start;
  const isPassed = (member: Member): boolean => {
    if (member.depth === 0 || real === null || member.kind === null) return false;
    const isFolder = member.kind === 'folder';
    const own = visibility.override(member.path, isFolder);
    if (own === 'ignored') return true;
    if (own !== 'none') return false;
    const verdict = rules.verdict(member, real, visibility);
    // Unknown rules of a program before may show any file: these are no certain ones.
    if (verdict !== 'none') return verdict === 'ignored' || (verdict === 'unknown' && rules.areMade);
    const isHidden = posix.basename(member.path).startsWith('.');
    return isHidden && !visibility.showsHidden && visibility.mayShowHidden?.(member) !== true;
  };
  const found = membersOf(start, context, { depth: visibility.depth, skip: isPassed });
  const list = found.list.filter((member) => !isPassed(member));
  for (const { kind, path, depth } of list)
    if (kind === 'folder' && depth < visibility.depth) rules.readIn(path, visibility);
  return { ...found, open: found.open || rules.areMade, list, ignoreFiles: [...rules.files] };
}

class Rules {
  readonly files = new Set<string>();
  /** Whether an earlier command may have written unknown ones. */
  areMade = false;
  readonly #known = new Map<string, IgnoreFile | null>();
  readonly #git = new Map<string, boolean>();
  readonly #layers = new Map<string, FolderRules>();

  constructor(private readonly context: Context) {}

  /** Reads the ignore files of a folder that is entered. */
  readIn(folder: string, { ignoreFiles, usesGit }: Visibility): void {
    for (const name of usesGit ? [...ignoreFiles, '.gitignore'] : ignoreFiles) this.#fileAt(folder, name);
  }

  /** The verdict of ignore files: those below the start win over those above it, and they over git's. */
  verdict(member: Member, start: string, visibility: Visibility): Verdict {
    const folder = posix.dirname(member.path);
    const { isRepository, layers } = remembered(this.#layers, folder, () =>
      this.#layersOf(folder, start, visibility),
    );
    for (const layer of layers) {
      const verdict = verdictIn(layer, member, start);
      // Outside a repository git's rules do not count, unless an earlier command creates one.
      if (layer.isGit && !isRepository) return verdict === 'kept' ? 'unknown' : 'none';
      if (verdict !== 'none') return verdict;
    }
    return 'none';
  }

  /** The rules for the direct content of a folder. */
  #layersOf(
    folder: string,
    start: string,
    { ignoreFiles, usesGit, usesExclude, usesParents }: Visibility,
  ): FolderRules {
    const above = foldersUp(folder);
    const folders = above.filter((each) => usesParents || isUnder(each, start));
    const root = usesGit ? above.findIndex((each) => this.#isRepository(each)) : -1;
    const inside = root === -1 ? folders : folders.slice(0, root + 1);
    const layer = (name: string, of: readonly string[], isGit: boolean): Layer => {
      const files = of.flatMap((each) => this.#fileAt(each, name) ?? []);
      return { isGit, files, below: files.filter((file) => isUnder(file.folder, start)) };
    };
    const layers = ignoreFiles.map((name) => layer(name, folders, false));
    if (usesGit) layers.push(layer('.gitignore', inside, true));
    if (usesGit && usesExclude && root !== -1)
      layers.push(layer('.git/info/exclude', inside.slice(root), true));
    return { isRepository: root !== -1, layers: layers.filter(({ files }) => files.length > 0) };
  }

  #isRepository(folder: string): boolean {
    const { listing } = this.context.world;
    return remembered(this.#git, folder, () => listing.kind(joinPath(folder, '.git')) !== null);
  }

  #fileAt(folder: string, name: string): IgnoreFile | null {
    const path = joinPath(folder, name);
    return remembered(this.#known, path, () => this.#read(path, folder, name));
  }

  /** Null rules if an earlier command may have changed the file or its repository. */
  #read(path: string, folder: string, name: string): IgnoreFile | null {
    const { listing, changes } = this.context.world;
    const gone = [...changes.open, ...changes.removed];
    const isOfGit = name.startsWith('.git');
    const isMoved = isOfGit && [...gone, ...changes.created].some((each) => posix.basename(each) === '.git');
    const isChanged = changes.created.has(path) || isMoved || gone.some((each) => isUnder(path, each));
    const kind = listing.kind(path);
    this.areMade ||= [...changes.open].some((each) => isUnder(path, each));
    if (kind === null && !isChanged) return null;
    this.files.add(path);
    return { folder, rules: isChanged || kind !== 'file' ? null : rulesIn(path) };
  }
}

/** Ignore files of one name, innermost first. */
interface Layer {
  readonly isGit: boolean;
  readonly files: readonly IgnoreFile[];
  /** The ignore files at or below the start. */
  readonly below: readonly IgnoreFile[];
}

interface FolderRules {
  readonly isRepository: boolean;
  readonly layers: readonly Layer[];
}

/** Some versions compare files above the start with a path that contains the start twice. */
function verdictIn({ files, below }: Layer, { path, kind, text }: Member, start: string): Verdict {
  const isFolder = kind === 'folder';
  const verdict = verdictOf(path, isFolder, files);
  if (files.length === below.length || text.startsWith('/')) return verdict;
  const doubled = posix.join(start, text);
  const isSure = ['ignored', 'kept'].includes(verdictOf(path, isFolder, below));
  if (doubled === path || isSure) return verdict;
  return verdictOf(doubled, isFolder, files.slice(below.length)) === verdict ? verdict : 'unknown';
}

function rulesIn(path: string): IgnoreFile['rules'] {
  const bytes = orNull(() => readPlain(path));
  const text = bytes?.toString('utf8') ?? '';
  // A comparison with every one of very many rules would take too long.
  const isKnown =
    bytes !== null &&
    bytes.length <= mostBytes &&
    Buffer.from(text).equals(bytes) &&
    !text.startsWith('\uFEFF');
  return isKnown ? ignoreRules(text, { slashes: true, braces: true }) : null;
}

const mostBytes = 65_536;

/** Globs on a command line, relative to a folder: matches are kept, `!` excludes, the last match counts. */
export function overrideOf(globs: readonly Glob[], folder: string): Visibility['override'] {
  if (globs.length === 0) return () => 'none';
  const rules = globs.flatMap(({ text, ignoreCase }) =>
    choices(text).flatMap((choice) => ignoreRules(choice, { slashes: true, braces: true, ignoreCase })),
  );
  const hasKept = rules.some(({ isNegated }) => !isNegated);
  const files = [{ folder, rules: rules.reverse() }];
  return (path, isFolder) => {
    const found = isUnder(path, folder) ? verdictOf(path, isFolder, files) : 'unknown';
    if (found === 'none') return hasKept && !isFolder ? 'ignored' : 'none';
    if (found === 'unknown') return 'unknown';
    return found === 'ignored' ? 'kept' : 'ignored';
  };
}

/**
 * The globs that are together what a glob with plain braces is: `*.c` and `*.h` for `*.{c,h}`. Braces in
 * braces, empty ones, and those beside brackets or escapes stay.
 */
export function choices(glob: string): readonly string[] {
  const [, before = '', inside = '', after = ''] = plainBraces.exec(glob) ?? [];
  if (inside === '') return [glob];
  return inside.split(',').flatMap((choice) => choices(`${before}${choice}${after}`));
}

/** The first of at most two braces. The choices of all are multiplied. */
const plainBraces = /^(?!(?:[^{]*\{){3})([^{}[\]\\]*)\{([\w.-]+(?:,[\w.-]+){0,15})\}([^[\]\\]*)$/;

export interface Glob {
  readonly text: string;
  readonly ignoreCase: boolean;
}
