import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { quotedWord } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import type { RunConfined } from '@ambit/toolsets/testing';
import { boundsOf } from './isolation/bounds.js';
import { findIsolation, runWithin } from './isolation/find-isolation.js';
import type { Isolation } from './isolation/isolation.js';
import { usualSearchPath } from './search-path.js';

/** Runs Node within the limits of a toolset's report, for `checkToolset`; null without isolation. */
export async function findRunConfined(): Promise<RunConfined | null> {
  const isolation = await findIsolation();
  return isolation === null ? null : (program) => runConfined(isolation, program);
}

async function runConfined(
  isolation: Isolation,
  { args, capabilities }: Parameters<RunConfined>[0],
): ReturnType<RunConfined> {
  const { exit_code, stderr, timed_out } = await runWithin(isolation, {
    command: [process.execPath, ...args].map(quotedWord).join(' '),
    folder: realpathSync('.'),
    bounds: boundsOf(capabilities, { roots: openRoots([]), writes: 'described' }),
    searchPath: [...usualSearchPath, dirname(process.execPath)],
    home: homedir(),
    time: 60_000,
  });
  return { exit_code, timed_out, stderr: stderr.text };
}
