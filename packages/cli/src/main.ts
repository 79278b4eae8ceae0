#!/usr/bin/env node
import { failureOf } from './failure.js';
import { processHost } from './process-host.js';
import { runProgram } from './program.js';

process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);

const exit = await runProgram(process.argv.slice(2), processHost());
// Not `exitCode` alone: an input that nobody reads to its end would keep the process alive.
process.stdout.write('', () => process.exit(exit));

/** A bug, in one line; what it was is not for a user to read from a stack. */
function endBadly(error: unknown): never {
  const message = failureOf(error).message.replace(/[^\x20-\x7e]/g, '?');
  process.stderr.write(
    `ambit: ${message}\nhint: this is a mistake in the program itself; please report it\n`,
  );
  process.exit(2);
}
