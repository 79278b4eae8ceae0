import type { Files } from '../../../effect.js';
import { type Output, onlyNames, textOf, unknownOutput } from '../../../word.js';
import type { Described } from '../../../world.js';
import { hasOnly, valuesOf } from '../../options.js';
import { atRevision, type Past, withPast } from '../content.js';
import { namesOutput } from '../own-files.js';
import { commitsOf, pairsOf } from '../ranges.js';
import { isGiven, type Request, type Scope } from '../request.js';
import { pathsDiffering } from '../store/index-file.js';
import { below } from '../work/discard.js';
import { everyPath, type Pathspec } from '../work/pathspec.js';
import { changedFiles, staleFiles, type WorkTree } from '../work/work-tree.js';
import { commitsOfLog, isWalking, isWide } from './log-commits.js';

/** Options with which `--name-only` prints names of files below the work tree, each on a line, and nothing else. */
const namesOnly = `--name-only --name-status -z --cached --staged --diff-filter -M --find-renames --no-renames -r --no-commit-id --root
  --format --pretty -n --max-count -# -w -b -S -G -R --no-color --no-ext-diff --no-textconv --exit-code
  --author --since --after --until --before --grep --no-merges --first-parent`;

/** The names that `git diff --name-only` prints, and perhaps others. */
export function namesOfDiff(request: Request, work: WorkTree): Output {
  if (!printsNames(request)) return unknownOutput;
  const isStaged = isGiven(request, '--cached --staged');
  const isPlain = request.reading.operands.length === 0 && !isStaged;
  const sides: Sides | null = isPlain
    ? { ...ofIndex(work), spec: everyPath, hasFiles: true }
    : withPast(request, (past) => sidesOf(past, work, isStaged));
  if (sides === null) return unknownOutput;
  const { paths, mayRename, spec, hasFiles } = sides;
  const files = hasFiles ? [staleFiles(work, spec), changedFiles(work, spec)] : [];
  const modules = (work.index?.entries ?? []).filter(({ kind }) => kind === 'submodule');
  const names = [
    ...[...paths].filter((path) => spec.matches(path)),
    ...files.flatMap((each) => below(work, each)),
    ...modules.map(({ path }) => path),
  ];
  const open = files.some((each) => each.open);
  const output = namesOutput([...new Set(names)], { isNul: isGiven(request, '-z'), open });
  return withStatus(request, output, mayRename);
}

/** With `--name-status`, a letter and a tab stand before each name, and a renamed file has two names. */
function withStatus(request: Request, output: Output, mayRename: boolean): Output {
  if (!isGiven(request, '--name-status') || output.kind !== 'names') return output;
  const { texts } = output.names;
  const isCopied = !/^(?:true|false|)$/.test(request.settings.get('diff.renames') ?? '');
  const hasPairs = (mayRename || isCopied) && !isGiven(request, '--no-renames');
  if (texts.includes('') || (hasPairs && texts.some((name) => name.includes(' ')))) return unknownOutput;
  const rest = onlyNames(hasPairs ? [...texts, ...texts.map((name) => `${name}\t${name}`)] : texts);
  return { kind: 'table', columns: ['text'], rest, separator: '\t' };
}

/** What `git status --short` prints at the top of the work tree, with these files that are not in the index. */
export function namesOfStatus(request: Request, { work, spec }: Scope, untracked: Files): Output {
  const isRelative = request.folder !== work.tree || isGiven(request, '-z --null -b --branch --ignored?');
  const formats = valuesOf(request.reading, '--porcelain').map(textOf);
  const isShort = isGiven(request, '-s --short --porcelain') && formats.every((each) => each === 'v1');
  const { settings } = request;
  const renames = [settings.get('status.renames'), settings.get('diff.renames')];
  const isOwn =
    settings.get('status.branch') !== null ||
    settings.mayColor('color.ui color.status') ||
    !renames.every((value) => value === null || value === 'true' || value === 'false');
  if (!request.isRead || isRelative || !isShort || isOwn || !hasOnly(request.reading, shortOnly))
    return unknownOutput;
  const staged = withPast(request, (past) =>
    sidesOfIndex(past, work, { revision: 'HEAD', spec, hasFiles: true }),
  );
  const paths = [...(staged?.paths ?? [])];
  // A file that is neither in the index nor new may be renamed: it has two names.
  const entries = work.index?.entries ?? [];
  const tracked = new Set(entries.map(({ path }) => path));
  const mayBeRenamed =
    paths.some((path) => !tracked.has(path)) ||
    entries.some(({ isIntended }) => isIntended) ||
    work.added.size > 0;
  if (staged === null || mayBeRenamed) return unknownOutput;
  const files = [staleFiles(work, spec), changedFiles(work, spec), untracked];
  const others = below(work, untracked).flatMap((path) =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)),
  );
  const names = [...paths, ...files.flatMap((each) => below(work, each)), ...others];
  // Older versions put no quotes around blanks.
  const shown = names.flatMap((name) => (name.includes(' ') ? [name, `"${name}"`] : [name]));
  const output = namesOutput([...new Set(names)], { isNul: false, open: files.some((each) => each.open) });
  return output.kind === 'names'
    ? { kind: 'table', columns: ['text'], rest: onlyNames([...new Set(shown)]), separator: null, restAt: 4 }
    : output;
}

