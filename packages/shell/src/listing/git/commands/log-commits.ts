import { relative, resolve } from 'node:path/posix';
import { archiveName } from '@ambit/toolsets';
import { linesByFormat } from '../../../columns.js';
import { joinPath } from '../../../files/listing.js';
import { likesOf } from '../../../number.js';
import { isOpen, type Output, textOf, textsIn, unknownOutput, type Word } from '../../../word.js';
import { hasOnly, valuesOf } from '../../options.js';
import { type Past, withPast } from '../content.js';
import { mayBeAnyId } from '../lost.js';
import { commitsBetween, commitsOf, type Ends, endsOf } from '../ranges.js';
import { isGiven, type Request } from '../request.js';
import { isSameEntry } from '../store/history.js';
import { newest } from '../store/order.js';
import { namesAt } from '../store/read-files.js';
import { isSecret } from '../store/secret-names.js';
import { filtering, filterOf, plainLog } from './log-filters.js';
import { mayFindCopies } from './patches.js';

/** Options with which `git log` chooses its commits itself. */
const wide = `--all --branches --branches= --tags --tags= --remotes --remotes= --glob --stdin -g
  --walk-reflogs --reflog --bisect --indexed-objects --not --merge --boundary --exclude-first-parent-only`;
/** Whether it chooses its commits itself. */
export function isWide(request: Request): boolean {
  return isGiven(request, `${wide} -L --follow`);
}

/** Whether `git show` goes through commits like `git log`. */
export function isWalking(request: Request): boolean {
  return isWide(request) || isGiven(request, '-n --max-count -# --do-walk');
}

/** The commits that `git log` shows, and perhaps others; null if they are unknown, or all that names lead to. */
export function commitsOfLog(request: Request, past: Past): Iterable<string> | null {
  const ends = endsOfLog(request, past);
  if (ends === null) return null;
  let all: ReadonlySet<string> | null = null;
  const within = () => (all ??= commitsBetween(past, ends));
  const shows = filterOf(request, past, within);
  const isAny = ends.left.length === 0;
  const isFirst = isGiven(request, '--first-parent') && !isAny;
  const count = past.arguments.paths.length > 0 || isFirst ? null : countOf(request);
  const childrenFirst = orderOf(request);
  if (count === null || childrenFirst === undefined) {
    if (shows !== null) return [...within()].filter((id) => shows(id) !== false);
    return isAny && past.arguments.revisions.length === 0 ? null : within();
  }
  return newest(past.history.objects, ends.wanted, count, {
    parentsOf: followedBy(request, past),
    within: isAny ? null : within(),
    childrenFirst,
    ...(shows && { shows }),
  });
}

/** Options with which other commits may be shown than those that names of the line lead to. */
const others = `--glob --exclude --exclude-hidden --stdin -g --walk-reflogs --reflog --bisect --indexed-objects --merge --boundary
  --exclude-first-parent-only`;
const places: Readonly<Record<string, string>> = {
  '--all': 'refs/',
  '--branches': 'refs/heads/',
  '--tags': 'refs/tags/',
  '--remotes': 'refs/remotes/',
};

/** Where a log starts and ends, in the order of its words; null if unknown. */
function endsOfLog(request: Request, past: Past): Ends | null {
  const { revisions, isUnsure } = past.arguments;
  if (isUnsure || isGiven(request, others)) return null;
  const left = [...revisions];
  const found: Ends[] = [];
  let isNot = false;
  for (const item of request.reading.sequence) {
    const [name = ''] = item.kind === 'option' ? item.option.entry.names : [];
    const place = places[name];
    let ends: Ends | null = { wanted: [], left: [] };
    if (item.kind === 'option' && place !== undefined) {
      const pattern = item.option.values[0];
      const wanted = namedBelow(request, past, place + (pattern === undefined ? '*' : textOf(pattern)));
      ends = wanted && { wanted, left: [] };
    } else if (item.kind === 'operand' && left.length > 0) ends = endsOf(past, [left.shift() ?? '']);
    else {
      if (name === '--not') isNot = !isNot;
      continue;
    }
    if (ends === null) return null;
    found.push(isNot ? { wanted: ends.left, left: ends.wanted } : ends);
  }
  if (found.length === 0) return endsOf(past, ['HEAD']);
  return { wanted: found.flatMap(({ wanted }) => wanted), left: found.flatMap((each) => each.left) };
}

/** The commits of the references with this pattern, as git goes through them; null if unknown. */
function namedBelow({ repository }: Request, past: Past, pattern: string): readonly string[] | null {
  const { byName } = past.references;
  const [, name = '', star] = /^(refs\/[\w./-]*?)(\*|\/?)$/.exec(pattern) ?? [];
  const isAll = pattern === 'refs/*';
  // Git also starts at what other work trees have checked out.
  const areMore =
    isAll &&
    (repository?.own !== repository?.common || namesAt(`${repository?.common}/worktrees`).length > 0);
  if (past.isMoved || star === undefined || areMore) return null;
  const start = star === '*' ? name : `${name}/`;
  const named = [...byName]
    .filter(([each]) => each.startsWith(start))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const ids = [...named.map(([, id]) => id), ...(isAll ? [byName.get('HEAD') ?? []].flat() : [])];
  const { objects } = past.history;
  return ids.flatMap((id) => (objects.peel(id).kind === 'commit' ? id : []));
}

