import { fstatSync, lstatSync } from 'node:fs';
import { errorCode, printable } from '@ambit/core';
import { LogError } from '../files/log-error.js';

/** A file of a log as its writer left it: the same inode, of the same size, under the same name. */
interface WrittenFile {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  size: number;
  /** Null while it is being written. */
  readonly modified: number | null;
}

export function openFile(path: string, descriptor: number): WrittenFile {
  return { ...closedFile(path, fstatSync(descriptor)), modified: null };
}

/** A finished file. Throws if it is missing. */
function closedFile(path: string, { dev, ino, size, mtimeMs } = lstatSync(path)): WrittenFile {
  return { path, device: dev, inode: ino, size, modified: mtimeMs };
}

/** Throws if a file is not as its writer left it: writes would be lost. */
function requireUnchanged(file: WrittenFile): void {
  const change = changeOf(file);
  if (change === null) return;
  const message = `the log cannot be written: ${printable(file.path)} ${change} during the run`;
  throw new LogError('LOST', message, { file: file.path });
}

function changeOf({ path, device, inode, size, modified }: WrittenFile): string | null {
  try {
    const found = lstatSync(path);
    if (found.dev !== device || found.ino !== inode) return 'was replaced';
    if (found.size < size) return 'was truncated';
    const isSame = found.size === size && (modified === null || found.mtimeMs === modified);
    return isSame ? null : 'was changed by another program';
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'was removed';
    throw error;
  }
}

/** Changes with content, inode, mode or owner; with `statSync`, of the file that a link leads to. */
export function stateOf(path: string, statusOf: typeof lstatSync = lstatSync): string {
  const found = statusOf(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return 'missing';
  const { dev, ino, mode, uid, size, mtimeNs, ctimeNs } = found;
  return [dev, ino, mode, uid, size, mtimeNs, ctimeNs].join(' ');
}

export class WrittenFiles {
  #closed: WrittenFile[] = [];
  #open: WrittenFile;
  #turn = 0;

  constructor(open: WrittenFile) {
    this.#open = open;
  }

  /** Adds a finished file: an ended segment, a manifest. */
  add(path: string): void {
    this.#closed.push(closedFile(path));
  }

  /** Adds the number of bytes that were written. */
  grow(bytes: number): void {
    this.#open.size += bytes;
  }

  rotate(next: WrittenFile): void {
    this.requireAll();
    this.add(this.#open.path);
    this.#open = next;
  }

  /** Checks the open file and, in turn, one of the others. Throws a `LogError`. */
  requireNext(): void {
    requireUnchanged(this.#open);
    const next = this.#closed[this.#turn % this.#closed.length];
    this.#turn += 1;
    if (next !== undefined) requireUnchanged(next);
  }

  /** Changes when any of them changes. */
  state(): string {
    return [this.#open, ...this.#closed].map(({ path }) => stateOf(path)).join('\n');
  }

  requireAll(): void {
    for (const file of [this.#open, ...this.#closed]) requireUnchanged(file);
  }
}
