import { fstatSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Written } from '@ambit/agents';
import { type AnswerOptions, answerOf } from './commands/hook/answer.js';
import { endBadly } from './failure.js';
import { quickCall } from './quick-call.js';

/** The digest of the bundle that judges: the resident judge has to be the same. */
declare const AMBIT_BUILD: string;

/**
 * `ambit hook CLIENT --resident`: asks the resident judge, and loads a judge only if it gives no answer. False for
 * other arguments. Each call is a process, so this loads little of Node.
 */
export function start(argv: readonly string[], judge: AnswerOptions['judge']): boolean {
  const call = quickCall(argv);
  if (call?.command !== 'hook' || call.client === null || call.options.resident !== true) return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  const host = { stdin: input(), build: AMBIT_BUILD };
  void answerOf(host, call.client, { ...call.options, judge }).then(end, endBadly);
  return true;
}

/** A pipe is read as it is: `process.stdin` would load what terminals and files need, too. */
function input(): Readable {
  // As a bigint: the other call and a later `realpath` of Node's would share one array of numbers.
  const status = fstatSync(0, { bigint: true });
  return status.isFIFO() || status.isSocket()
    ? new Socket({ fd: 0, readable: true, writable: false })
    : process.stdin;
}

/** All of it, or exit code 2: most agents run a tool whose hook writes a part of an answer. */
function end({ stdout, stderr, exit }: Written): void {
  const bytes = Buffer.from(stdout);
  let written = 0;
  try {
    if (stderr !== '') writeSync(2, stderr);
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    // The reader is slow, or gone.
    process.stdout.write(bytes.subarray(written), (error) => process.exit(error ? 2 : exit));
    return;
  }
  process.exit(exit);
}
