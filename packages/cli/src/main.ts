import { endBadly } from './failure.js';
import { endWith, processHost } from './process-host.js';
import { runProgram } from './program.js';

export { runProgram };

/** Every command, in one bundle. */
export function start(argv: readonly string[]): void {
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  void runProgram(argv, processHost()).then(endWith);
}
