import {
  type CallDecision,
  type DecidingMember,
  type Decision,
  decidingRules,
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
    readonly file: string | null;
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
  readonly questions: readonly (QuestionCounts & { readonly day: string })[];
}

interface QuestionCounts {
  readonly before: number;
  readonly after: number;
  readonly new: number;
}

export async function summarise(
  replayed: AsyncIterable<ReplayedCall> | Iterable<ReplayedCall>,
): Promise<ReplaySummary> {
  const summing = new Summing();
  const known = new Set<string>();
  for await (const one of replayed) {
    known.add(`${one.run} ${one.call}`);
    summing.accept(one);
  }
  return summing.summary({ calls: known.size, unjudged: 0 });
}

export function sumOf(summaries: readonly ReplaySummary[]): ReplaySummary {
  const summing = new Summing();
  for (const summary of summaries) summing.add(summary);
  const sum = (count: keyof CallCounts) => summaries.reduce((all, summary) => all + summary[count], 0);
  return summing.summary({ calls: sum('calls'), unjudged: sum('unjudged') });
}

/** How many calls there were on each day. */
type Times = ReadonlyMap<string, number>;

type Direction = 'same' | 'looser' | 'stricter' | 'unknown';

export class Summing {
  readonly #counts = { decisions: 0, same: 0, looser: 0, stricter: 0, unknown: 0 };
  readonly #classes = new Map<string, ReplayClass>();
  readonly #days = new Map<string, QuestionCounts>();

  /** Takes one call, or equal calls with their number on each day. */
  accept(one: ReplayedCall, times: Times = new Map([[one.time.slice(0, 10), 1]])): void {
    const calls = this.#count(directionOf(one), one, times);
    if (one.after !== one.before) this.#addClass({ ...classOf(one), calls });
  }

  /** Takes unchanged calls. */
  same(decision: Decision, times: Times): void {
    this.#count('same', { before: decision, after: decision }, times);
  }

  add(summary: ReplaySummary): void {
    const counts = this.#counts;
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += summary[name];
    for (const one of summary.classes) this.#addClass(one);
    for (const { day, ...asked } of summary.questions) this.#addAsked(day, asked);
  }

  summary(seen: CallCounts): ReplaySummary {
    const classes = [...this.#classes.values()].sort((one, other) => other.calls - one.calls);
    const callsOf = ({ from, to }: Way) =>
      classes.reduce((sum, each) => sum + (each.from === from && each.to === to ? each.calls : 0), 0);
    return {
      ...seen,
      ...this.#counts,
      ways: sixWays.map((way) => ({ ...way, calls: callsOf(way) })),
      classes,
      questions: [...this.#days]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([day, asked]) => ({ day, ...asked })),
    };
  }

  /** Returns the number of calls. */
  #count(
    direction: Direction,
    { before, after }: Pick<ReplayedCall, 'before' | 'after'>,
    times: Times,
  ): number {
    const [then, now] = [before === 'needs_approval', after === 'needs_approval'];
    let all = 0;
    for (const [day, calls] of times) {
      all += calls;
      const asked = { before: then ? calls : 0, after: now ? calls : 0, new: now && !then ? calls : 0 };
      if (then || now) this.#addAsked(day, asked);
    }
    this.#counts.decisions += all;
    this.#counts[direction] += all;
    return all;
  }

  #addClass(one: ReplayClass): void {
    const key = JSON.stringify([one.from, one.to, one.tool, one.capabilities, one.because]);
    const known = this.#classes.get(key);
    this.#classes.set(key, known === undefined ? one : { ...known, calls: known.calls + one.calls });
  }

  #addAsked(day: string, more: QuestionCounts): void {
    const asked = this.#days.get(day) ?? { before: 0, after: 0, new: 0 };
    this.#days.set(day, {
      before: asked.before + more.before,
      after: asked.after + more.after,
      new: asked.new + more.new,
    });
  }
}

const sixWays = decisions.flatMap((from) =>
  decisions.filter((to) => to !== from).map((to) => ({ from, to })),
);

function directionOf({ before, after }: ReplayedCall): Direction {
  if (after === 'unknown') return 'unknown';
  if (after === before) return 'same';
  return isStricter(after, before) ? 'stricter' : 'looser';
}

function classOf(one: ReplayedCall): ReplayClass {
  const { capabilities, judgements, decision } = one.decision;
  const deciding = judgements.filter((judgement) => judgement.decision === decision);
  const member = one.after === 'unknown' ? undefined : deciding.find((each) => each.member)?.member;
  const ids = deciding.flatMap((judgement) => [
    ...decidingRules(judgement).map(({ id }) => id),
    ...(judgement.default ? [`the default of ${judgement.policy}`] : []),
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
    example: {
      seq: one.seq,
      file: one.file,
      run: one.run,
      call: one.call,
      ...(member !== undefined && { member }),
    },
  };
}
