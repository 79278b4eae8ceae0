import { type Decision, isStricter } from '@ambit/core';
import type { ReplayedCall } from './replay.js';

/** One of the six ways that a decision can go, or `unknown`. */
export interface Way {
  readonly from: Decision;
  readonly to: Decision | 'unknown';
}

/** Calls that are alike in what changes, and why. */
export interface ReplayClass extends Way {
  readonly tool: string;
  /** Names of what the calls carry, sorted. */
  readonly capabilities: readonly string[];
  /** The rules that decide now, by their ids; `default` where it is a default. */
  readonly because: readonly string[];
  readonly calls: number;
  /** One of them: an entry of the log. */
  readonly example: { readonly seq: number; readonly run: string; readonly call: string };
}

export interface ReplaySummary {
  /** Decisions that were judged again. */
  readonly calls: number;
  readonly same: number;
  readonly looser: number;
  readonly stricter: number;
  /** What cannot be told, for what was masked. */
  readonly unknown: number;
  /** Most frequent first; without those that stay. */
  readonly classes: readonly ReplayClass[];
  /** Questions by day (UTC): asked then, and asked now. */
  readonly questions: readonly { readonly day: string; readonly before: number; readonly after: number }[];
}

/** Sums up what would change. */
export async function summarise(
  replayed: AsyncIterable<ReplayedCall> | Iterable<ReplayedCall>,
): Promise<ReplaySummary> {
  const counts = { calls: 0, same: 0, looser: 0, stricter: 0, unknown: 0 };
  const classes = new Map<string, ReplayClass>();
  const days = new Map<string, { before: number; after: number }>();
  for await (const one of replayed) {
    counts.calls += 1;
    counts[directionOf(one)] += 1;
    countQuestions(days, one);
    if (one.after === one.before) continue;
    const found = classOf(one);
    const key = JSON.stringify([found.from, found.to, found.tool, found.capabilities, found.because]);
    const known = classes.get(key);
    classes.set(key, known === undefined ? found : { ...known, calls: known.calls + 1 });
  }
  return {
    ...counts,
    classes: [...classes.values()].sort((one, other) => other.calls - one.calls),
    questions: [...days]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, asked]) => ({ day, ...asked })),
  };
}

function directionOf({ before, after }: ReplayedCall): 'same' | 'looser' | 'stricter' | 'unknown' {
  if (after === 'unknown') return 'unknown';
  if (after === before) return 'same';
  return isStricter(after, before) ? 'stricter' : 'looser';
}

function countQuestions(
  days: Map<string, { before: number; after: number }>,
  { time, before, after }: ReplayedCall,
): void {
  const day = time.slice(0, 10);
  const asked = days.get(day) ?? { before: 0, after: 0 };
  if (before === 'needs_approval') asked.before += 1;
  if (after === 'needs_approval') asked.after += 1;
  if (asked.before + asked.after > 0) days.set(day, asked);
}

function classOf(one: ReplayedCall): ReplayClass {
  const { capabilities, judgements, decision } = one.decision;
  const deciding = judgements.filter((judgement) => judgement.decision === decision);
  const ids = deciding.flatMap(({ rules, undecided, default: isDefault, policy }) => [
    ...[...rules, ...undecided].filter((rule) => rule.decision === decision).map(({ id }) => id),
    ...(isDefault ? [`the default of ${policy}`] : []),
  ]);
  return {
    from: one.before,
    to: one.after,
    tool: one.tool,
    capabilities: [...new Set(capabilities.map(({ name }) => name))].sort(),
    because: one.after === 'unknown' ? one.masked.map((key) => `\`${key}\` was masked`) : [...new Set(ids)],
    calls: 1,
    example: { seq: one.seq, run: one.run, call: one.call },
  };
}
