import { realpathSync } from 'node:fs';
import type { Capability } from '@ambit/core';
import { isUnder } from '@ambit/toolsets';

/** A folder that programs write in whatever they are told. */
const tmp = '/tmp';

/**
 * Whether a command gets an empty `/tmp` of its own, which is gone afterwards: an opaque one that names nothing there. A
 * compiler or a runtime that knows no `TMPDIR` works then, and sockets of services in `/tmp` are out of sight.
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
