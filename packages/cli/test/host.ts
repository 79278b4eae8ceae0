import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Host } from '../src/host.js';
import { runProgram } from '../src/program.js';

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** A folder of files, by relative path. */
export function folderOf(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-cli-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Runs the program in this process, in a folder of these files, and collects what it says. */
export async function ambit(
  argv: readonly string[],
  given: {
    readonly folder?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly stdin?: string | Buffer;
    readonly environment?: Readonly<Record<string, string>>;
    readonly machinePolicy?: string;
    /** Whether stdin and stderr are a terminal. */
    readonly isTerminal?: boolean;
    /** What runs; the whole program otherwise. */
    readonly run?: (argv: readonly string[], host: Host) => Promise<number>;
  } = {},
): Promise<Ran> {
  const folder = given.folder ?? folderOf(given.files);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [collected(stdout), collected(stderr)];
  const stdin = Readable.from(given.stdin === undefined ? [] : [Buffer.from(given.stdin)]);
  if (given.isTerminal === true) for (const stream of [stdin, stderr]) Object.assign(stream, { isTTY: true });
  const host: Host = {
    ...hostIn(folder, { stdin, stdout, stderr }),
    environment: { HOME: folder, ...given.environment },
    ...(given.machinePolicy !== undefined && { machinePolicy: given.machinePolicy }),
  };
  const exit = await (given.run ?? runProgram)(argv, host);
  stdout.end();
  stderr.end();
  return { exit, out: await out, err: await err };
}

async function collected(stream: PassThrough): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function jsonLines(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** A host without environment and machine policy, which nobody interrupts. */
export function hostIn(folder: string, streams: Pick<Host, 'stdin' | 'stdout' | 'stderr'>): Host {
  return {
    ...streams,
    environment: {},
    program: 'ambit',
    folder,
    machinePolicy: join(folder, 'no-such-machine-policy.yaml'),
    onInterrupt: () => () => undefined,
    interrupt: () => undefined,
  };
}
