import { readFileSync } from 'node:fs';
import type { Mode } from '@ambit/core';
import type { Step } from './step.js';
import type { RunRecord, RunStatus } from './store.js';

/** What a run is doing now: one that is `running`, of a process that is gone, was interrupted. */
export function runStatus({ status, pid, since }: RunRecord): RunStatus | 'interrupted' {
  return status !== 'running' || isAlive(pid, since) ? status : 'interrupted';
}

/** Whether a run can be resumed, once no process drives it: one that has finished, or that somebody stopped, is over. */
export function canGoOn({ status }: Pick<RunRecord, 'status'>): boolean {
  return status !== 'finished' && status !== 'stopped';
}

/** The mode that a run was in last: it may have gone on in a stricter one than it began with. */
export function lastMode({ mode }: Pick<RunRecord, 'mode'>, steps: readonly Step[]): Mode {
  const events = steps.flatMap((step) => (step.step === 'events' ? step.events : []));
  return (events.findLast((event) => event.event === 'run')?.mode ?? mode) as Mode;
}

/** Whether the process is there that was there at that time. A number is given again to other processes, after a reboot at the latest. */
function isAlive(pid: number, since: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // One that is there may be another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const begun = startOf(pid);
  return begun === null || begun <= since + clockSlack;
}

/** The clock may have been set, and a boot time is in whole seconds. */
const clockSlack = 5000;
/** What the kernel counts in, whatever the machine. */
const ticksPerSecond = 100;

/** When a process was started, in milliseconds since 1970; null where the system does not say. */
function startOf(pid: number): number | null {
  try {
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
    // The name in parentheses may hold anything, parentheses too.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ');
    const ticks = fields?.[19];
    if (boot === undefined || ticks === undefined) return null;
    return (Number(boot) + Number(ticks) / ticksPerSecond) * 1000;
  } catch {
    return null;
  }
}
