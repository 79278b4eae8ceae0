import { openRoots } from '@ambit/toolsets';
import { environmentOf } from '../environment.js';
import { runProcess, usualLimits } from '../run-process.js';
import { usualSearchPath } from '../search-path.js';
import { candidates, confined, type Isolation } from './isolation.js';

/** The isolation of this machine: the first kind that can run a trivial command. Null if none can. */
export async function findIsolation(folders: readonly string[] = usualSearchPath): Promise<Isolation | null> {
  for (const isolation of candidates(folders)) if (await works(isolation)) return isolation;
  return null;
}

async function works(isolation: Isolation): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { program, args } = confined(isolation, {
    command: 'true',
    folder: '/',
    bounds: { writable: [], has_network: false },
    roots: openRoots([]),
    linger: 0,
  });
  try {
    const { exit_code } = await runProcess({
      program,
      args,
      environment: environmentOf({}, { searchPath: usualSearchPath, home: '/', is_isolated: true }),
      folder: '/',
      is_confined: true,
      limits: { ...usualLimits, time: 20_000 },
      signal: new AbortController().signal,
    });
    return exit_code === 0;
  } catch {
    return false;
  }
}
