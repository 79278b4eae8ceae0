import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { orNull, type ProcessStat, processStat } from '@ambit/core';

export interface ProcessReach {
  readonly leader: number;
  readonly mark: Mark;
}

/** A variable that only the processes of one call have. */
export interface Mark {
  readonly name: 'SHELL_CALL';
  /** 32 hexadecimal digits. */
  readonly value: string;
}

export function newMark(): Mark {
  return { name: 'SHELL_CALL', value: randomBytes(16).toString('hex') };
}

interface Process extends ProcessStat {
  readonly pid: number;
}

/** A call's processes: its session, descendants, and those with its mark. A process without all three is not found. */
export function processesOf({ leader, mark }: ProcessReach): readonly number[] {
  // A shared mark would end every process on the machine.
  if (!(leader > 1) || !/^[0-9a-f]{32}$/.test(mark.value))
    throw new TypeError('these are not the processes of a call');
  const all = allProcesses();
  const own = new Set(
    all
      .filter(({ pid, session }) => pid === leader || session === leader || isMarked(pid, mark))
      .map(({ pid }) => pid),
  );
  for (let grown = true; grown; ) {
    const children = all.filter(({ pid, parent }) => own.has(parent) && !own.has(pid));
    for (const { pid } of children) own.add(pid);
    grown = children.length > 0;
  }
  return [...own].filter((pid) => pid > 1 && pid !== process.pid);
}

/** Skips ended and inaccessible processes. */
export function signalAll(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of processes) orNull(() => process.kill(pid, signal));
}

function allProcesses(): readonly Process[] {
  const names = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return names.flatMap((name) => {
    const found = processAt(Number(name));
    return found === null ? [] : [found];
  });
}

/** Null if it has ended. */
function processAt(pid: number): Process | null {
  const found = orNull(() => processStat(readFileSync(`/proc/${pid}/stat`, 'latin1')));
  return found === null || found.state === 'Z' || found.state === 'X' ? null : { pid, ...found };
}

function isMarked(pid: number, { name, value }: Mark): boolean {
  const environment = orNull(() => readFileSync(`/proc/${pid}/environ`, 'latin1'));
  return environment?.split('\0').includes(`${name}=${value}`) === true;
}
