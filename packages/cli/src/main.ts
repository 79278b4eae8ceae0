import { endBadly } from './failure.js';
import { endWith, processHost } from './process-host.js';
import { runProgram } from './program.js';

process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);

endWith(await runProgram(process.argv.slice(2), processHost()));
