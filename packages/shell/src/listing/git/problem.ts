import { joinPath } from '../../files/listing.js';
import { off } from '../../programs/language/git.js';
import { mayHaveChanged, mayHaveChangedBelow } from '../../world.js';
import { driversOf } from './attributes.js';
import { hooksOf, placesOfHooks } from './own-files.js';
import { isGiven, type Request, whyOf } from './request.js';
import { foldersBelow, type WorkTree } from './work/work-tree.js';

/** Why a command that changes files and references is unknown. The files that it writes may be hooks. */
export function problemOf(request: Request, work: WorkTree): string | null {
  const isWritten = (place: string) =>
    place.startsWith(`${work.tree}/`) && !place.startsWith(`${work.repository.common}/`);
  const place = placesOfHooks(request, work.repository).find(isWritten);
  if (place !== undefined) return `it may write hooks in \`${place}\`, and start them`;
  const sparse = request.settings.get('core.sparsecheckout') ?? 'false';
  if (!off.test(sparse)) return 'patterns choose further files that it writes and removes';
  return (
    whyOf(request, ['filter', 'merge']) ??
    hooksOf(request, 'references') ??
    submodulesOf(work) ??
    interactiveProblem(request)
  );
}

/** Why a command that only changes files and the index is unknown. To write the index, git compares files. */
export function indexProblem(request: Request, work: WorkTree): string | null {
  return driversOf(request, 'filter') ?? hooksOf(request, 'index') ?? submodulesOf(work);
}

export const noProblem = (): null => null;

export function interactiveProblem(request: Request): string | null {
  return isGiven(request, '-p --patch -i --interactive') ? whyOf(request, ['interactive']) : null;
}

/** Repositories in the index have settings and hooks of their own, which git follows there. */
export function submodulesOf(work: WorkTree): string | null {
  const { index, added, tree, world } = work;
  const modules = (index?.entries ?? []).filter(({ kind }) => kind === 'submodule');
  const skip = ({ path }: { readonly path: string }) => path.endsWith('/.git');
  const others =
    index === null
      ? world.listing.below(tree, { skip }).entries.map(({ path }) => path)
      : foldersBelow(
          work,
          [...added].map((path) => joinPath(tree, `${path}/.`)),
        );
  const folders = others.filter(
    (path) => world.listing.kind(path) !== 'link' || mayHaveChanged(path, world.changes),
  );
  const found = [...modules.map(({ path }) => joinPath(tree, path)), ...folders].find((folder) => {
    const place = `${folder}/.git`;
    // Removing a file does not create a repository.
    const made = { ...world.changes, removed: new Set<string>() };
    return folder !== tree && (world.listing.kind(place) !== null || mayHaveChangedBelow(place, made));
  });
  return found === undefined ? null : `it runs git in the submodule \`${found}\``;
}
