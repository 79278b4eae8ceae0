import { readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { segmentsOf } from '@ambit/toolsets';

/** Whether a path depends on the process that reads it, which is another one when the command runs. */
export function isOwn(path: string): boolean {
  return /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/fd)(?:\/|$)/.test(path);
}

/** Whether a path leads through `/proc/self`, as `/dev/stdin` does, and so elsewhere for another process. */
export function crossesOwn(path: string): boolean {
  return [...stepsOf(path)].some(({ at }) => isOwn(at));
}

/** Each folder, file and link that the system passes on its way, with the names behind it. */
export function* stepsOf(
  path: string,
  left = 40,
): Generator<{ readonly at: string; readonly rest: readonly string[] }> {
  let at = '';
  const segments = segmentsOf(path);
  for (const [index, segment] of segments.entries()) {
    at = segment === '..' ? posix.dirname(at || '/') : posix.join(at || '/', segment);
    const rest = segments.slice(index + 1);
    yield { at, rest };
    const target = left === 0 ? null : orNull(() => readlinkSync(at));
    if (target === null) continue;
    const start = target.startsWith('/') ? target : `${posix.dirname(at)}/${target}`;
    yield* stepsOf(`${start}/${rest.join('/')}`, left - 1);
    return;
  }
}
