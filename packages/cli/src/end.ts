import { type Exit, failureOf, UnusableError } from './failure.js';

/** Ends the process once everything is written. Not `exitCode` alone: an input that nobody reads to its end would keep it alive. */
export function endWith(exit: Exit): void {
  process.stdout.write('', () => process.exit(exit));
}

/** The last resort, in one line; a stack is not for a user to read. */
export function endBadly(error: unknown): never {
  const { message, hint } = failureOf(error);
  const advice =
    error instanceof UnusableError ? hint : 'this is a mistake in the program itself; please report it';
  process.stderr.write(`ambit: ${message.replace(/[^\x20-\x7e]/g, '?')}\nhint: ${advice}\n`);
  process.exit(2);
}
