import type { Effect, Files } from '../../../effect.js';
import { isMany } from '../../../programs/words.js';
import { textOf } from '../../../word.js';
import {
  type Act,
  hooksOf,
  keep,
  lockIndex,
  namesOutput,
  optionNames,
  relativeTo,
  touch,
  writeIndex,
} from '../act.js';
import { driversOf } from '../attributes.js';
import { shown } from '../content.js';
import { submodulesOf } from '../problem.js';
import { isGiven, pathspecOf, type Request, valuesOf, workTreeOf } from '../request.js';
import { everyPath, type Pathspec, within } from '../work/pathspec.js';
import { untrackedFiles } from '../work/untracked.js';
import { changedFiles, isRacy, mayRefresh, trackedFiles, type WorkTree } from '../work/work-tree.js';

/** A work tree and the files that the operands name there; null if git refuses the command. */
interface Scope {
  readonly work: WorkTree;
  readonly spec: Pathspec;
}

function scopeOf(request: Request): Scope | null {
  const work = workTreeOf(request);
  const spec = request.reading.open === null ? pathspecOf(request, request.reading.operands) : everyPath;
  return work === null || spec === null ? null : { work, spec };
}

const refused: Act = { effects: [] };

/** `git status`. */
export function status(request: Request): Act {
  const scope = scopeOf(request);
  if (scope === null) return refused;
  const isUntracked = valuesOf(request, '-u', '--untracked-files').every((word) => textOf(word) !== 'no');
  const { files, folders } = isUntracked
    ? untrackedFiles(scope.work, scope.spec, { ignored: isGiven(request, '--ignored', '--ignored=') })
    : none;
  const listed = { ...files, paths: [scope.work.tree, ...folders] };
  return comparing(request, scope, isUntracked ? touch('list', listed) : []);
}

/** Looks for changed files, and then refreshes the index. `more` holds its other effects. */
export function comparing(
  request: Request,
  { work, spec }: { readonly work: WorkTree; readonly spec: Pathspec },
  more: readonly Effect[] = [],
): Act {
  const why = driversOf(request, 'filter') ?? hooksOf(request, 'index') ?? submodulesOf(work);
  if (why !== null) return why;
  const isWritten = mayRefresh(work) || isRacy(work);
  // When git writes the index, it reads every file that may have changed.
  const effects = [...touch('read', changedFiles(work, isWritten ? everyPath : spec)), ...more];
  // Git always makes the lock.
  return { effects: [...effects, ...(isWritten ? writeIndex(request, []) : lockIndex(request))] };
}

const none = { files: { paths: [], open: false, under: null }, folders: [] };

/** `git add`. */
export function add(request: Request): Act {
  const scope = scopeOf(request);
  if (scope === null) return refused;
  const { work } = scope;
  const why = hooksOf(request, 'index') ?? submodulesOf(work);
  if (why !== null) return why;
  const isUpdate = isGiven(request, '-u', '--update', '-p', '--patch', '--refresh', '--renormalize');
  const isAll = isGiven(request, '-A', '--all', '--no-ignore-removal');
  if (request.reading.operands.length === 0 && !isUpdate && !isAll && request.reading.open === null)
    return refused;
  // `-u` and `-A` apply to the operands, or without any to the whole work tree.
  const spec = request.reading.operands.length === 0 ? everyPath : scope.spec;
  // When git writes the index, it reads every file that may have changed.
  const changed = changedFiles(work, everyPath);
  const again = isGiven(request, '--renormalize') ? trackedFiles(work, spec) : none.files;
  const fresh = isUpdate ? none : untrackedFiles(work, spec, { ignored: isGiven(request, '-f', '--force') });
  const { paths, open } = fresh.files;
  const driver = driversOf(request, 'filter', paths);
  if (driver !== null) return driver;
  const read = joinedFiles(joinedFiles(changed, again), fresh.files);
  const added = open ? null : paths.map((path) => path.slice(work.tree.length + 1));
  return {
    effects: [
      ...touch('list', { ...fresh.files, paths: fresh.folders }),
      ...touch('read', read),
      ...writeIndex(request, added),
      ...keep(request, 'objects'),
    ],
  };
}

export function joinedFiles(one: Files, other: Files): Files {
  const open = one.open || other.open;
  const unders = [one, other].filter((files) => files.open).map(({ under }) => under);
  const under = unders.every((each) => each === unders[0]) ? (unders[0] ?? null) : null;
  return { paths: [...new Set([...one.paths, ...other.paths])], open, under };
}

/** Options that print only names. */
const plainListing = optionNames(`
  -c --cached -o --others -m --modified -d --deleted -z --exclude-standard --deduplicate --full-name -i --ignored
`);

