import type { Effect } from '../../../effect.js';
import { type Act, keep, nothing, touch, writeIndex } from '../act.js';
import { mayHaveChanged } from '../changed.js';
import { mergeBases, type Past, withPast } from '../content.js';
import { problemOf } from '../problem.js';
import { isGiven, type Request, whyOf, workTreeOf } from '../request.js';
import type { Snapshot } from '../store/history.js';
import { discard } from '../work/discard.js';
import { everyPath } from '../work/pathspec.js';
import { anything, effectsOf, exchange, staysInPlace } from '../work/replace.js';
import { untrackedFiles } from '../work/untracked.js';
import { changedFiles } from '../work/work-tree.js';

/** `git cherry-pick` and `git revert` of one commit. */
export function pick(request: Request): Act {
  if (isGiven(request, '-e', '--edit')) return 'it starts an editor';
  if (isGiven(request, '-s', '--strategy')) return 'it may run a program that merges';
  const act = merging(request, (past) => {
    const [text, ...others] = past.arguments.revisions;
    const id = text === undefined || others.length > 0 || past.arguments.isUnsure ? null : past.resolve(text);
    if (id === null) return null;
    const [parent, ...more] = past.history.objects.commit(past.history.objects.peel(id).id).parents;
    return parent === undefined || more.length > 0 ? null : [parent, id];
  });
  const work = workTreeOf(request);
  if (typeof act === 'string' || work === null) return act;
  // If nothing is left to commit, it prints the state of the work tree.
  const { files, folders } = untrackedFiles(work, everyPath, { ignored: false });
  return { ...act, effects: [...act.effects, ...touch('list', { ...files, paths: folders })] };
}

/** Applies the difference of two commits to the work tree. */
export function merging(request: Request, sidesOf: (past: Past) => readonly [string, string] | null): Act {
  const work = workTreeOf(request);
  if (work === null) return nothing;
  if (isGiven(request, '-S', '--gpg-sign')) return 'it runs a program for signatures';
  const why = whyOf(request, ['commit']) ?? problemOf(request, work);
  if (why !== null) return why;
  const found = withPast(request, (past) => {
    const sides = sidesOf(past);
    const head = past.resolve('HEAD');
    if (sides === null || head === null || work.index === null) return anything(work);
    const [before, after, ours] = [...sides, head].map((id): Snapshot => past.history.filesIn(id));
    if (before === undefined || after === undefined || ours === undefined) return anything(work);
    // Between the two, nothing is merged.
    const isKnown =
      sides.includes(head) || (staysInPlace(before, after, ours) && staysInPlace(after, before, ours));
    return [
      ...effectsOf(work, exchange(before, after), !isKnown),
      ...effectsOf(work, exchange(after, before), !isKnown),
    ];
  });
  const files = found ?? anything(work);
  return {
    effects: [
      ...files,
      // Ending a merge forgets how its conflicts were resolved.
      ...(isGiven(request, '--abort', '--skip') ? discard(work, null) : []),
      ...touch('read', changedFiles(work, everyPath)),
      ...files.flatMap((effect) => inTheWay(request, effect)),
      ...writeIndex(request, null),
      ...keep(request, 'objects', 'references', 'message', 'merge'),
    ],
  };
}

/** An existing untracked file is compared with its replacement. */
function inTheWay({ world }: Request, effect: Effect): readonly Effect[] {
  if (effect.kind !== 'files' || effect.access !== 'write') return [];
  const isThere = (path: string) => world.listing.kind(path) !== null || mayHaveChanged(path, world.changes);
  return touch('read', { ...effect.files, paths: effect.files.paths.filter(isThere) });
}

/** `git merge` of one branch. */
export function merge(request: Request): Act {
  return rebase(request, (past) => {
    const [text, ...others] = past.arguments.revisions;
    const theirs =
      text === undefined || others.length > 0 || past.arguments.isUnsure ? null : past.resolve(text);
    const ours = past.resolve('HEAD');
    if (theirs === null || ours === null) return null;
    const id = past.history.objects.peel(theirs).id;
    const [base, ...more] = mergeBases(past, ours, id);
    return base === undefined || more.length > 0 ? null : [base, id];
  });
}

/** `git rebase`, and other commands whose content is not read here. */
export function rebase(request: Request, sidesOf: Sides = () => null): Act {
  if (isGiven(request, '-e', '--edit', '-i', '--interactive', '-x', '--exec'))
    return 'it starts an editor or a program';
  if (isGiven(request, '-s', '--strategy')) return 'it may run a program that merges';
  return merging(request, sidesOf);
}

/** Two commits whose difference is applied; null if they are unknown. */
type Sides = (past: Past) => readonly [string, string] | null;
