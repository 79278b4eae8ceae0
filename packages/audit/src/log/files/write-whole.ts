import { randomBytes } from 'node:crypto';
import { chmod, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { errorCode } from '@ambit/core';

interface Writing {
  /** Permissions of the file, regardless of the umask; 0600 by default. */
  readonly mode?: number;
  /** Called when the content is on disk: whether the file may still be replaced. */
  readonly mayReplace?: () => Promise<boolean>;
}

/** A text, bytes, or the parts of a text. */
type Content = string | Uint8Array | Iterable<string>;

/** Replaces a file durably and atomically. False if `mayReplace` is false. */
export async function writeWhole(
  file: string,
  content: Content,
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
  content: Content,
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
  { content, mode }: { readonly content: Content; readonly mode: number },
  place: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  // The system names the draft, or no file if it refuses the content.
  const fail = (error: Error): never => {
    throw Object.assign(error, { path: file });
  };
  // A new file is never another user's link.
  const handle = await open(draft, 'wx', mode).catch(fail);
  try {
    try {
      await writeFile(handle, content).catch(fail);
      await handle.sync().catch(fail);
    } finally {
      await handle.close();
    }
    return await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}
