import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { isBelowRun } from '@ambit/runtime';
import { UnusableError } from '../failure.js';
import type { Host } from '../host.js';

/** The operating system's word on who answers; the environment may say anything. */
export function personOf({ environment }: Pick<Host, 'environment'>): string {
  try {
    return userInfo().username;
  } catch {
    return environment.USER || 'somebody';
  }
}

/** Requires a person at a terminal, and refuses below a guarded run: a run must not answer for itself. */
export async function requirePerson(host: Host): Promise<void> {
  if (await isBelowRun(host.environment))
    throw new UnusableError(
      'this was started by a guarded run, which may not answer or trust for itself',
      'run this in a terminal of your own',
    );
  if (isAtTerminal(host)) return;
  throw new UnusableError(
    'cannot ask: stdin and stderr are not a terminal; nothing was changed',
    'run this in a terminal yourself',
  );
}

/** Whether a person at a terminal can be asked. */
export function isAtTerminal({ stdin, stderr }: Host): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** A closed terminal is a no. */
export async function confirm(host: Host, question: string): Promise<boolean> {
  const asking = createInterface({ input: host.stdin, output: host.stderr });
  const left = new Promise<string>((done) => asking.once('close', () => done('')));
  try {
    return /^y(?:es)?$/i.test((await Promise.race([asking.question(question), left])).trim());
  } finally {
    asking.close();
  }
}
