import type { Effect } from '../../../effect.js';
import { isMany, textOf, type Word } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { withPast } from '../content.js';
import { dropReferences, hooksOf, keep, keepReferences, rememberName, writeSettings } from '../own-files.js';
import { isCommitId, isGiven, type Request, textsOf, whyOf } from '../request.js';
import { discardCommits, discardReferences } from '../work/discard.js';
import { branches, branchLines, currentBranch, mayBeAlone, tagNames } from './printed-revision.js';

const lists = '-l --list --contains --no-contains --merged --no-merged --points-at';
const changing = '-u --set-upstream-to --unset-upstream -d -D --delete -m -M --move -c -C --copy';

/** `git branch`: lists, makes, renames and deletes branches. */
export function branch(request: Request): ListerResult {
  const { operands, open } = request.reading;
  const isChanging = isGiven(request, changing);
  if (isGiven(request, '--edit-description')) return 'it starts an editor';
  const isListing = operands.length === 0 || isGiven(request, `${lists} --show-current -a -r`);
  if (open === null && !isChanging && isListing) {
    if (isGiven(request, '--show-current')) return { effects: [], output: currentBranch(request) };
    if (!isGiven(request, '--format')) return { effects: [], output: branchLines(request) };
    return operands.length === 0 ? { effects: [], output: branches(request) } : [];
  }
  const why = hooksOf(request, 'references');
  if (why !== null) return why;
  const isDropping = open !== null || isGiven(request, '-d -D --delete -m -M --move');
  return [
    ...keep(request, 'references'),
    ...(isDropping ? dropReferences(request) : []),
    ...lostBy(request),
    ...(changesSettings(request) ? writeSettings(request) : []),
  ];
}

/** `-d` keeps unmerged branches. With force, branches are deleted or moved. */
function lostBy(request: Request): readonly Effect[] {
  const { operands, open } = request.reading;
  const isForced = open !== null || isGiven(request, '-D -M -C -f --force');
  if (!isForced) return [];
  const isDeleting = isGiven(request, '-d -D --delete');
  const isMoving = isGiven(request, '-m -M --move -c -C --copy');
  const lost = isDeleting ? operands : isMoving ? operands.slice(-1) : operands.slice(0, 1);
  const places = isGiven(request, '-r --remotes') ? 'refs/remotes' : 'refs/heads';
  const kept = isDeleting || isMoving ? undefined : (textOf(operands[1]) ?? undefined);
  return discardReferences(request, namesOf(lost, places), kept);
}

function namesOf(words: readonly Word[], place: string): readonly (string | null)[] {
  return words.flatMap((word) => textsOf(word)?.map((name) => `${place}/${name}`) ?? [null]);
}

/** Deleting or renaming a branch always rewrites the settings, even if they do not mention it. */
function changesSettings(request: Request): boolean {
  const { operands, open } = request.reading;
  if (open !== null || operands.some(isMany) || isGiven(request, `${changing} -t --track`)) return true;
  return operands.slice(1).some((word) => textOf(word)?.includes('/') !== false);
}

export function tag(request: Request): ListerResult {
  const { operands, open } = request.reading;
  const isList = isGiven(request, `${lists} -n -n=`);
  if (isGiven(request, '-v --verify -s --sign -u --local-user')) return 'it runs a program for signatures';
  if (open === null && (operands.length === 0 || isList)) return { effects: [], output: tagNames(request) };
  const isNote = isGiven(request, '-a --annotate');
  if (isGiven(request, '-e --edit') || (isNote && !isGiven(request, '-m --message -F --file')))
    return 'it starts an editor';
  const target = isGiven(request, '-d --delete') ? undefined : operands[1];
  if (target !== undefined && !isCommitId(target) && mayBeAlone(request, textOf(target) ?? ':'))
    return 'it may name a folder or a file by itself';
  const why = whyOf(request, ['commit']) ?? hooksOf(request, 'references');
  const isDropping = open !== null || isGiven(request, '-d --delete');
  const dropped = isDropping ? dropReferences(request) : [];
  const isForced = isDropping || isGiven(request, '-f --force');
  const lost = isForced ? lostTags(request) : [];
  const kept = keepReferences(request, why === null && !isForced && rememberTag(request));
  return why ?? [...kept, ...keep(request, 'objects', 'tag'), ...dropped, ...lost];
}

/** Remembers a new tag for later commands of the line. False where something else may happen. */
function rememberTag(request: Request): boolean {
  const { reading, repository, settings } = request;
  const [name, revision = 'HEAD', ...others] = reading.operands.map(textOf);
  const isPlain = /^[\w.-]+$/.test(name ?? '') && others.length === 0;
  // With this value, tags have logs.
  if (!isPlain || !repository || settings.get('core.logallrefupdates') === 'always') return false;
  const id = withPast(request, (past) =>
    past.lacks(name ?? '') && revision !== null ? past.resolve(revision) : null,
  );
  if (id === null) return false;
  rememberName(request, `refs/tags/${name}`, id);
  return true;
}

/** A tag is lost with its name, message and signature; its commits are not. */
function lostTags(request: Request): readonly Effect[] {
  const names = namesOf(request.reading.operands, 'refs/tags');
  const areNew = withPast(request, ({ references }) =>
    names.every((name) => name !== null && !references.byName.has(name)),
  );
  return areNew === true ? [] : discardCommits(request);
}

/** `git stash drop` and `git stash clear`. */
export function references(request: Request): ListerResult {
  const kept = keep(request, 'references', 'objects');
  return hooksOf(request, 'references') ?? [...kept, ...dropReferences(request), ...discardCommits(request)];
}