const shortOnly = '-s --short --porcelain -u --untracked-files --no-renames';

/** Names that are printed. */
interface Named {
  readonly paths: readonly string[];
  /** Whether one of them may be shown as another one that is renamed. */
  readonly mayRename: boolean;
}

/** The files that differ between two commits, or a commit and the index. */
interface Sides extends Named {
  readonly spec: Pathspec;
  /** Whether the files of the work tree are compared too. */
  readonly hasFiles: boolean;
}

function sidesOf(past: Past, work: WorkTree, isStaged: boolean): Sides | null {
  const { revisions, spec, isUnsure } = past.arguments;
  const [first, second, third] = revisions;
  if (isUnsure || third !== undefined) return null;
  const revision = first ?? (isStaged ? 'HEAD' : null);
  if (revision === null) return { ...ofIndex(work), spec, hasFiles: true };
  if (second === undefined && !revision.includes('..'))
    return sidesOfIndex(past, work, { revision, spec, hasFiles: !isStaged });
  const named = isStaged ? null : betweenTrees(past, revisions);
  return named && { ...named, spec, hasFiles: false };
}

function sidesOfIndex(
  past: Past,
  work: WorkTree,
  { revision, spec, hasFiles }: Pick<Sides, 'spec' | 'hasFiles'> & { readonly revision: string },
): Sides | null {
  const id = past.resolve(revision);
  const { index, added } = work;
  if (id === null || index === null) return null;
  const before = past.history.filesIn(id);
  const paths = [...new Set([...pathsDiffering(before, index), ...added])];
  const mayRename = ofIndex(work).mayRename || paths.some((path) => !before.has(path));
  return { paths, spec, hasFiles, mayRename };
}

/** The index, compared with the work tree: only a file that is still to be added is a new one. */
function ofIndex({ index, added }: WorkTree): Named {
  const isPlain = added.size === 0 && index?.entries.some(({ isIntended }) => isIntended) === false;
  return { paths: [], mayRename: !isPlain };
}

/** The files that differ for `A B`, `A..B` and `A...B`; null if unknown. */
function betweenTrees(past: Past, revisions: readonly string[]): Named | null {
  if (revisions.length > 2 || (revisions.length > 1 && revisions.some((text) => text.includes('..'))))
    return null;
  const pairs = pairsOf(past, revisions.join('..'));
  return pairs && namesDiffering(past, pairs);
}

/** The files that differ in each pair of commits. */
function namesDiffering({ history }: Past, pairs: readonly (readonly [string | null, string])[]): Named {
  const changes = pairs.map(([before, after]) => history.changed(before, after));
  const mayRename = changes.some((files) => {
    const kinds = [...files.values()];
    return kinds.includes('gone') && kinds.includes('made');
  });
  return { paths: changes.flatMap((files) => [...files.keys()]), mayRename };
}

/** The names that `git log --name-only --format=` prints, and perhaps others. */
export function namesOfLog(request: Request): Output {
  if (!isBare(request)) return unknownOutput;
  return namesFrom(request, (past) => namesChangedIn(request, past, shownByLog(request, past)));
}

/** Those of `git show --name-only --format=`. Before a commit, it prints a tag that names it. */
export function namesOfShow(request: Request): Output {
  if (!isBare(request) || isWalking(request)) return unknownOutput;
  return namesFrom(request, (past) => {
    const { revisions } = past.arguments;
    const ids = (revisions.length === 0 ? ['HEAD'] : revisions).map((text) => past.resolve(text));
    const commits = ids.filter((id) => id !== null && past.history.objects.find(id)?.kind === 'commit');
    return commits.length < ids.length ? null : namesChangedIn(request, past, commits as string[]);
  });
}

