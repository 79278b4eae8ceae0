import type { FileHandle } from 'node:fs/promises';
import { messageOf } from '@ambit/core';
import { LogError } from '../files/log-error.js';
import { openToAppend } from '../files/open-file.js';
import { writeAll } from '../files/write-all.js';
import { openFile, WrittenFiles } from '../segments/written-files.js';
import type { MerkleTree } from '../tree/merkle-tree.js';
import type { SigningKey } from '../tree/note-key.js';
import { headsNameOf, type NotesFile } from '../tree/notes-file.js';
import { originOf, signedHead } from '../tree/tree-head.js';
import { setAside } from './recover.js';

/** When a head is signed, besides the beginning and the end. */
export interface HeadInterval {
  /** After this many entries. */
  readonly entries: number;
  /** After an entry that no head covers. */
  readonly seconds: number;
}

export interface HeadWriter {
  take(lineHashes: readonly string[]): void;
  isDue(): boolean;
  /** Whether there is an entry that no head covers. */
  isBehind(): boolean;
  /** Resolves when the head is durable. */
  sign(): Promise<void>;
  close(): Promise<void>;
}

interface SigningOptions {
  readonly run: string;
  readonly tree: MerkleTree;
  readonly signer: SigningKey;
  readonly every: HeadInterval;
  /** Called when a head is due by time. */
  readonly onDue: () => void;
}

/** Opens the heads of a log, and signs the existing entries. */
export async function createHeadWriter(
  { file, found }: { readonly file: string; readonly found: NotesFile | null },
  options: SigningOptions,
): Promise<HeadWriter> {
  const name = headsNameOf(file);
  const handle = await openToAppend(name);
  try {
    const torn = found?.torn ?? null;
    if (torn !== null) await setAside(name, handle, torn);
    const writer = headWriter(name, handle, options);
    await writer.sign();
    return writer;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function headWriter(
  name: string,
  handle: FileHandle,
  { run, tree, signer, every, onDue }: SigningOptions,
): HeadWriter {
  const origin = originOf(signer.verifier.name, run);
  let covered = tree.size;
  const files = new WrittenFiles(openFile(name, handle.fd));
  let timer: NodeJS.Timeout | null = null;
  let isTime = false;
  const wait = () => {
    timer ??= setTimeout(() => {
      isTime = true;
      onDue();
    }, every.seconds * 1000).unref();
  };
  return {
    take: (lineHashes) => {
      for (const lineHash of lineHashes) tree.append(lineHash);
      if (tree.size > covered) wait();
    },
    isDue: () => isTime || tree.size - covered >= every.entries,
    isBehind: () => tree.size > covered,
    sign: async () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      isTime = false;
      covered = tree.size;
      try {
        // Each with an empty line after it, which tells a whole one from a torn one.
        const note = `${signedHead({ origin, size: covered, root: tree.root() }, signer)}\n`;
        const bytes = Buffer.from(note);
        await writeAll(handle, bytes);
        await handle.datasync();
        files.grow(bytes.length);
        files.requireNext();
      } catch (cause) {
        if (cause instanceof LogError) throw cause;
        const message = `a tree head of the log cannot be written: ${messageOf(cause)}`;
        throw new LogError('WRITE_FAILED', message, { file: name, cause });
      }
    },
    close: async () => {
      if (timer !== null) clearTimeout(timer);
      await handle.close();
    },
  };
}
