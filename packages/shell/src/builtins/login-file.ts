import { orNull } from '@ambit/core';
import { followNow, readPlain, rootsAt } from '@ambit/toolsets';
import { Outside } from '../state/outside.js';
import { nextLine, type Scope, settle } from '../state/scope.js';
import { join, type State } from '../state/state.js';
import { mayDiffer, mayHaveChangedBelow, type World } from '../world.js';

/** The longest login file that is followed, in bytes. */
const mostBytes = 131_071;

/** Walks a file of a login shell in this shell, as `. FILE` does. Throws `Outside` for one that may be another. */
export function sourceFile(path: string, scope: Scope): void {
  const { world } = scope.walk;
  const isSame = !mayDiffer(path, world.changes) && !isOfRoot(path, world.roots);
  if (isSame && isGone(path, world)) return;
  const source = orNull(() => readPlain(path, mostBytes).toString('utf8'));
  if (
    !isSame ||
    world.listing.kind(path) !== 'file' ||
    source === null ||
    source.includes('\ufffd') ||
    scope.depth > mostDepth
  )
    throw new Outside('this file cannot be followed', path);
  const returns: State[] = [];
  const inner: Scope = { ...scope, returns, failures: [], source, depth: scope.depth + 1 };
  scope.walk.here(source, inner);
  settle(inner);
  nextLine(inner);
  scope.state = returns.reduce(join, inner.state);
}

/** How deeply login files may read others. */
const mostDepth = 20;

/** Whether a login file may set this search path: no line can change what it names, so it is as trusted as any other. */
export function isTrustedPath(name: string, value: string | null, { isLogin, walk }: Scope): boolean {
  const { roots, changes } = walk.world;
  const isTrusted = (folder: string) =>
    /^\/(?!.*(?:\/shims|volta))/.test(folder) &&
    !isOfRoot(folder, roots) &&
    !mayDiffer(folder, changes) &&
    !mayHaveChangedBelow(folder, changes);
  return isLogin === true && name === 'PATH' && value?.split(':').every(isTrusted) === true;
}

/** Whether a path, or the place to which it leads, is or may be in a root. */
export function isOfRoot(path: string, roots: World['roots']): boolean {
  return [path, followNow(path).real].some((each) => each === null || rootsAt(each, roots).length > 0);
}

/** Whether a file is missing, and no earlier command of the line may have made it. */
export function isGone(path: string, { listing, changes }: World): boolean {
  return listing.kind(path) === null && !mayDiffer(path, changes);
}