/** `git ls-files`. Only names of tracked and untracked files are known. */
export function listFiles(request: Request): Act {
  const scope = scopeOf(request);
  if (scope === null) return refused;
  const { work } = scope;
  // In a folder, only the files below it are listed.
  const prefix = prefixOf(request, work);
  const spec = within(scope.spec, prefix);
  const isOther = request.reading.open !== null || isGiven(request, '-o', '--others');
  const isCached = !isOther || isGiven(request, '-c', '--cached', '-m', '--modified', '-d', '--deleted');
  const isDirty = isGiven(request, '-m', '--modified');
  const rules = isGiven(request, '--exclude-standard');
  const others = isOther
    ? untrackedFiles(work, spec, { ignored: !rules || isGiven(request, '-i', '--ignored') })
    : none;
  const effects: Effect[] = [
    // Git compares every file that may have changed before it applies the paths.
    ...(isDirty ? touch('read', changedFiles(work, everyPath)) : []),
    // Git reads a folder whatever paths are requested.
    ...touch('list', {
      ...others.files,
      paths: isOther ? untrackedFiles(work, everyPath, { ignored: true }).folders : [],
    }),
  ];
  const isPlain =
    request.reading.open === null &&
    request.reading.options.every(({ entry }) => entry.names.some((name) => plainListing.includes(name)));
  if (!isPlain || work.index === null) return { effects };
  const tracked = isCached ? [...work.index.entries.map(({ path }) => path), ...work.added] : [];
  const found = others.files.paths.map((path) => path.slice(work.tree.length + 1));
  const shownPaths = new Set([...tracked.filter((path) => spec.matches(path)), ...found]);
  const isFull = isGiven(request, '--full-name');
  const names = [...shownPaths].map((path) => (isFull ? path : relativeTo(prefix, path)));
  return { effects, output: namesOutput(names, { isNul: isGiven(request, '-z'), open: others.files.open }) };
}

function prefixOf({ folder }: Request, { tree }: WorkTree): string {
  return folder === tree ? '' : folder.slice(tree === '/' ? 1 : tree.length + 1);
}

/** `git grep`: the work tree, the index, or commits. */
export function grep(request: Request): Act {
  const why = isGiven(request, '--textconv') ? driversOf(request, 'diff') : null;
  if (why !== null) return why;
  const asked = isGiven(request, '-e', '-f') ? request : withoutFirst(request);
  const isIndex = isGiven(request, '--cached');
  if (isGiven(request, '--no-index') || request.repository === null) return filesSearched(asked);
  if (isGiven(request, '--recurse-submodules')) return 'it reads submodules with settings of their own';
  let spec: Pathspec = everyPath;
  let isTree = true;
  const past = shown(asked, (each) => {
    const { revisions, isUnsure } = each.arguments;
    spec = isUnsure ? everyPath : each.arguments.spec;
    isTree = isUnsure || revisions.length === 0;
    if (isIndex) return each.staged().keys();
    if (revisions.length === 0 && !isUnsure) return null;
    const ids = revisions.map((text) => each.resolve(text));
    if (isUnsure || ids.includes(null)) return each.everything();
    return ids.flatMap((id) => (id === null ? [] : [...each.history.inRevision(id).keys()]));
  });
  const work = workTreeOf(request);
  if (work === null || isIndex || !isTree) return { effects: past };
  // In a folder, only the files below it are searched.
  const prefix = prefixOf(request, work);
  const own = within(spec, prefix);
  const tracked = trackedFiles(work, own);
  const more = isGiven(request, '--untracked')
    ? untrackedFiles(work, own, { ignored: isGiven(request, '--no-exclude-standard') }).files
    : none.files;
  const all = joinedFiles(tracked, more);
  const effects = [...past, ...touch('read', all)];
  if (!isGiven(request, '-l', '--files-with-matches', '--name-only') || past.length > 0) return { effects };
  const isFull = isGiven(request, '--full-name');
  const names = all.paths
    .map((path) => path.slice(work.tree.length + 1))
    .map((path) => (isFull ? path : relativeTo(prefix, path)));
  return { effects, output: namesOutput(names, { isNul: isGiven(request, '-z', '--null'), open: all.open }) };
}

function withoutFirst(request: Request): Request {
  const { reading } = request;
  const [pattern] = reading.operands;
  if (pattern === undefined || isMany(pattern)) return request;
  const at = reading.sequence.findIndex((item) => item.kind === 'operand');
  const sequence = reading.sequence.filter((_, index) => index !== at);
  return { ...request, reading: { ...reading, sequence, operands: reading.operands.slice(1) } };
}

function filesSearched({ reading, repository }: Request): Act {
  if (repository === null && reading.options.every(({ entry }) => !entry.names.includes('--no-index')))
    return refused;
  const words = reading.operands.length === 0 ? [{ kind: 'text', text: '.' } as const] : reading.operands;
  return {
    effects: words.map((word): Effect => ({ kind: 'path', access: 'read', word, deep: true, by: 'program' })),
  };
}

/** `git cat-file`, `git archive`, `git ls-tree`: objects by their names. */
export function archive(request: Request): Act {
  if (isGiven(request, '-l', '--list')) return { effects: [] };
  if (isGiven(request, '--remote')) return 'it asks another repository';
  const why = driversOf(request, 'filter');
  if (why !== null || isGiven(request, '--format')) return why ?? formatProblem(request);
  return { effects: archived(request) };
}

function formatProblem(request: Request): Act {
  return request.settings.why.get('archive') ?? { effects: archived(request) };
}

function archived(request: Request): readonly Effect[] {
  const [revision, ...paths] = request.reading.operands;
  const text = textOf(revision);
  const spec = request.reading.open === null ? pathspecOf(request, paths) : everyPath;
  const only = {
    ...request,
    reading: {
      ...request.reading,
      sequence: [
        { kind: 'operand' as const, word: revision ?? ({ kind: 'text', text: 'HEAD' } as const) },
        { kind: 'ignored' as const, text: '--' },
        ...paths.map((word) => ({ kind: 'operand' as const, word })),
      ],
    },
  };
  if (spec === null) return [];
  return shown(only, (past) => {
    const id = text === null || text.includes(':') ? null : past.resolve(text);
    return id === null ? past.everything() : past.history.inRevision(id).keys();
  });
}
