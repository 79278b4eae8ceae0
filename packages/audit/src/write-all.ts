import type { FileHandle } from 'node:fs/promises';

/** Writes all of it: one call may take a part. */
export async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}
