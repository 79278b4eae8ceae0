import {
  type Capability,
  type Decision,
  decisions,
  type Grant,
  isMeasure,
  type Json,
  type JsonObject,
  type Judgement,
  type NonEmpty,
  remembered,
  toolsetOf,
} from '@ambit/core';
import type { CallCounts, LoggedCall } from './logged-call.js';
import type { JudgeReads } from './replay.js';

/** The level of detail that distinguishes calls: few policies read everything. */
export const levels = ['plain', 'measures', 'arguments'] as const;
export type Level = (typeof levels)[number];

/** The level that is sufficient for a judge with these reads. */
export function levelFor({ args, facts }: JudgeReads): Level {
  if (args) return 'arguments';
  return facts === null || [...facts].some(isMeasure) ? 'measures' : 'plain';
}

/** The distinct decisions of a log. */
export interface CallIndex {
  readonly values: readonly Json[];
  /** In the order of their first entries. */
  readonly alike: readonly IndexedCall[];
  /** The first of each. */
  readonly examples: readonly Example[];
  /** Whether a part of them was masked. */
  readonly masked: boolean;
  readonly counts: CallCounts;
}

/** Indices of values: `[[tool, chain, context, grants, others, capabilities, args, now], before, [day, calls, …]]`. */
type IndexedCall = readonly [readonly number[], number, readonly number[]];

/** `[seq, file, run, call]` */
type Example = readonly [number, string | null, string, string];

/** The most characters of values and rows that are kept in memory. */
export const mostIndexed = 32 * 1024 * 1024;

interface Group {
  readonly row: readonly number[];
  readonly before: number;
  readonly days: Map<number, number>;
}

export class Indexing {
  /** The JSON of each value, with its place. */
  readonly #places = new Map<string, number>();
  readonly #groups = new Map<string, Group>();
  readonly #examples: Example[] = [];
  #masked = false;
  #length = 0;

  constructor(
    private readonly level: Level,
    private readonly most: number,
  ) {}

  /** Takes the calls of a log, in their order. */
  accept(logged: LoggedCall, mayBeMasked: boolean): void {
    const { seq, file, run, call, time, before, request, grants, others } = logged;
    if (this.#length > this.most) {
      for (const kept of [this.#places, this.#groups]) kept.clear();
      this.#examples.length = 0;
      return;
    }
    this.#masked ||= mayBeMasked;
    const { tool, chain, context, capabilities, args } = request;
    // A kept answer looks at all of a call, whatever the policies read.
    const kept = grants.filter((grant) => grant.source === 'kept');
    const isWhole = this.level === 'arguments' || kept.length > 0;
    const seen = this.level === 'plain' && !isWhole ? capabilities.map(withoutMeasures) : capabilities;
    const now = kept.some(({ until }) => until !== undefined) ? request.now : 0;
    const parts = [tool, chain, context, grants, others, seen, isWhole ? args : null, now];
    const row = (parts as unknown as readonly Json[]).map((part) => this.#placeOf(part));
    const key = `${row.join()} ${before}`;
    const { days } = remembered(this.#groups, key, () => {
      this.#examples.push([seq, file, run, call]);
      this.#length += key.length + (file?.length ?? 0) + run.length + call.length;
      return { row, before: decisions.indexOf(before), days: new Map<number, number>() };
    });
    const day = this.#placeOf(time.slice(0, 10));
    days.set(day, (days.get(day) ?? 0) + 1);
  }

  /** A `CallIndex` as JSON; `null` where the calls differ so much that it would not fit into memory. */
  built(counts: CallCounts): string {
    if (this.#length > this.most) return 'null';
    const alike = [...this.#groups.values()].map(({ row, before, days }) => [row, before, [...days].flat()]);
    const others = { counts, alike, examples: this.#examples, masked: this.#masked };
    return `{"values":[${[...this.#places.keys()].join()}],${JSON.stringify(others).slice(1)}`;
  }

  #placeOf(value: Json): number {
    const text = JSON.stringify(value);
    return remembered(this.#places, text, () => {
      this.#length += text.length;
      return this.#places.size;
    });
  }
}

export function callOf(
  [row]: IndexedCall,
  { values }: CallIndex,
): Pick<LoggedCall, 'request' | 'grants' | 'others'> {
  const [tool, chain, context, grants, others, capabilities, args, now] = row.map(
    (place) => values[place] as unknown,
  );
  const workers = chain as NonEmpty<string>;
  return {
    grants: grants as readonly Grant[],
    others: others as readonly Judgement[],
    request: {
      tool: tool as string,
      toolset: toolsetOf(tool as string),
      chain: workers,
      worker: workers[workers.length - 1] as string,
      args: (args ?? {}) as JsonObject,
      capabilities: capabilities as NonEmpty<Capability>,
      context: context as JsonObject,
      history: [],
      now: now as number,
    },
  };
}

export function beforeOf([, before]: IndexedCall): Decision {
  return decisions[before] as Decision;
}

export function timesOf([, , days]: IndexedCall, { values }: CallIndex): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (let at = 0; at < days.length; at += 2)
    times.set(values[days[at] as number] as string, days[at + 1] as number);
  return times;
}

function withoutMeasures(capability: Capability): Capability {
  const entries = Object.entries(capability);
  // fromEntries defines own properties, so a fact called "__proto__" stays a fact.
  return entries.some(([fact]) => isMeasure(fact))
    ? (Object.fromEntries(entries.filter(([fact]) => !isMeasure(fact))) as unknown as Capability)
    : capability;
}