/** How it orders commits, null for by date; undefined if unknown. */
function orderOf(request: Request): 'newest' | 'lines' | null | undefined {
  const [isNewest, isLines] = ['--date-order', '--topo-order --graph'].map((names) =>
    isGiven(request, names),
  );
  // Before it orders commits, git leaves out those that are too new.
  const isUnclear = isGiven(request, '--author-date-order --until --before');
  if (isNewest !== true && isLines !== true && !isGiven(request, '--author-date-order')) return null;
  if (isUnclear || (isNewest && isGiven(request, '--topo-order'))) return undefined;
  return isNewest ? 'newest' : 'lines';
}

/** The parents to which a log goes from a commit. */
function followedBy(request: Request, { history }: Past): (id: string) => readonly string[] {
  const most = isGiven(request, '--first-parent') ? 1 : undefined;
  return (id) => history.objects.commit(id).parents.slice(0, most);
}

/** The only commit that `git log -1` shows; null if unknown. */
export function onlyCommit(request: Request, past: Past): string | null {
  const { revisions, isUnsure, paths, spec } = past.arguments;
  const { objects } = past.history;
  const known = `-n --max-count -# --format --pretty --first-parent ${filtering}`;
  const id = past.resolve(revisions[0] ?? 'HEAD');
  const named = paths.length === 0 ? [] : spec.named;
  const isUnclear =
    isUnsure || revisions.length > 1 || mostShown(request, known) !== 1 || spec.excluded.length > 0;
  if (isUnclear || id === null || named === null || objects.peel(id).kind !== 'commit') return null;
  if (paths.length > 0 && (named.includes('') || request.settings.get('log.follow') !== null)) return null;
  const all = followedBy(request, past);
  const entryIn = (id: string, path: string) => past.history.entryIn(id, path);
  const isSame = (one: string, other: string) =>
    named.every((path) => isSameEntry(entryIn(one, path), entryIn(other, path)));
  // Git only goes to a parent with the same files.
  const sameOf = (id: string) => all(id).find((parent) => named.length > 0 && isSame(id, parent));
  const touches = (id: string) =>
    named.length === 0 ||
    (all(id).length > 0 ? sameOf(id) === undefined : named.some((path) => entryIn(id, path) !== null));
  const filter = filterOf(request, past, () => past.history.commitsFrom([id])) ?? (() => true);
  const parentsOf = (id: string) => [sameOf(id) ?? all(id)].flat();
  const [found, ...others] = newest(objects, [id], 1, {
    shows: (id) => touches(id) && filter(id),
    parentsOf,
  });
  return others.length > 0 || found === undefined || filter(found) !== true ? null : found;
}

/** Secrets among the files of `-L 1,5:FILE` or `--follow FILE` and their former names; null if these are unknown. */
export function secretsFollowed(request: Request, past: Past): readonly string[] | null {
  const { revisions, isUnsure, paths } = past.arguments;
  const tree = request.repository?.tree ?? null;
  const isFollowing = isGiven(request, '--follow');
  if (isUnsure || tree === null || paths.length > (isFollowing ? 1 : 0) || isGiven(request, wide))
    return null;
  const commits = commitsOf(past, revisions.length === 0 ? ['HEAD'] : revisions);
  if (commits === null || (isFollowing && isGiven(request, '-L --full-diff'))) return null;
  if (isGiven(request, similarity) || mayFindCopies(request)) return null;
  const named = isFollowing
    ? paths.map((word) => /^[\w.][\w./-]*$/.exec(textOf(word) ?? '')?.[0])
    : valuesOf(request.reading, '-L')
        .flatMap(rangesIn)
        .map((text) => lineRange.exec(text)?.[1]);
  const files = named.map((path) =>
    path === undefined ? '' : relative(tree, resolve(request.folder, path)),
  );
  if (files.includes('')) return null;
  const ids = [...past.history.commitsFrom(commits)];
  if (isFollowing && files.some((path) => ids.every((id) => past.history.fileIn(id, path) === null)))
    return null;
  const all = past.history.withFormer(ids, files, isFollowing ? 'copies' : 'renames');
  // Of a folder with such a name, it shows all files.
  const isFolder = (path: string) => ids.some((id) => past.history.entryIn(id, path)?.kind === 'folder');
  if (isFollowing && [...all].some(isFolder)) return null;
  // It prints the lines of a binary file, too.
  const mayPack = (file: string) => isGiven(request, '-L') && archiveName.test(file);
  return [...all].filter(
    (file) => mayPack(file) || isSecret(joinPath(tree, file), request.world.roots.homes),
  );
}