/** Those of `git diff-tree -r --name-only`. */
export function namesOfTrees(request: Request): Output {
  if (!isGiven(request, '-r')) return unknownOutput;
  return namesFrom(request, (past) => {
    const { revisions } = past.arguments;
    if (revisions.length > 1 || revisions[0]?.includes('..') === true) return betweenTrees(past, revisions);
    const id = isGiven(request, '--no-commit-id') ? past.resolve(revisions[0] ?? '') : null;
    return id === null ? null : namesChangedIn(request, past, [id]);
  });
}

/** The names of `git ls-tree`: with `-r`, of all files of a commit or in the named folders; otherwise, those at its top. */
export function lsTree(request: Request): Described {
  const [revision = '', ...paths] = request.reading.operands.map(textOf);
  const isAll = isGiven(request, '-r');
  const tree = request.repository?.tree ?? null;
  // In a folder, only what is below it is listed. These paths are no patterns.
  const isPlain = paths.every((path) => path !== null && isAll && /^(?:[\w-][\w.-]*(?:\/|$))+$/.test(path));
  const isKnown = isPlain && revision !== null && request.folder === tree && request.isRead;
  if (!isKnown || !hasOnly(request.reading, '-r -z --name-only --full-name --full-tree --abbrev'))
    return { effects: [] };
  const names = atRevision(request, revision, ({ history }, id) => [...history.filesIn(id).keys()]);
  if (names === null) return { effects: [] };
  const folders = paths.map((path) => `${path}/`.replace(/\/+$/, '/'));
  const isNamed = (name: string) =>
    folders.length === 0 || folders.some((each) => `${name}/`.startsWith(each));
  const named = names.filter(isNamed).map((name) => (isAll ? name : name.replace(/\/.*$/s, '')));
  const output = namesOutput([...new Set(named)], { isNul: isGiven(request, '-z'), open: false });
  if (isGiven(request, '--name-only') || output.kind !== 'names') return { effects: [], output };
  const columns = ['number', 'text', 'text'] as const;
  const table = { kind: 'table', columns, rest: output.names, separator: null, isTabbed: true } as const;
  return { effects: [], output: isGiven(request, '-z') ? unknownOutput : table };
}

function namesFrom(request: Request, namedBy: (past: Past) => Named | null): Output {
  if (!printsNames(request) || isGiven(request, '-z')) return unknownOutput;
  return (
    withPast(request, (past) => {
      const { isUnsure, spec } = past.arguments;
      const named = isUnsure ? null : namedBy(past);
      if (named === null) return null;
      // A file that is followed had other names before.
      const isFollowed = request.settings.get('log.follow') !== null;
      const isShown = (path: string) => isFollowed || path === '' || spec.matches(path);
      const names = [...new Set(named.paths)].filter(isShown);
      return withStatus(request, namesOutput(names, { isNul: false, open: false }), named.mayRename);
    }) ?? unknownOutput
  );
}

/** Whether something reads its output, and that has nothing but names. */
function printsNames(request: Request): boolean {
  return (
    request.isRead &&
    isGiven(request, '--name-only --name-status') &&
    !(isGiven(request, '--name-status') && isGiven(request, '-z --name-only')) &&
    hasOnly(request.reading, namesOnly) &&
    request.settings.get('diff.relative') === null
  );
}

/** Whether it prints nothing about the commits themselves. */
function isBare(request: Request): boolean {
  const formats = valuesOf(request.reading, '--format --pretty').map(textOf);
  return formats.length === 1 && ['', 'tformat:', 'format:'].includes(formats[0] ?? '?');
}

/** The commits of a log, all that `HEAD` leads to where it names none; null if unknown. */
function shownByLog(request: Request, past: Past): Iterable<string> | null {
  const named = commitsOfLog(request, past);
  const isAll = past.arguments.revisions.length === 0 && !past.arguments.isUnsure && !isWide(request);
  return named ?? (isAll ? commitsOf(past, ['HEAD']) : null);
}

/** The most commits whose files are compared. */
const mostCommits = 2_000;

/** The files that commits change, compared with any parent, and an empty text for an empty line between commits; null if unknown. */
function namesChangedIn(request: Request, past: Past, commits: Iterable<string> | null): Named | null {
  const { objects } = past.history;
  const ids = [...(commits ?? [])].map((id) => objects.peel(id).id);
  const areApart = valuesOf(request.reading, '--format --pretty').some((word) => textOf(word) === 'format:');
  if (commits === null || ids.length > mostCommits) return null;
  const named = namesDiffering(
    past,
    ids.flatMap((id) => {
      const { parents } = objects.commit(id);
      return (parents.length === 0 ? [null] : parents).map((parent) => [parent, id] as const);
    }),
  );
  return areApart && ids.length > 1 ? { ...named, paths: [...named.paths, ''] } : named;
}
