import { isMany } from '../../../programs/words.js';
import { textOf } from '../../../word.js';
import { type Act, dropReferences, hooksOf, keep, nothing } from '../act.js';
import { setting } from '../problem.js';
import { isGiven, type Request, whyOf } from '../request.js';

const branchLists = [
  '-l',
  '--list',
  '--contains',
  '--no-contains',
  '--merged',
  '--no-merged',
  '--points-at',
  '--show-current',
];

/** `git branch`: lists, makes, renames and deletes branches. */
export function branch(request: Request): Act {
  const { operands, open } = request.reading;
  const isChanging = isGiven(
    request,
    '-u',
    '--set-upstream-to',
    '--unset-upstream',
    '-d',
    '-D',
    '--delete',
    '-m',
    '-M',
    '--move',
    '-c',
    '-C',
    '--copy',
  );
  if (isGiven(request, '--edit-description')) return 'it starts an editor';
  if (open === null && !isChanging && (operands.length === 0 || isGiven(request, ...branchLists, '-a', '-r')))
    return nothing;
  const why = hooksOf(request, 'references');
  if (why !== null) return why;
  const isDropping = open !== null || isGiven(request, '-d', '-D', '--delete', '-m', '-M', '--move');
  return {
    effects: [
      ...keep(request, 'references'),
      ...(isDropping ? dropReferences(request) : []),
      ...(changesSettings(request) ? setting(request) : []),
    ],
  };
}

/** Deleting a branch without settings leaves the settings unchanged. */
function changesSettings(request: Request): boolean {
  const { operands, open } = request.reading;
  if (open !== null || isGiven(request, '-u', '--set-upstream-to', '--unset-upstream', '-t', '--track'))
    return true;
  const names = operands.map(textOf);
  const isNew = !isGiven(request, '-d', '-D', '--delete', '-m', '-M', '--move', '-c', '-C', '--copy');
  if (operands.some(isMany)) return true;
  if (isNew) return names.slice(1).some((name) => name?.includes('/') !== false);
  const own = (name: string) => request.settings.all.some(({ key }) => key.startsWith(`branch.${name}.`));
  return (
    names.some((name) => name === null || own(name)) ||
    (names.length < 2 && isGiven(request, '-m', '-M', '--move', '-c', '-C', '--copy'))
  );
}

/** `git tag`. */
export function tag(request: Request): Act {
  const { operands, open } = request.reading;
  const isList = isGiven(
    request,
    '-l',
    '--list',
    '-n',
    '-n=',
    '--contains',
    '--no-contains',
    '--merged',
    '--no-merged',
    '--points-at',
  );
  if (isGiven(request, '-v', '--verify', '-s', '--sign', '-u', '--local-user'))
    return 'it runs a program for signatures';
  if (open === null && (operands.length === 0 || isList)) return nothing;
  const isNote = isGiven(request, '-a', '--annotate');
  if (isGiven(request, '-e', '--edit') || (isNote && !isGiven(request, '-m', '--message', '-F', '--file')))
    return 'it starts an editor';
  const why = whyOf(request, ['commit']) ?? hooksOf(request, 'references');
  const isDropping = open !== null || isGiven(request, '-d', '--delete');
  const dropped = isDropping ? dropReferences(request) : [];
  return why ?? { effects: [...keep(request, 'references', 'objects', 'tag'), ...dropped] };
}

/** Other commands that change references alone: `git stash drop`. */
export function references(request: Request): Act {
  const effects = [...keep(request, 'references', 'objects'), ...dropReferences(request)];
  return hooksOf(request, 'references') ?? { effects };
}
