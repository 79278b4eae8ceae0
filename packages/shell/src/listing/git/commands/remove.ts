import { type Effect, onFiles } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { optionsNamed } from '../../../programs/reading.js';
import { isMany, isOpen, text, textsIn, type Word } from '../../../word.js';
import { type ListerResult, mayHaveChanged, noChanges } from '../../../world.js';
import { writeIndex } from '../own-files.js';
import { indexProblem, noProblem } from '../problem.js';
import { inScope, isGiven, onPaths, pathspecOf, type Request, workTreeOf } from '../request.js';
import { comparedFiles } from '../work/compared.js';
import { below, discard } from '../work/discard.js';
import { foldersOf } from '../work/pathspec.js';
import { deleting, writing } from '../work/replace.js';
import { untrackedFiles } from '../work/untracked.js';
import { foldersBelow, surelyTracked, trackedFiles, type WorkTree } from '../work/work-tree.js';

/** `git rm`. With `--cached`, it only removes the file from the index. */
export const rm = onPaths(indexProblem, (request, { work, spec }) => {
  const read = comparedFiles(request, work);
  // Without operands, git compares the files before it fails.
  if (request.reading.operands.length === 0) return read;
  const files = trackedFiles(work, spec);
  const isKept = request.reading.open === null && isGiven(request, '--cached');
  return [
    ...read,
    ...(isKept ? [] : deleting(work, files)),
    ...discard(work, below(work, files), files.open),
    ...writeIndex(request, below(work, files)), // so that later commands see a change
  ];
});

/** The most targets of which each is tried. */
const mostTargets = 12;

/** `git mv`. In a loop over names, the target is one of several. */
export function mv(request: Request): ListerResult {
  const { operands, open } = request.reading;
  const to = operands.at(-1);
  if (open !== null || operands.some(isMany)) return 'which files it moves depends on a value';
  if (to === undefined || operands.length < 2) return [];
  const targets = textsIn(to);
  if (isOpen(to) || targets.length > mostTargets) return 'where it moves files to depends on a value';
  const effects: Effect[] = [];
  for (const target of targets) {
    const moved = movedTo(request, target);
    if (typeof moved === 'string') return moved;
    effects.push(...moved);
  }
  return effects;
}

function movedTo(request: Request, target: string): readonly Effect[] | string {
  const work = workTreeOf(request);
  if (work === null) return [];
  const why = indexProblem(request, work);
  if (why !== null) return why;
  const from = pathspecOf(request, request.reading.operands.slice(0, -1).map(literal));
  const end = pathspecOf(request, [literal(text(target))]);
  if (from === null || end === null) return [];
  const [place] = end.named ?? [];
  if (place === undefined) return `where in the work tree \`${target}\` is, is unknown`;
  const tracked = trackedFiles(work, from);
  // A folder is moved with all that is in it.
  const { listing, changes } = request.world;
  const inside = (from.named ?? []).flatMap((name) => listing.below(joinPath(work.tree, name)).entries);
  const files = { ...tracked, paths: [...new Set([...tracked.paths, ...inside.map(({ path }) => path)])] };
  const folder = place === '' ? work.tree : joinPath(work.tree, place);
  const isLinked = foldersOf(place).some((above) => listing.kind(joinPath(work.tree, above)) === 'link');
  const mayBeLinked = mayHaveChanged(folder, { ...noChanges(), links: changes.links });
  if (isLinked || mayBeLinked) return `a link leads to \`${target}\``;
  const isFolder = listing.kind(folder) === 'folder';
  // It may be a folder, or none any more, by then.
  const ways = mayHaveChanged(folder, changes) ? [true, false] : [isFolder];
  const moved = files.paths.flatMap((path) => {
    const old = path.slice(work.tree.length + 1);
    const start = from.named?.find((name) => old === name || old.startsWith(`${name}/`)) ?? old;
    const name = start.slice(start.lastIndexOf('/') + 1);
    return ways.map((isIn) => `${isIn ? joinPath(folder, name) : folder}${old.slice(start.length)}`);
  });
  const mayLink =
    work.index?.entries.some(({ kind, path }) => kind === 'link' && from.matches(path)) !== false;
  const open = files.open || from.named === null;
  const written = { paths: moved, open, under: open ? work.tree : null };
  const isForced = isGiven(request, '-f --force');
  // Git keeps other files there by itself.
  const by: 'argument' | 'program' = /(?:^|\/)\.git(?:\/|$)/i.test(place) ? 'argument' : 'program';
  return [
    ...comparedFiles(request, work),
    ...onFiles('read', files), // another name may hide what a file is
    ...deleting(work, files),
    ...writing(work, written, mayLink).map((effect) => ({ ...effect, by })),
    ...onFiles('read', written),
    ...(isForced ? discard(work, below(work, written), open) : []),
    ...writeIndex(request, open ? null : below(work, written)),
  ];
}

/** `git mv` knows no patterns. */
function literal(word: Word): Word {
  return word.kind === 'text' && !word.text.startsWith('/') ? text(`:(literal)${word.text}`) : word;
}

export const clean = inScope(noProblem, (request, { work, spec }) => {
  const force = optionsNamed(request.reading, '-f');
  if (force.length > 1) return 'it also removes other repositories in the work tree';
  const isAll = request.reading.open !== null || isGiven(request, '-x -X -e --exclude');
  const isOnlyIgnored = isGiven(request, '-X') && !isGiven(request, '-x -e --exclude');
  const { files, folders } = untrackedFiles(work, spec, { ignored: isOnlyIgnored ? 'only' : isAll });
  if (request.reading.open === null && isGiven(request, '-n --dry-run'))
    return onFiles('list', { ...files, paths: folders });
  const named = folders.filter((folder) => spec.mayMatch(folder.slice(work.tree.length + 1)));
  const areGone = isGiven(request, '-d') || request.reading.operands.length > 0;
  const gone = areGone ? withoutTracked(named, work) : [];
  return [
    ...onFiles('list', { ...files, paths: folders }),
    ...deleting(work, { ...files, paths: [...files.paths, ...gone] }),
    ...discard(work, below(work, files), files.open),
  ];
});

/** Folders that contain no tracked file. */
function withoutTracked(folders: readonly string[], work: WorkTree): readonly string[] {
  const tracked = [...surelyTracked(work)].map((path) => joinPath(work.tree, path));
  const kept = new Set([work.tree, ...foldersBelow(work, tracked)]);
  return folders.filter((folder) => !kept.has(folder));
}
