import type { Readable, Writable } from 'node:stream';

/** What the program stands on: its streams and surroundings, given by whoever starts it. */
export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How the user calls this program: as a shell takes it. */
  readonly program: string;
  /** The working folder, absolute. */
  readonly folder: string;
  /** The machine's own policy, which is added where it exists. */
  readonly machinePolicy: string;
  /**
   * From now on, who wants to end the program is heard here first: the user, or the system (`isSystem`), which ends its terminal or goes down. Returns
   * what ends that.
   */
  onInterrupt(handler: (by: { readonly isSystem: boolean }) => void): () => void;
  /** The same as when the user interrupts from outside. */
  interrupt(): void;
}

export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Writes, and waits while the reader is slower than we are. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (text === '' || stream.write(text) || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      stream.off('drain', go).off('close', go);
      resolve();
    };
    // A stream that closes never drains.
    stream.on('drain', go).on('close', go);
  });
}
