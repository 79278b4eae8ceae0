import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import workerThreads from 'node:worker_threads';
import { realPathOf } from '../../places/paths.js';
import { type Effect, type EffectKind, effectsOf, watchedFunctions } from './effects.js';

type Functions = Record<string, unknown>;

/** The watched work that is running: other work of the process has none, and no effects. */
const watching = new AsyncLocalStorage<{ readonly effects: Effect[]; readonly later: number } | null>();

export interface Watched<T> {
  readonly result: { readonly value: T } | { readonly error: unknown };
  readonly effects: readonly Effect[];
}

/**
 * Watches what the work does, and all that it starts, to files, network, processes, environment, clock and randomness.
 * `later` moves its clock by milliseconds.
 */
export async function watch<T>(work: () => T | Promise<T>, later = 0): Promise<Watched<Awaited<T>>> {
  const effects: Effect[] = [];
  try {
    return { result: { value: await watching.run({ effects, later }, work) }, effects };
  } catch (error) {
    return { result: { error }, effects };
  }
}

function tell(kind: EffectKind, on: string, by: string): void {
  watching.getStore()?.effects.push({ kind, on, by });
}

function replace(of: object, name: string, say: (args: readonly unknown[]) => void): void {
  const functions = of as Functions;
  const original = functions[name];
  if (typeof original !== 'function') return;
  const replaced = function (this: unknown, ...args: unknown[]): unknown {
    if (watching.getStore()) say(args);
    return Reflect.apply(original, this, args);
  };
  // Its properties stay (also `util.promisify`'s own).
  Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original));
  functions[name] = replaced;
}

function watchFiles(): void {
  for (const name of watchedFunctions) {
    const say = (by: string) => (args: readonly unknown[]) => {
      for (const [index, kind] of effectsOf(name, args).entries()) {
        const path = kind === null ? null : pathIn(args[index]);
        if (kind !== null && path !== null) tell(kind, path, by);
      }
    };
    replace(fs, name, say(`fs.${name}`));
    replace(fs, `${name}Sync`, say(`fs.${name}Sync`));
    replace(fs.promises, name, say(`fs.promises.${name}`));
  }
}

function pathIn(value: unknown): string | null {
  try {
    if (value instanceof URL) return fileURLToPath(value);
    if (typeof value !== 'string' && !Buffer.isBuffer(value)) return null;
    const path = resolve(value.toString());
    // A way through an open folder means something only while it is open.
    return path.startsWith('/proc/self/fd/') ? watching.run(null, () => realPathOf(path)) : path;
  } catch {
    return String(value);
  }
}

function watchProcesses(): void {
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync'])
    replace(childProcess, name, ([program]) => tell('run', String(program), `child_process.${name}`));
  for (const name of ['exec', 'execSync'])
    replace(childProcess, name, () => tell('run', '/bin/sh', `child_process.${name}`));
  replace(childProcess, 'fork', () => tell('run', process.execPath, 'child_process.fork'));
  replace(process, 'kill', ([pid]) => tell('run', `a signal to ${String(pid)}`, 'process.kill'));
  const { Worker } = workerThreads;
  (workerThreads as unknown as Functions).Worker = new Proxy(Worker, {
    construct(target, args: unknown[]) {
      tell('run', 'a worker thread, which is not watched', 'worker_threads.Worker');
      return Reflect.construct(target, args) as object;
    },
  });
}

function watchNetwork(): void {
  replace(net.Socket.prototype, 'connect', (args) => tell('connect', targetOf(args), 'net.Socket.connect'));
  replace(dgram.Socket.prototype, 'send', (args) =>
    tell('connect', String(args.findLast((one) => typeof one === 'string') ?? ''), 'dgram.Socket.send'),
  );
  const names = Object.keys(dns).filter((name) => /^(lookup|resolve|reverse)/.test(name));
  for (const name of names) {
    const say = ([host]: readonly unknown[]) => tell('resolve', String(host), `dns.${name}`);
    replace(dns, name, say);
    replace(dns.promises, name, say);
  }
}

function targetOf(args: readonly unknown[]): string {
  const [first] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === 'number' || typeof first === 'string')
    return typeof args[1] === 'string' ? args[1] : Number.isNaN(Number(first)) ? String(first) : 'localhost';
  const { host, path } = (first ?? {}) as { host?: unknown; path?: unknown };
  const [target] = [path, host].filter((one) => typeof one === 'string');
  return target ?? 'localhost';
}

function watchEnvironment(): void {
  const { env } = process;
  process.env = new Proxy(env, {
    get(target, name) {
      if (typeof name === 'string') tell('read_variable', name, 'process.env');
      return Reflect.get(target, name) as unknown;
    },
    set(target, name, value) {
      tell('set_variable', String(name), 'process.env');
      return Reflect.set(target, name, value);
    },
    deleteProperty(target, name) {
      tell('set_variable', String(name), 'process.env');
      return Reflect.deleteProperty(target, name);
    },
  });
  replace(process, 'chdir', () => tell('set_variable', 'the working folder', 'process.chdir'));
}

function watchTime(): void {
  const RealDate = Date;
  const now = () => RealDate.now() + (watching.getStore()?.later ?? 0);
  globalThis.Date = new Proxy(RealDate, {
    construct(target, args: unknown[], newTarget) {
      if (args.length > 0) return Reflect.construct(target, args, newTarget) as object;
      tell('clock', 'the time of day', 'new Date');
      return Reflect.construct(target, [now()], newTarget) as object;
    },
    apply: () => new RealDate(now()).toString(),
    get(target, name, receiver) {
      if (name !== 'now') return Reflect.get(target, name, receiver) as unknown;
      tell('clock', 'the time of day', 'Date.now');
      return now;
    },
  });
  replace(performance, 'now', () => tell('clock', 'a clock', 'performance.now'));
  replace(process, 'hrtime', () => tell('clock', 'a clock', 'process.hrtime'));
  replace(Math, 'random', () => tell('random', 'chance', 'Math.random'));
  for (const name of ['randomBytes', 'randomUUID', 'randomInt'])
    replace(crypto, name, () => tell('random', 'chance', `crypto.${name}`));
}

/** Once, when this module is loaded: earlier imports from Node are not watched. */
function begin(): void {
  watchFiles();
  watchProcesses();
  watchNetwork();
  watchEnvironment();
  watchTime();
  syncBuiltinESMExports();
}

begin();
