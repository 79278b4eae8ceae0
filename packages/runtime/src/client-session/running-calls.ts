import { areDependent, type Effects } from '@ambit/core';
import type { Recorded } from './recorded.js';

/** Whether a call of the log may still run. `isAsked`: its user was asked, and may have approved it. */
export type MayRun = (call: string, isAsked: boolean) => boolean;

/**
 * Milliseconds after which a call without an outcome counts as ended. Clients judge all calls of a turn before the first
 * one ends, so within seconds. Some do not report that their user refused a call, or that it was killed.
 */
const longestRun = 30_000;

/**
 * Why a call must wait for others that may still run: one may change what the other's facts depend on. Null if none
 * does. Programs that a call leaves running are not known.
 */
export function whyWait(
  recorded: Recorded,
  { call, now, mayRun }: { readonly call: string; readonly now: number; readonly mayRun: MayRun },
): (effects: Effects) => string | null {
  const running = [...recorded.open.values()].flatMap((events) => {
    const last = events.findLast((event) => event.event === 'decision');
    if (last === undefined || last.decision === null || last.call === call) return [];
    const isAsked = last.decision === 'needs_approval' && !events.some((event) => event.event === 'approval');
    // A time from the future: the clock was set back.
    const isPast = Math.abs(now - (events.at(-1) ?? last).now) > longestRun;
    return !isPast && mayRun(last.call, isAsked) ? [last] : [];
  });
  return (effects) => {
    const other = running.find((each) => areDependent(effects, each));
    return other === undefined
      ? null
      : `another call of this session, ${other.tool}, has not ended, and one of both may change files of the other: wait until it has ended, or ${longestRun / 1000} seconds if it never ran, then make this call again`;
  };
}
