import {
  type CallDecision,
  type DecidingMember,
  type Decision,
  decisions,
  isStricter,
  type NonEmpty,
} from '@ambit/core';
import type { CallCounts, LoggedCall } from './logged-call.js';

export interface ReplayedCall extends Omit<LoggedCall, 'request' | 'grants' | 'others'> {
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  /** `unknown` if it depends on a masked value, or on an unusable manifest. */
  readonly after: Decision | 'unknown';
  /** Judged without masked values: as strict as possible. */
  readonly decision: CallDecision;
  readonly masked: readonly string[];
}

interface Way {
  readonly from: Decision;
  readonly to: Decision | 'unknown';
}

/** Decisions with the same change and the same reason. */
export interface ReplayClass extends Way {
  readonly tool: string;
  /** Sorted. */
  readonly capabilities: readonly string[];
  /** The ids of the rules that decide now; `default` for a default. */
  readonly because: readonly string[];
  readonly calls: number;
  readonly example: {
    readonly seq: number;
    readonly run: string;
    readonly call: string;
    /** Of a file set: a deciding file, and the number of deciding files. */
    readonly member?: DecidingMember;
  };
}

export interface ReplaySummary extends CallCounts {
  /** The number of judged decisions: a call that was described again has several. */
  readonly decisions: number;
  readonly same: number;
  readonly looser: number;
  readonly stricter: number;
  readonly unknown: number;
  readonly ways: readonly (Way & { readonly calls: number })[];
  /** Most frequent first, without unchanged ones. */
  readonly classes: readonly ReplayClass[];
  /** Questions by day (UTC): in the log, now, and new ones. */
  readonly questions: readonly (Asked & { readonly day: string })[];
}

interface Asked {
  readonly before: number;
  readonly after: number;
  readonly new: number;
}

export async function summarise(
  replayed: AsyncIterable<ReplayedCall> | Iterable<ReplayedCall>,
): Promise<ReplaySummary> {
  const summing = createSummary();
  const known = new Set<string>();
  for await (const one of replayed) {
    known.add(`${one.run} ${one.call}`);
    summing.accept(one);
  }
  return summing.summary({ calls: known.size, unjudged: 0 });
}

interface Summing {
  /** Takes one call, or equal calls with their number on each day. */
  accept(one: ReplayedCall, times?: ReadonlyMap<string, number>): void;
  /** Takes unchanged calls. */
  same(decision: Decision, times: ReadonlyMap<string, number>): void;
  summary(counts: CallCounts): ReplaySummary;
}

export function createSummary(): Summing {
  const counts = { decisions: 0, same: 0, looser: 0, stricter: 0, unknown: 0 };
  const classes = new Map<string, ReplayClass>();
  const days = new Map<string, Asked>();
  const ways = new Map<string, number>();
  return {
    accept: (one, times) => {
      let calls = 0;
      if (times === undefined) {
        calls = 1;
        countQuestions(days, one, { day: one.time.slice(0, 10), calls });
      } else
        for (const [day, count] of times) {
          calls += count;
          countQuestions(days, one, { day, calls: count });
        }
      counts.decisions += calls;
      counts[directionOf(one)] += calls;
      if (one.after === one.before) return;
      const way = `${one.before} ${one.after}`;
      ways.set(way, (ways.get(way) ?? 0) + calls);
      addClass(classes, { ...classOf(one), calls });
    },
    same: (decision, times) => {
      for (const [day, calls] of times) {
        counts.decisions += calls;
        counts.same += calls;
        countQuestions(days, { before: decision, after: decision }, { day, calls });
      }
    },
    summary: (seen) => ({
      ...seen,
      ...counts,
      ways: sixWays.map((way) => ({ ...way, calls: ways.get(`${way.from} ${way.to}`) ?? 0 })),
      classes: byFrequency(classes),
      questions: byDay(days),
    }),
  };
}

export function sumOf(summaries: readonly ReplaySummary[]): ReplaySummary {
  const counts = { calls: 0, unjudged: 0, decisions: 0, same: 0, looser: 0, stricter: 0, unknown: 0 };
  const classes = new Map<string, ReplayClass>();
  const days = new Map<string, Asked>();
  for (const summary of summaries) {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += summary[name];
    for (const one of summary.classes) addClass(classes, one);
    for (const { day, ...asked } of summary.questions) addAsked(days, day, asked);
  }
  return {
    ...counts,
    ways: sixWays.map((way, at) => ({
      ...way,
      calls: summaries.reduce((sum, { ways }) => sum + (ways[at]?.calls ?? 0), 0),
    })),
    classes: byFrequency(classes),
    questions: byDay(days),
  };
}

function byFrequency(classes: ReadonlyMap<string, ReplayClass>): readonly ReplayClass[] {
  return [...classes.values()].sort((one, other) => other.calls - one.calls);
}

function byDay(days: ReadonlyMap<string, Asked>): ReplaySummary['questions'] {
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, asked]) => ({ day, ...asked }));
}

function addClass(classes: Map<string, ReplayClass>, one: ReplayClass): void {
  const key = JSON.stringify([one.from, one.to, one.tool, one.capabilities, one.because]);
  const known = classes.get(key);
  classes.set(key, known === undefined ? one : { ...known, calls: known.calls + one.calls });
}

function addAsked(days: Map<string, Asked>, day: string, more: Asked): void {
  const asked = days.get(day) ?? { before: 0, after: 0, new: 0 };
  days.set(day, {
    before: asked.before + more.before,
    after: asked.after + more.after,
    new: asked.new + more.new,
  });
}

const sixWays = decisions.flatMap((from) =>
  decisions.filter((to) => to !== from).map((to) => ({ from, to })),
);

function directionOf({ before, after }: ReplayedCall): 'same' | 'looser' | 'stricter' | 'unknown' {
  if (after === 'unknown') return 'unknown';
  if (after === before) return 'same';
  return isStricter(after, before) ? 'stricter' : 'looser';
}

function countQuestions(
  days: Map<string, Asked>,
  { before, after }: Pick<ReplayedCall, 'before' | 'after'>,
  { day, calls }: { readonly day: string; readonly calls: number },
): void {
  const [then, now] = [before === 'needs_approval', after === 'needs_approval'];
  if (!then && !now) return;
  addAsked(days, day, {
    before: then ? calls : 0,
    after: now ? calls : 0,
    new: now && !then ? calls : 0,
  });
}

function classOf(one: ReplayedCall): ReplayClass {
  const { capabilities, judgements, decision } = one.decision;
  const deciding = judgements.filter((judgement) => judgement.decision === decision);
  const member = one.after === 'unknown' ? undefined : deciding.find((each) => each.member)?.member;
  const ids = deciding.flatMap(({ rules, undecided, default: isDefault, policy }) => [
    ...[...rules, ...undecided].filter((rule) => rule.decision === decision).map(({ id }) => id),
    ...(isDefault ? [`the default of ${policy}`] : []),
  ]);
  return {
    from: one.before,
    to: one.after,
    tool: one.tool,
    capabilities: [...new Set(capabilities.map(({ name }) => name))].sort(),
    because:
      one.after === 'unknown'
        ? [...one.masked.map((key) => `\`${key}\` was masked`), ...one.unread]
        : [...new Set(ids)],
    calls: 1,
    example: { seq: one.seq, run: one.run, call: one.call, ...(member !== undefined && { member }) },
  };
}
