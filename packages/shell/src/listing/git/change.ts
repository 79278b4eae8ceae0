import type { Effect } from '../../effect.js';
import { type Act, driversOf, hooksOf, keep, touch } from './act.js';
import { everyPath } from './pathspec.js';
import { isGiven, pathspecOf, type Request, whyOf, workTreeOf } from './request.js';
import { submodulesOf } from './track.js';
import { changedFiles } from './work-tree.js';

const messageOptions = [
  '-m',
  '--message',
  '-F',
  '--file',
  '-C',
  '--reuse-message',
  '--no-edit',
  '--fixup',
  '--dry-run',
];

/** `git commit`. */
export function commit(request: Request): Act {
  const work = workTreeOf(request);
  if (work === null) return { effects: [] };
  if (!isGiven(request, ...messageOptions) || isGiven(request, '-e', '--edit')) return 'it starts an editor';
  if (isGiven(request, '-S', '--gpg-sign')) return 'it runs a program for signatures';
  if (isGiven(request, '-p', '--patch', '--interactive') && request.settings.why.has('interactive'))
    return 'it runs a program for differences';
  const why =
    whyOf(request, ['commit']) ??
    driversOf(request, 'filter') ??
    hooksOf(request, 'references') ??
    submodulesOf(work);
  if (why !== null) return why;
  return {
    effects: [
      ...touch('read', changedFiles(work, everyPath)),
      ...keep(request, 'index', 'objects', 'references', 'message'),
    ],
  };
}

/** `git restore FILE`, `git checkout -- FILE`: from the index, or from a commit. */
export function restore(request: Request): Act {
  const work = workTreeOf(request);
  const spec = request.reading.open === null ? pathspecOf(request, request.reading.operands) : everyPath;
  if (work === null || spec === null || request.reading.operands.length === 0) return { effects: [] };
  const why =
    driversOf(request, 'filter') ??
    driversOf(request, 'merge') ??
    hooksOf(request, 'references') ??
    submodulesOf(work);
  if (why !== null) return why;
  const isStagedOnly =
    request.reading.open === null &&
    isGiven(request, '-S', '--staged') &&
    !isGiven(request, '-W', '--worktree');
  const isDifferent = isGiven(request, '-s', '--source', '-m', '--merge', '--conflict');
  const effects: Effect[] = [...keep(request, 'index')];
  if (!isStagedOnly) {
    const changed = changedFiles(work, spec, { missing: true });
    const named = (spec.named ?? []).filter((path) => path !== '').map((path) => `${work.tree}/${path}`);
    const areFiles =
      spec.named !== null &&
      named.length > 0 &&
      named.every((path) => request.world.listing.kind(path) === 'file');
    const files = isDifferent
      ? {
          paths: [...new Set([...changed.paths, ...(areFiles ? named : [])])],
          open: !areFiles || changed.open,
          under: areFiles ? null : work.tree,
        }
      : changed;
    const links =
      work.index?.entries.some(({ kind, path }) => kind === 'link' && spec.matches(path)) !== false ||
      isDifferent;
    effects.push(
      ...touch('read', changedFiles(work, spec)),
      ...touch('write', files, links ? { mayLink: true } : {}),
    );
  }
  return { effects };
}
