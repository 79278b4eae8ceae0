import { fdatasyncSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Writes all of it: one call may take a part. */
export async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}

/**
 * Writes all of it; resolves when it is on the disk. Another thread is used only to wait for that; `meanwhile`
 * runs until then.
 */
export async function commitAsync(
  handle: FileHandle,
  parts: readonly Buffer[],
  meanwhile: () => void = () => undefined,
): Promise<void> {
  writeNow(handle, parts);
  const durable = handle.datasync();
  try {
    meanwhile();
  } finally {
    await durable;
  }
}

/** The same, synchronously: without a thread switch for promises. */
export function commitNow(handle: FileHandle, parts: readonly Buffer[]): void {
  writeNow(handle, parts);
  fdatasyncSync(handle.fd);
}

function writeNow({ fd }: FileHandle, parts: readonly Buffer[]): void {
  for (const bytes of parts)
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}
