import { fstatSync, readlinkSync, readSync, writeSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path';
import { Readable } from 'node:stream';
import { orNull, shellWord } from '@ambit/core';
import type { LineStreams } from './commands/given/filter.js';
import { type Exit, UnusableError, whyUnusable } from './failure.js';
import { type Host, write } from './host.js';

/** `exitCode` alone does not end the process while stdin is unread. */
export function endWith(exit: Exit): void {
  process.stdout.write('', () => process.exit(exit));
  // After a signal, or with so much that is unread, the reader is not awaited for longer.
  if (signals > 0 || process.stdout.writableLength > mostAwaited) setTimeout(() => process.exit(exit), 1_000);
}

/** Half of what the gateway keeps for a client that does not read: a slow one still gets all its answers. */
const mostAwaited = 32_000_000;
let signals = 0;

/** Once per process: it handles broken pipes and signals. */
export function processHost(build?: string): Host {
  const handlers: ((by: { readonly isSystem: boolean }) => void)[] = [];
  const onOutputError = (error: NodeJS.ErrnoException) => {
    // A run in progress ends by itself.
    if (handlers.length > 0) return;
    // The reader has closed the pipe (`| head`): not an error.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`ambit: the output cannot be written: ${whyUnusable(error)}\n`);
    process.exit(2);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) return endBy(signal);
    for (const handler of handlers) handler({ isSystem: signal !== 'SIGINT' });
  };
  const hears = new Set<NodeJS.WriteStream>();
  const heard = (stream: NodeJS.WriteStream, onError: (error: Error) => void) => {
    if (!hears.has(stream)) stream.on('error', onError);
    hears.add(stream);
    return stream;
  };
  // Streams are created on first use: a process without them starts faster.
  return {
    get stdin() {
      return isFolder(0) ? unreadable('it is a folder') : process.stdin;
    },
    get stdout() {
      return heard(process.stdout, onOutputError);
    },
    get stderr() {
      return heard(process.stderr, () => undefined);
    },
    environment: process.env,
    get program() {
      return calledAs(process.argv[1], { folder: workingFolder(), path: process.env.PATH });
    },
    build,
    get folder() {
      return workingFolder();
    },
    machinePolicy: '/etc/ambit/policy.yaml',
    interrupt: () => process.kill(process.pid, 'SIGINT'),
    onInterrupt: (handler) => {
      // Without our handler a signal ends the process at once, as it should.
      if (handlers.length === 0) for (const name of signalNames) process.on(name, onSignal);
      handlers.push(handler);
      return () => {
        handlers.splice(handlers.indexOf(handler), 1);
        if (handlers.length === 0) for (const name of signalNames) process.off(name, onSignal);
      };
    },
  };
}

/** Ends the process by this signal, after its cleanup. `process.exit` would wait for Node's threads. */
function endBy(signal: NodeJS.Signals): void {
  process.emit('exit', signal === 'SIGTERM' ? 143 : 130);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

const signalNames = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function isFolder(descriptor: number): boolean {
  // As a bigint: the other call and a later `realpath` of Node's would share one array of numbers.
  return orNull(() => fstatSync(descriptor, { bigint: true }).isDirectory()) === true;
}

/** Fails on reading, because no listener exists before. */
function unreadable(why: string): Readable {
  return new Readable({
    read() {
      this.destroy(new Error(why));
    },
  });
}

/** Node asks the system once. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    const former = orNull(() => readlinkSync('/proc/self/cwd').replace(/ \(deleted\)$/, ''));
    const place = former ?? process.env.PWD ?? '.';
    throw new UnusableError(
      `${place}: the working folder no longer exists`,
      'change to a folder that exists',
    );
  }
}

/** How the user calls the program again in `folder`: its name if it is on the path, or its path. */
export function calledAs(
  script: string | undefined,
  { folder, path = '' }: { readonly folder: string; readonly path?: string | undefined },
): string {
  // Anything else, such as a bundle or a test, cannot be called by name.
  if (script === undefined || basename(script) !== 'ambit') return 'ambit';
  const way = relative(folder, script);
  // npx and scripts of a package put the folder on the path for themselves alone.
  if (/^(?:\.\.\/)*node_modules\/\.bin\/ambit$/.test(way)) return 'npx ambit';
  if (path.split(delimiter).includes(dirname(script))) return 'ambit';
  return shellWord(way.startsWith('..') || isAbsolute(way) ? script : `./${way}`);
}

/**
 * Input and output as files are read and written, for a program that does nothing else meanwhile: Node's streams take as long as
 * a decision. What files cannot do, as waiting for a slow reader, is left to the streams of `host`.
 */
export function plainStreams(host: Pick<Host, 'stdin' | 'stdout'>): LineStreams {
  return { input: () => chunksOf(host), write: (text) => writeAll(text, host) };
}

/** Whether the streams were needed, so that there may be more to write. */
let usesStreams = false;

/** Ends the process once everything is written. */
export function endPlainly(exit: Exit): void {
  if (usesStreams) endWith(exit);
  else process.exit(exit);
}

async function* chunksOf(host: Pick<Host, 'stdin'>): AsyncGenerator<Buffer | string> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    let length = 0;
    try {
      length = readSync(0, chunk, 0, chunk.length, null);
    } catch {
      yield* host.stdin as AsyncIterable<Buffer | string>;
      return;
    }
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

async function writeAll(text: string, host: Pick<Host, 'stdout'>): Promise<void> {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (!usesStreams && written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    usesStreams = true;
  }
  if (written < bytes.length) await write(host.stdout, bytes.subarray(written));
}
