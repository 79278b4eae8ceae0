import { isBelowRun } from '@ambit/runtime';
import { UnusableError } from './failure.js';
import type { Host } from './host.js';
import { isAtTerminal } from './run-options.js';

/** Refuses what only a person at a terminal does: without one, and below a process that a guarded run started. */
export async function requirePerson(host: Host): Promise<void> {
  await requireOutside(host);
  if (isAtTerminal(host)) return;
  throw new UnusableError(
    'cannot ask: stdin and stderr are not a terminal, so nothing was changed',
    'run this in a terminal yourself',
  );
}

/** Refuses below a process that a guarded run started: no run answers or trusts for itself. */
async function requireOutside({ environment }: Host): Promise<void> {
  if (!(await isBelowRun(environment))) return;
  throw new UnusableError(
    'this was started by a guarded run, which answers and trusts nothing for itself',
    'run this in a terminal of your own',
  );
}
