import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { type Capability, isOpaque, orNull } from '@ambit/core';
import { allRoots, isProgram, isUnder, type Roots } from '@ambit/toolsets';
import type { Bounds } from './bounds.js';
import { bubblewrapArguments, type Confinement } from './bubblewrap.js';
import type { Hidden } from './hidden.js';
import { insideOf } from './inside.js';
import { mountsOf } from './mounts.js';
import { namespacesArguments } from './namespaces.js';

/** What confines commands, on this machine: policies may read it as `context.isolation`. */
export type IsolationKind = 'none' | 'bubblewrap' | 'namespaces';

export interface Isolation {
  readonly kind: Exclude<IsolationKind, 'none'>;
  /** Absolute path of `bwrap` or `unshare`. */
  readonly program: string;
}

export interface Confined {
  readonly command: string;
  /** Real path. */
  readonly folder: string;
  readonly bounds: Bounds;
  readonly roots: Roots;
  readonly hidden?: readonly Hidden[];
  /** The described changes; absent if there are none. */
  readonly described?: readonly Capability[];
  /** How long processes that a command leaves behind may run, in milliseconds. */
  readonly linger: number;
}

/** The program and the arguments that run a command within bounds. */
export function confined(
  { kind, program }: Isolation,
  { command, folder, bounds, roots, linger, hidden = [], described = [] }: Confined,
): { readonly program: string; readonly args: readonly string[] } {
  const mounts = mountsOf(bounds.writable, roots);
  const seen = [folder, ...mounts.map(({ path }) => path), ...allRoots(roots).map(({ real }) => real)];
  const hides_run = !bounds.has_network && !seen.some((path) => isUnder(path, '/run'));
  const has_own_tmp = hasOwnTmp(described, seen);
  const isGone = (path: string) =>
    (hides_run && isUnder(path, '/run')) || (has_own_tmp && isUnder(path, '/tmp'));
  const confinement: Confinement = {
    mounts,
    has_network: bounds.has_network,
    hides_run,
    has_own_tmp,
    hidden: hidden.filter(({ path }) => !isGone(path)),
    inside: insideOf(command, { linger, folder, mounts }),
  };
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const args =
    kind === 'bubblewrap' ? bubblewrapArguments(confinement) : namespacesArguments(confinement, user);
  return { program, args };
}

/** The kinds whose programs exist, the better one first. They may still fail on this system. */
export function candidates(folders: readonly string[]): readonly Isolation[] {
  const found = (name: string) => folders.map((folder) => posix.join(folder, name)).find(isProgram);
  const [bwrap, unshare] = [found('bwrap'), found('unshare')];
  return [
    ...(bwrap === undefined ? [] : [{ kind: 'bubblewrap' as const, program: bwrap }]),
    ...(unshare === undefined ? [] : [{ kind: 'namespaces' as const, program: unshare }]),
  ];
}

/** A folder that programs write in by themselves. */
const tmp = '/tmp';

/**
 * Whether a command gets its own empty `/tmp`, removed afterwards: an opaque command that names nothing
 * there. Compilers and runtimes that ignore `TMPDIR` then work, and sockets in `/tmp` are hidden.
 */
function hasOwnTmp(described: readonly Capability[], places: readonly string[]): boolean {
  if (!described.some(({ name }) => isOpaque(name))) return false;
  if (/(?<![\w.~-])\/tmp(?![\w.-])/.test(JSON.stringify(described))) return false;
  return (
    !places.some((place) => isUnder(place, tmp) || isUnder(tmp, place)) &&
    orNull(() => realpathSync(tmp)) === tmp
  );
}
