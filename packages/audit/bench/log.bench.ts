import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogEvent, NonEmpty } from '@ambit/core';
import pino from 'pino';
import { createLog, createSigningKey, verifyLog } from '../src/index.js';
import { MerkleTree } from '../src/log/tree/merkle-tree.js';
import { callEvents, createRandom, longEvents } from './workload.js';

/**
 * Times writing, making durable and verifying against the least that the same work could be. Each round has one of each, and a ratio is
 * the median of those within the rounds: by the clock, and by the time of the processor, which says more on a machine that others use.
 */
const rounds = Number(process.env.ROUNDS ?? 9);
const place = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'ambit-log-bench-'));
const key = Buffer.alloc(32, 7);
const signer = createSigningKey('bench');

interface Taken {
  readonly clock: number;
  readonly processor: number;
}

const taken = new Map<string, Taken[]>();
let round = 0;

/** Milliseconds; the first round warms up. */
async function timed(name: string, work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const clock = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  note(name, { clock, processor: (user + system) / 1000 });
}

function note(name: string, one: Taken): void {
  if (round > 0) taken.set(name, [...(taken.get(name) ?? []), one]);
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

let files = 0;
function nextFile(): string {
  files += 1;
  return join(place, `${files}.jsonl`);
}

type Calls = readonly NonEmpty<LogEvent>[];

/** Calls at the same time, as a busy host has them. */
async function writeLog(calls: Calls): Promise<string> {
  const file = nextFile();
  const log = await createLog({ file, run: 'run', key, signer });
  for (let at = 0; at < calls.length; at += 500)
    await Promise.all(
      calls.slice(at, at + 500).flatMap((events) => events.map((event) => log.append([event]))),
    );
  await log.close();
  return file;
}

async function writePino(calls: Calls): Promise<void> {
  const destination = pino.destination({ dest: nextFile(), sync: true });
  const logger = pino(destination);
  for (const events of calls) for (const event of events) logger.info(event);
  await new Promise((resolve) => {
    destination.once('close', resolve);
    destination.end();
  });
}

function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

async function writeAndVerify(what: string, calls: Calls): Promise<number> {
  let file = '';
  await timed(`${what}, pino`, () => writePino(calls));
  await timed(`${what}, log`, async () => {
    file = await writeLog(calls);
  });
  const bytes = readFileSync(file);
  await timed(`${what}, hash`, () => createHash('sha256').update(bytes).digest());
  // No verifier in Node can do less: a hash for each line, and two for its leaf and a node over it.
  await timed(`${what}, hash of each line and node`, () => {
    const tree = new MerkleTree();
    for (const line of linesOf(bytes)) tree.append(hash('sha256', line));
    return tree.root();
  });
  await timed(`${what}, parse`, () => {
    for (const line of linesOf(bytes)) JSON.parse(line.toString());
  });
  await timed(`${what}, verify`, async () => {
    const found = await verifyLog(file, { keys: [signer.verifier] });
    if (!found.ok) throw new Error(found.message);
  });
  return statSync(file).size / (2 * calls.length);
}

/** One decision at a time, and what the disk alone takes for as many bytes; by the clock, since it is spent waiting. */
async function makeDurable(calls: Calls): Promise<void> {
  const bare = await open(nextFile(), 'a');
  const fd = openSync(nextFile(), 'a');
  const logs = {
    group: await createLog({ file: nextFile(), run: 'run', key }),
    sync: await createLog({ file: nextFile(), run: 'run', key, commit: 'sync' }),
  };
  const times: Record<string, number[]> = { bare: [], 'bare, at once': [], group: [], sync: [] };
  const each = async (name: string, work: () => unknown) => {
    const start = performance.now();
    await work();
    times[name]?.push(performance.now() - start);
  };
  for (const [decision] of calls.slice(0, 150)) {
    const line = Buffer.alloc(1700, 97);
    await each('bare', async () => {
      await bare.write(line);
      await bare.datasync();
    });
    await each('group', () => logs.group.append([decision]));
    await each('bare, at once', () => {
      writeSync(fd, line);
      fdatasyncSync(fd);
    });
    await each('sync', () => logs.sync.append([decision]));
  }
  for (const [name, list] of Object.entries(times))
    note(name, { clock: median(list), processor: Number.NaN });
  await bare.close();
  closeSync(fd);
  for (const log of Object.values(logs)) await log.close();
}

function ratio(one: string, other: string, of: keyof Taken): string {
  const others = taken.get(other) ?? [];
  const ratios = (taken.get(one) ?? []).map((time, index) => time[of] / (others[index]?.[of] ?? Number.NaN));
  const found = median(ratios);
  return Number.isNaN(found) ? '' : `${found.toFixed(2)} x`;
}

const seed = Number(process.env.AMBIT_SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);
const usual = Array.from({ length: 5000 }, (_, index) => callEvents(index, random));
const long = Array.from({ length: 500 }, (_, index) => longEvents(index, random));
const sizes = { usual: 0, long: 0 };
for (; round <= rounds; round += 1) {
  sizes.usual = await writeAndVerify('usual', usual);
  sizes.long = await writeAndVerify('long', long);
  await makeDurable(usual);
  for (let file = 1; file <= files; file += 1) rmSync(join(place, `${file}.jsonl`), { force: true });
}
rmSync(place, { recursive: true });

const rows: readonly (readonly [string, string, string, string])[] = [
  ['writing, to pino', '1.5 x or less', 'usual, log', 'usual, pino'],
  ['the same, long events', '2 x or less', 'long, log', 'long, pino'],
  ['one decision durable, `sync`, to a bare write and `fdatasync`', '1.3 x or less', 'sync', 'bare'],
  ['the same, to both without a promise', '1.3 x or less', 'sync', 'bare, at once'],
  ['one decision durable, `group`, to a bare write and `fdatasync`', '1.3 x or less', 'group', 'bare'],
  ['verify, to hashing the file', '4 x or less', 'usual, verify', 'usual, hash'],
  ['hashing each line and node, to hashing the file', '', 'usual, hash of each line and node', 'usual, hash'],
  ['verify, to hashing each line and node', '', 'usual, verify', 'usual, hash of each line and node'],
  ['verify, to `JSON.parse` of each line', '', 'usual, verify', 'usual, parse'],
  ['verify, to hashing the file, long events', '4 x or less', 'long, verify', 'long, hash'],
  ['hashing each line and node, long events', '', 'long, hash of each line and node', 'long, hash'],
  [
    'verify, to hashing each line and node, long events',
    '',
    'long, verify',
    'long, hash of each line and node',
  ],
];
const table = rows.map(
  ([what, wanted, one, other]) =>
    `| ${what} | ${wanted} | ${ratio(one, other, 'clock')} | ${ratio(one, other, 'processor')} |`,
);
process.stdout.write(
  `${[
    `Lines of ${sizes.usual.toFixed(0)} bytes, long ones of ${sizes.long.toFixed(0)}; ${rounds} rounds; AMBIT_SEED=${seed}.`,
    '',
    '| | wanted | by the clock | processor time |',
    '| --- | --- | --- | --- |',
    ...table,
  ].join('\n')}\n`,
);
for (const [name, times] of taken)
  process.stderr.write(`${name}: ${median(times.map(({ clock }) => clock)).toFixed(2)} ms\n`);
