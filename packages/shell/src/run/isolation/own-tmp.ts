import { realpathSync } from 'node:fs';
import type { Capability } from '@ambit/core';
import { isUnder } from '@ambit/toolsets';

/** A folder that programs write in by themselves. */
const tmp = '/tmp';

/**
 * Whether a command gets its own empty `/tmp`, removed afterwards: an opaque command that names nothing
 * there. Compilers and runtimes that ignore `TMPDIR` then work, and sockets in `/tmp` are hidden.
 */
export function hasOwnTmp(described: readonly Capability[], places: readonly string[]): boolean {
  if (!described.some(({ name }) => name === 'proc.exec.opaque')) return false;
  if (/(?<![\w.~-])\/tmp(?![\w.-])/.test(JSON.stringify(described))) return false;
  return !places.some((place) => isUnder(place, tmp) || isUnder(tmp, place)) && isItself();
}

function isItself(): boolean {
  try {
    return realpathSync(tmp) === tmp;
  } catch {
    return false;
  }
}
