import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * What the gateway adds to a call on standard input and output: one server three times, called in turn directly, through a program
 * that only parses and forwards, and through the gateway. Beside it what the disk alone takes for a durable line: a call waits for
 * one.
 */
const rounds = 2_000;
/** The calls at the beginning and at the end that are reported by themselves: code is quicker once it ran often. */
const part = 100;
const parts = [
  (times: readonly number[]) => times,
  (times: readonly number[]) => times.slice(0, part),
  (times: readonly number[]) => times.slice(-part),
];
const warmUp = 5;

const repository = resolve(import.meta.dirname, '../../..');
const clients = resolve(repository, '../shared/clients');
const [tee, tiny] = ['mcp-tee.mjs', 'mcp-tiny.mjs'].map((name) => join(clients, name)) as [string, string];
const program = join(repository, 'packages/cli/dist/launch.cjs');

interface Way {
  readonly name: string;
  readonly call: () => Promise<void>;
  readonly end: () => Promise<void>;
  readonly times: number[];
}

if (!existsSync(tee) || !existsSync(tiny)) process.stdout.write('skipped: there is no ../shared/clients\n');
else await compare();

async function compare(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-bench-')));
  const place = (name: string) => join(folder, name);
  mkdirSync(place('project'));
  writeFileSync(place('policy.yaml'), 'version: 1\ndefault: pre_approved\n');
  const server = [tiny];
  const guarded = [program, 'gateway', '--policy', place('policy.yaml'), '--root', place('project'), '--'];
  const environment = { ...process.env, AMBIT_HOME: place('state') };
  const ways = await Promise.all([
    open('directly', server, environment),
    open('parse and forward', [tee, place('tee'), process.execPath, ...server], environment),
    open('gateway', [...guarded, process.execPath, ...server], environment),
  ]);
  const disk: number[] = [];
  const line = openSync(place('line'), 'a');
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const { call, times } of ways) {
      const start = performance.now();
      await call();
      if (round >= warmUp) times.push(performance.now() - start);
    }
    const start = performance.now();
    writeSync(line, `${'x'.repeat(700)}\n`);
    fdatasyncSync(line);
    disk.push(performance.now() - start);
  }
  closeSync(line);
  await Promise.all(ways.map(({ end }) => end()));
  rmSync(folder, { recursive: true });
  process.stdout.write(`${cpus()[0]?.model ?? 'an unknown processor'}, Node ${process.version}; `);
  process.stdout.write(`medians of ${rounds} calls in turn\n\n`);
  const all = [
    ...ways.map(({ name, times }) => ({ name, times })),
    { name: 'one durable line', times: disk },
  ];
  const figures = all.map(({ name, times }) => ({ name, medians: parts.map((of) => median(of(times))) }));
  for (const { name, medians } of figures) process.stdout.write(`${name}: ${inWords(medians)}\n`);
  const [, forward = [], gated = [], durable = []] = figures.map(({ medians }) => medians);
  const added = gated.map((time, at) => time - (forward[at] ?? 0) - (durable[at] ?? 0));
  process.stdout.write(`added by the gateway, without forwarding and one line: ${inWords(added)}\n`);
}

function inWords([whole = Number.NaN, first = Number.NaN, last = Number.NaN]: readonly number[]): string {
  const [of, begun, ended] = [whole, first, last].map((time) => `${time.toFixed(2)} ms`);
  return `${of} (${begun} for the first ${part} calls, ${ended} for the last ones)`;
}

/** A client of a server: it greets, and then calls the tool `echo` again and again. */
async function open(name: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Way> {
  const child = spawn(process.execPath, args, { env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const waiting = new Map<number, (answer: { readonly error?: unknown }) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let last = 0;
  const request = async (method: string, params: object) => {
    last += 1;
    const id = last;
    const answered = new Promise<{ readonly error?: unknown }>((done) => waiting.set(id, done));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = await Promise.race([answered, ended.then(() => ({ error: 'it ended' }))]);
    if (answer.error !== undefined) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
    return JSON.stringify(answer);
  };
  const clientInfo = { name: 'bench', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    name,
    times: [],
    call: async () => {
      const answer = await request('tools/call', { name: 'echo', arguments: { text: 'a' } });
      if (!answer.includes('echo:a')) throw new Error(`${name}: ${answer}`);
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

function median(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
}
