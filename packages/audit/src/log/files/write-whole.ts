import { randomBytes } from 'node:crypto';
import { chmod, link, open, rename, rm } from 'node:fs/promises';
import { errorCode } from '@ambit/core';

interface Writing {
  /** Permissions of the file, regardless of the umask; 0600 by default. */
  readonly mode?: number;
  /** Called when the content is on disk: whether the file may still be replaced. */
  readonly mayReplace?: () => Promise<boolean>;
}

/** Replaces a file durably and atomically. False if `mayReplace` is false. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  { mode, mayReplace }: Writing = {},
): Promise<boolean> {
  return withDraft(file, { content, mode: mode ?? 0o600 }, async (draft) => {
    if (mode !== undefined) await chmod(draft, mode);
    if (mayReplace !== undefined && !(await mayReplace())) return false;
    await rename(draft, file);
    return true;
  });
}

/** Creates a file durably and atomically. Rejects with `EEXIST` if the name is taken. */
export async function createWhole(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600 }: { readonly mode?: number } = {},
): Promise<void> {
  await withDraft(file, { content, mode }, (draft) => link(draft, file));
}

/** Creates a file like `createWhole`. False if the name is taken, also by a process at the same time: that file stays. */
export async function createOnce(file: string, content: string | Uint8Array): Promise<boolean> {
  return createWhole(file, content).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    },
  );
}

async function withDraft<T>(
  file: string,
  { content, mode }: { readonly content: string | Uint8Array; readonly mode: number },
  place: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  // A new file is never another user's link.
  const handle = await open(draft, 'wx', mode);
  try {
    try {
      await handle.writeFile(content);
      await handle.sync();
    } catch (error) {
      // The system names no file whose content it refuses.
      throw Object.assign(error as Error, { path: file });
    } finally {
      await handle.close();
    }
    return await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}
