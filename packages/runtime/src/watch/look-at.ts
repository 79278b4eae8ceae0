import { realpathSync, statSync } from 'node:fs';
import { digestOfPlain } from '@ambit/toolsets';

/** What the file system says about a file, without reading it. */
export interface Look {
  /** Where its path leads. */
  readonly real: string;
  /** Device and inode. */
  readonly identity: string;
  /** Changes whenever the file is written: size, and both times in nanoseconds. */
  readonly mark: string;
  readonly size: bigint;
}

/** Looks at a regular file, by whatever links lead to it. Null where there is none. */
export function lookAt(path: string): Look | null {
  try {
    const status = statSync(path, { bigint: true });
    if (!status.isFile()) return null;
    const { dev, ino, size, mtimeNs, ctimeNs } = status;
    const real = realpathSync.native(path);
    return { real, identity: `${dev}:${ino}`, mark: `${size} ${mtimeNs} ${ctimeNs}`, size };
  } catch {
    return null;
  }
}

/** The SHA-256 of a file, in hex; null where it is too large to be read each time, or cannot be read. */
export function digestOfFile(path: string): string | null {
  return digestOfPlain(path, { most: mostBytes });
}

const mostBytes = 16 * 1024 * 1024;