/** Options that change which files count as renamed or copied. */
const similarity = `-M -M= -C -C= -B -B= -D -l --find-renames --find-renames= --find-copies --find-copies=
  --find-copies-harder --break-rewrites --break-rewrites=`;

/** The texts of a range; of one with an unknown number, two examples. */
function rangesIn(word: Word): readonly string[] {
  if (word.kind === 'unknown') return likesOf(word) ?? [''];
  return isOpen(word) ? [''] : textsIn(word);
}

const lineRange = /^(?:(?:\d+|\/[^/:]+\/)?,(?:[-+]?\d+|\/[^/:]+\/)|:\w+):([\w./-]+)$/;

/** `-N`, if it means the newest commits, and those that are skipped. */
export function mostShown(request: Request, known = plainLog): number | null {
  return hasOnly(request.reading, known) ? countOf(request) : null;
}

function countOf({ reading }: Request): number | null {
  const short = reading.words.flatMap((word) => /^-(\d+)$/.exec(textOf(word) ?? '')?.[1] ?? []);
  const [value, ...others] = [...short, ...valuesOf(reading, '-n --max-count').map(textOf)];
  const counts = [value, ...valuesOf(reading, '--skip').map(textOf)];
  const isKnown = others.length === 0 && counts.every((each) => /^\d{1,6}$/.test(each ?? ''));
  return isKnown ? counts.reduce((sum, each) => sum + Number(each), 0) : null;
}

/** Options with which `git log --format=%h` and `git rev-list` print nothing but ids. */
const idsOnly = `-n --max-count -# --skip --all --branches --tags --remotes --reverse --merges --no-merges --first-parent
  --author --committer --grep -i --since --until --after --before --topo-order --date-order --abbrev-commit
  --min-parents --max-parents --no-patch -s --no-notes --format --pretty --follow -S -G --pickaxe-regex --diff-filter --no-renames -M`;

/** Whether all that `git log` prints with one format, or `git rev-list` without, are ids of commits. */
export function printsIds(request: Request, formats: 0 | 1): boolean {
  const given = valuesOf(request.reading, '--format --pretty').map(textOf);
  return (
    given.length === formats &&
    given.every((format) => /^(?:format:|tformat:)?%[hH]$/.test(format ?? '')) &&
    hasOnly(request.reading, idsOnly) &&
    !mayBeLost(request)
  );
}

/** Whether it may print ids of commits that no name leads to. */
function mayBeLost(request: Request): boolean {
  return mayBeAnyId(request) || (request.isRead && withPast(request, (past) => past.isLost()) === true);
}

/** What `git log --oneline` prints, or one with a format that gives each commit a line. */
export function linesOfLog(request: Request, isShort = isGiven(request, '--oneline')): Output {
  const known = `${idsOnly} --oneline --date --no-color --decorate --no-decorate`;
  const [format = null, ...others] = valuesOf(request.reading, '--format --pretty').map(textOf);
  const isOther =
    others.length > 0 || request.settings.mayColor('color.ui color.diff') || mayBreakLines(request);
  if (!hasOnly(request.reading, known) || isOther || mayBeLost(request)) return unknownOutput;
  if (format === null)
    return isShort ? { kind: 'table', columns: ['id'], rest: null, separator: ' ' } : unknownOutput;
  const [, kind = '', written = ''] = /^(format:|tformat:|)(.*)$/.exec(format) ?? [];
  if (!inOneLine.test(written)) return unknownOutput;
  const isId = (part: string) => /^%[hH]$/.test(part);
  const output = linesByFormat(written, (part) =>
    isId(part) ? 'id' : /^%[ac][sI]$/.test(part) ? 'text' : 'line',
  );
  return kind === 'format:' && output.kind === 'table' ? { ...output, mayRunOn: true } : output;
}

/** Whether a date or an encoding may put line feeds into a line. */
function mayBreakLines({ reading, settings }: Request): boolean {
  const dates = [...valuesOf(reading, '--date').map(textOf), settings.get('log.date') ?? 'default'];
  const encodings = ['i18n.logoutputencoding', 'i18n.commitencoding'].map((key) => settings.get(key));
  return (
    !dates.every((date) => dateInOneLine.test(date ?? '%n')) ||
    !encodings.every((each) => /^(?:utf-?8|us-ascii|iso-?8859-\d+|latin-?\d)$/i.test(each ?? 'utf-8'))
  );
}

const dateInOneLine =
  /^(?:[a-z\d]+(?:-strict)?(?:-local)?|format(?:-local)?:(?:[^%\n]|%[A-DF-NP-Za-mo-su-z%])*)$/;

/** A format without the parts that may have several lines. */
const inOneLine =
  /^(?:[^%\n]|%(?:[hHtTpPsfdD]|[ac][nNeElLdDrtiIshH]|g[dDs]|C(?:\([\w ,]*\)|red|green|blue|reset)))*$/;
