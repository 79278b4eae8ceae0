import { fstatSync, statSync, writeSync } from 'node:fs';
import { mostInput, openPipe, type Written } from '@ambit/agents';
import { type AnswerOptions, answerOf } from './commands/hook/answer.js';
import { endBadly } from './failure.js';
import { wholeOf } from './host.js';
import { quickCall } from './quick-call.js';

/** The digest of the judging bundle: the resident judge must have the same one. */
declare const AMBIT_BUILD: string;

/**
 * `ambit hook CLIENT`: with `--resident`, loads a judge only if the resident one gives no answer. False for other
 * arguments. Each call is a process, so this loads little of Node.
 */
export function start(argv: readonly string[], judge: AnswerOptions['judge']): boolean {
  const call = quickCall(argv);
  if (call?.command !== 'hook' || call.client === null) return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  const host = { input, build: AMBIT_BUILD };
  void answerOf(host, call.client, { ...call.options, judge }).then(end, endBadly);
  return true;
}

/** Null if it is too long. Reads the pipe directly: `process.stdin` would load code for terminals and files. */
function input(): Promise<Buffer | null> {
  // As a bigint: the other call and a later `realpath` of Node's would share one array of numbers.
  const status = fstatSync(0, { bigint: true });
  if (!status.isFIFO() && !status.isSocket()) return wholeOf(process.stdin, mostInput);
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const part = (bytes: Buffer) => {
      size += bytes.length;
      parts.push(bytes);
      if (size <= mostInput) return;
      pipe.close();
      resolve(null);
    };
    const end = (error: Error | null) => (error === null ? resolve(Buffer.concat(parts)) : reject(error));
    const pipe = openPipe(0, { part, end });
  });
}

/** Writes everything, or exits with code 2: most agents run a tool after an incomplete answer. */
function end({ stdout, stderr, exit }: Written): void {
  const bytes = Buffer.from(stdout);
  let written = 0;
  try {
    if (stderr !== '') writeSync(2, stderr);
    // Node puts `/dev/null` instead of a closed descriptor.
    const [own, none] = [fstatSync(1, { bigint: true }), statSync('/dev/null', { bigint: true })];
    if (stdout !== '' && own.rdev === none.rdev) refuse('is closed');
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    // The reader is slow or gone.
    process.stdout.write(bytes.subarray(written), (error) => {
      if (error) refuse('cannot be written');
      process.exit(exit);
    });
    return;
  }
  process.exit(exit);
}

/** Agents run a tool after an exit code 2 without a text. */
function refuse(why: string): never {
  writeSync(2, `ambit: standard output ${why}; the call is refused\n`);
  process.exit(2);
}
