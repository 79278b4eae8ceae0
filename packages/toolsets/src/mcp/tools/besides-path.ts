import { type Capability, isWithin } from '@ambit/core';
import { type GuardedPlace, guardsAt } from '../../places/guarded.js';
import { wellKnownAt } from '../../places/well-known.js';

/**
 * The further capabilities of touching a file, as for every toolset: well-known places, and what guards the
 * run.
 */
export function besidesPath(
  { name, path }: Capability,
  { homes, guarded }: { readonly homes: readonly string[]; readonly guarded: readonly GuardedPlace[] },
): readonly Capability[] {
  if (typeof path !== 'string') return [];
  if (isWithin(name, 'fs.read')) return wellKnownAt(path, 'secret.read', homes);
  if (isWithin(name, 'fs.delete')) return guardsAt(path, guarded);
  if (isWithin(name, 'fs.write') || isWithin(name, 'fs.meta'))
    return [...wellKnownAt(path, 'sys.persist', homes), ...guardsAt(path, guarded)];
  return [];
}
