import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { followNow, readPlain, rootsAt } from '@ambit/toolsets';
import { loginUseOf } from '../facts/variable.js';
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
  const isUsual = posix.dirname(path) === world.home && usual.test(posix.basename(path));
  try {
    scope.walk.here(source, inner);
  } catch (error) {
    if (!(error instanceof Outside) || error.place !== undefined || !isUsual) throw error;
    const line = inner.at === undefined ? '' : `line ${source.slice(0, inner.at).split('\n').length} of `;
    throw new Outside(error.why, error.written, `${line}\`~/${posix.basename(path)}\``);
  }
  settle(inner);
  nextLine(inner);
  scope.state = returns.reduce(join, inner.state);
}

/** Names of files that tell nothing about the person. */
const usual = /^\.(?:bash(?:rc|_(?:profile|login|logout|aliases))|profile)$/;

/** How deeply login files may read others. */
const mostDepth = 20;

/** Whether a login file may set this search path: no line can change what it names, so it is as trusted as any other. */
export function isTrustedPath(name: string, value: string | null, { isLogin, walk }: Scope): boolean {
  const isTrusted = isLogin === true && name === 'PATH' && areTrusted(value, walk.world);
  for (const folder of isTrusted ? (value?.split(':') ?? []) : [])
    if (/\/shims|volta/.test(folder)) walk.notes.shims.add(folder);
  return isTrusted;
}

/** Whether a login file may set this variable, which notes a prompt: no description depends on it. */
export function isOfLogin(name: string, value: string | null, { isLogin, walk }: Scope): boolean {
  const use = isLogin === true ? loginUseOf(name) : null;
  if (isLogin === true && name === 'PS1') walk.notes.hasPrompt = true;
  const isName = value !== null && /^[\w-]*(?: -[\w-]+)*$/.test(value);
  return use === 'any' || (use === 'names' ? isName : use === 'folders' && areTrusted(value, walk.world));
}

function areTrusted(folders: string | null, { roots, changes }: World): boolean {
  const isTrusted = (folder: string) =>
    folder.startsWith('/') &&
    !isOfRoot(folder, roots) &&
    !mayDiffer(folder, changes) &&
    !mayHaveChangedBelow(folder, changes);
  return folders?.split(':').every(isTrusted) === true;
}

/** Whether a path, or the place to which it leads, is or may be in a root. */
export function isOfRoot(path: string, roots: World['roots']): boolean {
  return [path, followNow(path).real].some((each) => each === null || rootsAt(each, roots).length > 0);
}

/** Whether a file is missing, and no earlier command of the line may have made it. */
export function isGone(path: string, { listing, changes }: World): boolean {
  return listing.kind(path) === null && !mayDiffer(path, changes);
}
