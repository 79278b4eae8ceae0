import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A working folder for one run of an example, and an environment that keeps ambit's state in it. */
export interface Scratch {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Gives an example a folder of its own and removes it afterwards, so that running one leaves nothing behind. */
export async function withScratch(use: (scratch: Scratch) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ambit-example-')));
  try {
    await use({ folder, environment: { ...process.env, AMBIT_HOME: join(folder, 'state') } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
