import { onFiles, onlyFiles } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { off } from '../../../programs/language/git.js';
import { isOpen, textOf, textsIn, type Word } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { valuesOf } from '../../options.js';
import { driversOf } from '../attributes.js';
import type { Past } from '../content.js';
import { keepMade } from '../made.js';
import { dropReferences, endMerge, hooksOf, keep, keepStash, writeIndex } from '../own-files.js';
import { interactiveProblem, noProblem, problemOf, submodulesOf } from '../problem.js';
import { inScope, isCommitId, isGiven, type Request, whyOf, workTreeOf } from '../request.js';
import { comparedFiles } from '../work/compared.js';
import { everyPath } from '../work/pathspec.js';
import { allOf, deleting, exchange } from '../work/replace.js';
import { listUntracked, untrackedFiles } from '../work/untracked.js';
import { surelyTracked } from '../work/work-tree.js';
import { asCommitted, comparedWith, pathsIn } from './checkout.js';
import { applied, merging } from './merge.js';
import { comparing } from './track.js';

const messageOptions = '-m --message -F --file -C --reuse-message --no-edit --fixup --dry-run';

/** `git update-index --refresh`. */
export const updateIndex = inScope(noProblem, (request, { work }) =>
  request.reading.operands.length > 0 || request.reading.open !== null
    ? 'git update-index writes the files that it names into the index'
    : comparing(request, { work, spec: everyPath }),
);

export function commit(request: Request): ListerResult {
  const work = workTreeOf(request);
  if (work === null) return [];
  if (!isGiven(request, messageOptions) || isGiven(request, '-e --edit')) return 'it starts an editor';
  if (valuesOf(request.reading, '--fixup').some(isWritten)) return 'it starts an editor';
  if (isGiven(request, '-S --gpg-sign')) return 'it runs a program for signatures';
  if (isGiven(request, '--dry-run --long') && !off.test(request.settings.get('commit.verbose') ?? ''))
    return 'the setting `commit.verbose` shows differences';
  const why =
    whyOf(request, ['commit']) ??
    driversOf(request, 'filter') ??
    hooksOf(request, 'references') ??
    submodulesOf(work) ??
    interactiveProblem(request);
  if (why !== null) return why;
  // It says how much has changed since the commit before, and may read the files in place of their objects.
  const compared = comparedWith(request, work, isGiven(request, '--amend') ? parentsOfHeads : undefined);
  return [
    ...comparedFiles(request, work),
    ...onFiles('read', compared),
    // Unless it is quiet, it lists untracked files.
    ...listUntracked(work),
    ...writeIndex(request, []),
    ...keep(request, 'objects', 'message'),
    ...keepMade(request, 'HEAD', keep(request, 'references')),
    ...endMerge(request),
  ];
}

function parentsOfHeads({ heads, history }: Past): readonly string[] | null {
  const parents = heads?.map((id) => history.objects.commit(id).parents[0] ?? null) ?? [null];
  return parents.includes(null) ? null : parents.filter((id) => id !== null);
}

/** Whether the message of a fixup is written in an editor. */
function isWritten(word: Word): boolean {
  return !isCommitId(word) && (isOpen(word) || textsIn(word).some((each) => /^(?:amend|reword):/.test(each)));
}

/** `git stash`, `git stash push`: the work tree becomes the last commit's. */
export const stash = inScope(problemOf, (request, scope) => {
  const { work, spec } = scope;
  const isAll = isGiven(request, '-a --all');
  const isMore = request.reading.open !== null || isAll || isGiven(request, '-u --include-untracked');
  const more = isMore ? untrackedFiles(work, spec, { ignored: isAll }).files : onlyFiles([]);
  // It also stashes files of the last commit that were removed from the index alone.
  const compared = comparedWith(request, work);
  const again = isGiven(request, '-k --keep-index') ? [compared] : [];
  const tracked = new Set([...surelyTracked(work)].map((path) => joinPath(work.tree, path)));
  // The command looks for untracked files everywhere, but stashes only those that match the paths.
  const { folders } = isMore ? untrackedFiles(work, everyPath, { ignored: isAll }) : { folders: [] };
  const isEmpty = (folder: string) => work.world.listing.names(folder).entries.length === 0;
  const empty = folders.filter((each) => spec.mayMatch(each.slice(work.tree.length + 1)) && isEmpty(each));
  return [
    ...comparedFiles(request, work),
    ...onFiles('read', compared),
    ...onFiles('list', { ...more, paths: folders }),
    ...onFiles('read', more),
    ...deleting(work, { ...more, paths: [...more.paths, ...empty] }),
    ...asCommitted(request, scope),
    ...again.flatMap((each) => onFiles('write', each)),
    // Finally, it deletes the files that the index lacks.
    ...again.flatMap(({ paths }) => deleting(work, onlyFiles(paths.filter((path) => !tracked.has(path))))),
    ...writeIndex(request, pathsIn(request, 'HEAD')),
    ...keep(request, 'objects'),
    ...(isMore ? keepStash(request) : keepMade(request, 'refs/stash', keepStash(request))),
    ...endMerge(request),
  ];
});

/** `git stash pop`, `git stash apply`. */
export function unstash(request: Request): ListerResult {
  const act = merging(request, (past, ours) => {
    const isNewest = request.reading.operands.every((word) => /^(?:stash@\{0\}|0)$/.test(textOf(word) ?? ''));
    const id = isNewest ? past.resolve('refs/stash') : null;
    if (id === null) return null;
    const [base, , untracked] = past.history.objects.commit(id).parents;
    const tracked = base === undefined ? null : applied(past, ours, [base, id]);
    if (tracked === null || untracked === undefined) return tracked;
    return allOf([tracked, exchange(new Map(), past.history.filesIn(untracked))]);
  });
  const work = workTreeOf(request);
  if (typeof act === 'string' || work === null) return act;
  // At last it prints the state of the work tree.
  return [...act, ...dropReferences(request), ...listUntracked(work)];
}
