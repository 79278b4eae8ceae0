import type { Readable, Writable } from 'node:stream';
import { jsonText } from '@ambit/core';

export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How the user calls this program: as a shell takes it. */
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

export async function writeJson({ stdout }: Pick<Host, 'stdout'>, document: unknown): Promise<0> {
  await write(stdout, `${jsonText(document)}\n`);
  return 0;
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
