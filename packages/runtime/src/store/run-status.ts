import { readFileSync } from 'node:fs';
import { processAt } from '@ambit/audit';
import { errorCode, type Mode, orNull } from '@ambit/core';
import type { RunRecord, RunStatus, Step } from './store.js';

/** `running` with a dead process means interrupted, and of an agent's session, which only the agent continues, ended. */
export function runStatus({ status, pid, since, mode }: RunRecord): RunStatus | 'interrupted' | 'ended' {
  if (status !== 'running' || isAlive(pid, since)) return status;
  return mode === 'client' ? 'ended' : 'interrupted';
}

/** Whether a run can be resumed, once no process drives it: a finished or stopped one cannot. */
export function canGoOn({ status }: Pick<RunRecord, 'status'>): boolean {
  return status !== 'finished' && status !== 'stopped';
}

/** The last mode of the run, which may be stricter than its first. */
export function lastMode({ mode }: Pick<RunRecord, 'mode'>, steps: readonly Step[]): Mode {
  const events = steps.flatMap((step) => (step.step === 'events' ? step.events : []));
  return (events.findLast((event) => event.event === 'run')?.mode ?? mode) as Mode;
}

/** Process numbers are reused, so the start time counts too. */
function isAlive(pid: number, since: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // An existing one may belong to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  const begun = startOf(pid);
  return begun === null || begun <= since + clockSlack;
}

/** The clock may have been set, and a boot time is in whole seconds. */
const clockSlack = 5000;
/** The kernel's clock tick on every machine. */
const ticksPerSecond = 100;

/** Milliseconds since 1970. */
function startOf(pid: number): number | null {
  const boot = orNull(() => /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8')))?.[1];
  const found = processAt(pid);
  if (boot === undefined || found === null) return null;
  return (Number(boot) + Number(found.start) / ticksPerSecond) * 1000;
}
