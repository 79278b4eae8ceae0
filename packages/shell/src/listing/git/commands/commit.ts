import { type Act, hooksOf, keep, nothing, touch, writeIndex } from '../act.js';
import { driversOf } from '../attributes.js';
import { interactiveProblem, submodulesOf } from '../problem.js';
import { isGiven, type Request, whyOf, workTreeOf } from '../request.js';
import { everyPath } from '../work/pathspec.js';
import { changedFiles, untrackedFiles } from '../work/work-tree.js';

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
  if (work === null) return nothing;
  if (!isGiven(request, ...messageOptions) || isGiven(request, '-e', '--edit')) return 'it starts an editor';
  if (isGiven(request, '-S', '--gpg-sign')) return 'it runs a program for signatures';
  const why =
    whyOf(request, ['commit']) ??
    driversOf(request, 'filter') ??
    hooksOf(request, 'references') ??
    submodulesOf(work) ??
    interactiveProblem(request);
  if (why !== null) return why;
  // Unless it is quiet, it lists untracked files.
  const { files, folders } = untrackedFiles(work, everyPath, { ignored: false });
  return {
    effects: [
      ...touch('read', changedFiles(work, everyPath)),
      ...touch('list', { ...files, paths: folders }),
      ...writeIndex(request, []),
      ...keep(request, 'objects', 'references', 'message'),
    ],
  };
}
