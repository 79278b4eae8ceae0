import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { quotedWord } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import type { RunConfined } from '@ambit/toolsets/testing';
import { environmentOf } from './environment.js';
import { boundsOf } from './isolation/bounds.js';
import { findIsolation } from './isolation/find-isolation.js';
import { confined, type Isolation } from './isolation/isolation.js';
import { runProcess, usualLimits } from './run-process.js';
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
  const roots = openRoots([]);
  const folder = realpathSync('.');
  const { program, args: words } = confined(isolation, {
    command: [process.execPath, ...args].map(quotedWord).join(' '),
    folder,
    bounds: boundsOf(capabilities, { roots, writes: 'described' }),
    roots,
    linger: 0,
  });
  const searchPath = [...usualSearchPath, dirname(process.execPath)];
  const { exit_code, stderr, timed_out } = await runProcess({
    program,
    args: words,
    environment: environmentOf({}, { searchPath, home: homedir(), is_isolated: true }),
    folder,
    is_confined: true,
    limits: { ...usualLimits, time: 60_000 },
    signal: new AbortController().signal,
  });
  return { exit_code, timed_out, stderr: stderr.text };
}
