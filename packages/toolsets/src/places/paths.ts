import { realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { errorCode } from '@ambit/core';

export { isUnder } from '@ambit/core';

/** Whether a text can only mean a folder, as the system takes it. */
export function namesFolder(path: string): boolean {
  return /\/\.{0,2}$/.test(path);
}

export function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Absolute, without `.`, `..`, empty segments or a slash at its end. Works on the text alone. */
export function plainPath(absolute: string): string {
  const path = posix.normalize(absolute);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The real path of the existing part, and the rest unchanged. Throws if the system refuses access. */
export function realPathOf(absolute: string): string {
  const path = plainPath(absolute);
  try {
    // Of a missing path, the exception takes far longer.
    if (path === '/' || statSync(path, { throwIfNoEntry: false })) return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === '/') throw error;
  }
  return posix.join(realPathOf(posix.dirname(path)), posix.basename(path));
}
