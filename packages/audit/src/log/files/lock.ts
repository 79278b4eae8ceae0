import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, readlinkSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode, orNull, type ProcessStat, printable, processStat } from '@ambit/core';
import { LogError } from './log-error.js';
import { NotRegularError, readRegularSync } from './regular-file.js';

/** The holder of a lock, in the lock file. */
interface Holder {
  readonly pid: number;
  /** The start time of the process, as the system counts it: it detects a reused process number. */
  readonly start: string | null;
  /** The machine, its boot and its PID namespace: elsewhere a `pid` has no meaning. */
  readonly machine: string;
  readonly boot: string | null;
  readonly space: string | null;
  readonly nonce: string;
}

export interface Lock {
  release(): void;
}

/**
 * Takes the lock file at `path`, or throws `LOCKED`. It takes over the lock of a dead process, but not a lock from
 * another machine or container, whose processes are not visible here. `what`: the purpose of the lock.
 */
export function acquireLock(path: string, what = 'the log'): Lock {
  const holder: Holder = { ...thisProcess(), nonce: randomUUID() };
  const draft = `${path}.${holder.nonce}`;
  try {
    // On a full disk, a file is made and cannot be filled.
    writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    while (!isLinked(draft, path)) removeStale(path, what);
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (holderOf(path, what)?.nonce === holder.nonce) unlinkSync(path);
    },
  };
}

/** Appears under its name whole or not at all. */
function isLinked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * The same, but waits for another holder, for `patience` milliseconds or until `signal`. One that cannot be seen from
 * here, and may be gone, is waited for at most `unseen` milliseconds.
 */
export async function awaitLock(
  path: string,
  what: string,
  {
    patience = 30_000,
    unseen = 3000,
    signal,
  }: { readonly patience?: number; readonly unseen?: number; readonly signal?: AbortSignal } = {},
): Promise<Lock> {
  const until = performance.now() + patience;
  const seen: { holder?: string | undefined; since: number } = { since: 0 };
  while (true) {
    try {
      return acquireLock(path, what);
    } catch (error) {
      if (!(error instanceof LogError) || error.code !== 'LOCKED') throw error;
      const now = performance.now();
      const { isLasting, holder } = error.details;
      if (seen.holder !== holder) Object.assign(seen, { holder, since: now });
      const mayBeGone = holder !== undefined && now - seen.since >= unseen;
      if (now >= until || signal?.aborted === true || isLasting === true || mayBeGone) throw error;
      await wait(5 + Math.random() * 10);
    }
  }
}

/** Removes the lock of a dead process; throws if the process may still exist. */
function removeStale(path: string, what: string): void {
  const stale = holderOf(path, what);
  if (stale === null) return;
  refuseLive(stale, path, what);
  // Only the holder of this second lock removes the stale one.
  const breaking = acquireLock(`${path}.${stale.nonce.slice(0, 8)}`, what);
  try {
    if (holderOf(path, what)?.nonce === stale.nonce) unlinkSync(path);
  } finally {
    breaking.release();
  }
}

/** Null if the lock no longer exists. */
function holderOf(path: string, what: string): Holder | null {
  try {
    const holder = JSON.parse(readRegularSync(path).toString()) as Partial<Holder> | null;
    if (typeof holder?.pid === 'number' && /^[0-9a-f-]{36}$/.test(holder.nonce ?? ''))
      return holder as Holder;
  } catch (error) {
    // A link to nothing takes the name, and is never gone.
    const isGone = errorCode(error) === 'ENOENT';
    if (isGone && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return null;
    if (!(isGone || error instanceof SyntaxError || error instanceof NotRegularError)) throw error;
  }
  throw new LogError(
    'LOCKED',
    `${printable(path)} is not a lock of this program; remove it when nothing writes ${what}`,
    { isLasting: true },
  );
}

function refuseLive(holder: Holder, path: string, what: string): void {
  const here = thisProcess();
  const elsewhere =
    holder.machine !== here.machine || (holder.boot === here.boot && holder.space !== here.space);
  if (elsewhere) {
    throw new LogError(
      'LOCKED',
      `${what} is locked from ${printable(String(holder.machine))}, whose processes cannot be seen from here; remove ${printable(path)} when nothing writes ${what}`,
      { holder: holder.nonce },
    );
  }
  if (holder.boot === here.boot && isAlive(holder)) {
    throw new LogError('LOCKED', `${what} is being written by process ${holder.pid}`);
  }
}

function isAlive({ pid, start }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
  }
  const now = processAt(pid)?.start ?? null;
  return start === null || now === null || now === start;
}

let known: Omit<Holder, 'nonce'> | null = null;

function thisProcess(): Omit<Holder, 'nonce'> {
  known ??= {
    pid: process.pid,
    start: processAt(process.pid)?.start ?? null,
    machine: hostname(),
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    space: orNull(() => readlinkSync('/proc/self/ns/pid')),
  };
  return known;
}

/** Null for a process that is gone, and on other systems than Linux: there, a reused number keeps a stale lock. */
export function processAt(pid: number): ProcessStat | null {
  return orNull(() => processStat(readFileSync(`/proc/${pid}/stat`, 'latin1')));
}
