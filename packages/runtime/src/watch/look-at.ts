import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

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
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = fstatSync(descriptor);
      return status.isFile() && status.size <= mostBytes ? digestOf(descriptor) : null;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

const mostBytes = 16 * 1024 * 1024;

function digestOf(descriptor: number): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(65_536);
  for (;;) {
    const read = readSync(descriptor, chunk);
    if (read === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, read));
  }
}
