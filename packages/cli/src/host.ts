import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { jsonText } from '@ambit/core';
import type { Environment } from '@ambit/runtime';

export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Environment;
  /** How the user calls this program, quoted for a shell. */
  readonly program: string;
  /** Absent unless the program was built as one file; only that keeps checked forms of policies. */
  readonly build?: string | undefined;
  /** Called with each policy file and suite before it is read. */
  readonly onRead?: (path: string) => void;
  /** The working folder, absolute. */
  readonly folder: string;
  readonly machinePolicy: string;
  /** Handles requests to end the program, by the user or by the system. The returned function stops handling. */
  onInterrupt(handler: (by: { readonly isSystem: boolean }) => void): () => void;
  interrupt(): void;
}

export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Writes a document as one line of JSON, or a text with a line break at its end. */
export async function print({ stdout }: Pick<Host, 'stdout'>, shown: string | object): Promise<void> {
  const text = typeof shown === 'string' ? shown : jsonText(shown);
  await write(stdout, text.endsWith('\n') ? text : `${text}\n`);
}

/** All of a stream; null where it is longer than `most` bytes. */
export function wholeOf(stream: Readable, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    stream.on('error', reject).on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('data', (chunk: Uint8Array | string) => {
      size += chunk.length;
      chunks.push(Buffer.from(chunk as Uint8Array));
      if (size <= most) return;
      stream.destroy();
      resolve(null);
    });
  });
}

/** UTF-8 as text, without a byte order mark. */
export function withoutMark(bytes: Buffer): string {
  return bytes.toString().replace(/^\uFEFF/, '');
}

/** Writes, and waits while the reader is slower than we are. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || stream.write(text) || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      stream.off('drain', go).off('close', go);
      resolve();
    };
    // A stream that closes never drains.
    stream.on('drain', go).on('close', go);
  });
}

/** False for a missing folder and for a broken link. */
export async function isFolder({ folder }: Pick<Host, 'folder'>, path: string): Promise<boolean> {
  return (await stat(resolve(folder, path)).catch(() => null))?.isDirectory() === true;
}
