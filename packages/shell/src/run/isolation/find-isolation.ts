import { openRoots } from '@ambit/toolsets';
import { environmentOf, type FixedEnvironment } from '../environment.js';
import { type Ended, runProcess, usualLimits } from '../run-process.js';
import { usualSearchPath } from '../search-path.js';
import { type Confined, candidates, confined, type Isolation } from './isolation.js';

/** The isolation of this machine: the first kind that can run a trivial command. Null if none can. */
export async function findIsolation(folders: readonly string[] = usualSearchPath): Promise<Isolation | null> {
  for (const isolation of candidates(folders)) if (await works(isolation)) return isolation;
  return null;
}

async function works(isolation: Isolation): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const bounds = { writable: [], has_network: false };
  const place = { folder: '/', home: '/', searchPath: usualSearchPath };
  try {
    return (await runWithin(isolation, { command: 'true', bounds, ...place, time: 20_000 })).exit_code === 0;
  } catch {
    return false;
  }
}

type Within = Pick<Confined, 'command' | 'folder' | 'bounds'> & FixedEnvironment & { readonly time: number };

/** Runs a command outside any call, for at most `time` milliseconds. */
export function runWithin(
  isolation: Isolation,
  { time, searchPath, home, ...given }: Within,
): Promise<Ended> {
  return runProcess({
    ...confined(isolation, { ...given, roots: openRoots([]), linger: 0 }),
    environment: environmentOf({}, { searchPath, home, is_isolated: true }),
    folder: given.folder,
    is_confined: true,
    limits: { ...usualLimits, time },
    signal: new AbortController().signal,
  });
}
