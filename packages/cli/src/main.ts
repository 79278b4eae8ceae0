#!/usr/bin/env node
import { failureOf, UnusableError } from './failure.js';
import { processHost } from './process-host.js';
import { runProgram } from './program.js';

process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);

const exit = await runProgram(process.argv.slice(2), processHost());
// Not `exitCode` alone: an input that nobody reads to its end would keep the process alive.
process.stdout.write('', () => process.exit(exit));

/** The last resort, in one line; a stack is not for a user to read. */
function endBadly(error: unknown): never {
  const { message, hint } = failureOf(error);
  const advice =
    error instanceof UnusableError ? hint : 'this is a mistake in the program itself; please report it';
  process.stderr.write(`ambit: ${message.replace(/[^\x20-\x7e]/g, '?')}\nhint: ${advice}\n`);
  process.exit(2);
}
