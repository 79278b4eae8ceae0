import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printableLines } from '@ambit/core';

/** A working folder for one run of an example, and an environment that keeps ambit's state in it. */
export interface Scratch {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Gives an example a folder of its own, and removes it afterwards. If the example throws, its result was wrong: the error is
 * printed, and the exit code is 1.
 */
export async function withScratch(use: (scratch: Scratch) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ambit-example-')));
  try {
    await use({ folder, environment: { ...process.env, AMBIT_HOME: join(folder, 'state') } });
  } catch (error) {
    process.exitCode = 1;
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${printableLines(`wrong: ${why}`)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
