import { gzipSync } from 'node:zlib';
import { remembered } from '@ambit/core';
import { formatCall } from '../history/calls/format-call.js';
import { answerInWords, type CallRow, callRows } from '../history/query/call-row.js';
import type { LearntLoad } from '../history/query/load.js';
import { type Statistics, statisticsOf } from '../history/query/statistics.js';
import type { LogLine } from '../log/read/read-log.js';

export interface ReportData {
  readonly title: string;
  /** False if a log is invalid, which the page reports first. */
  readonly verified: boolean;
  readonly statistics: Statistics;
  /** Null if learning is impossible. */
  readonly learnt: LearntLoad | null;
  /** Calls by second, minute, hour or day (UTC), without gaps. */
  readonly periods: readonly Counted[];
  /** Most frequent first. */
  readonly tools: readonly Counted[];
  readonly workers: readonly Counted[];
  /** Null if the rules are unknown. */
  readonly idle: readonly KnownRule[] | null;
  readonly rows: ReportRows;
  /** Texts about each call: gzip, in base64, of JSON lists of `packed` calls. */
  readonly texts: readonly string[];
  readonly packed: number;
}

/** A rule with its place, `file:line:column`. */
export interface KnownRule {
  readonly id: string;
  readonly at: string;
}

/** Columns; words are indices of `words`. */
interface ReportRows {
  readonly words: readonly string[];
  /** Milliseconds since the call before; since 1970 of the first. */
  readonly times: readonly number[];
  readonly who: readonly number[];
  readonly decisions: readonly number[];
  readonly outcomes: readonly number[];
  /** The place of its text among all texts. */
  readonly places: readonly number[];
}

interface Counted {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** A longer text of one call is cut, and says so. */
const longest = 20_000;
const packed = 1000;

/** Gathers the data of the page. Memory holds little more than the packed texts. */
export async function reportData(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  of: {
    readonly title: string;
    readonly verified?: boolean;
    readonly rules: () => Promise<readonly KnownRule[] | null>;
    /** Called after all lines were read. */
    readonly learnt?: () => Promise<LearntLoad | null>;
  },
): Promise<ReportData> {
  const stories = new Map<string, LogLine[]>();
  const gathered = new Gathered();
  const rows = async function* () {
    for await (const row of callRows(noting(lines, stories))) {
      const key = `${row.run} ${row.call}`;
      gathered.add(row, stories.get(key) ?? []);
      stories.delete(key);
      yield row;
    }
  };
  const statistics = await statisticsOf(rows());
  const rules = await of.rules();
  const applied = new Set(statistics.applied.map(({ name }) => name));
  return {
    title: of.title,
    verified: of.verified ?? true,
    statistics,
    learnt: (await of.learnt?.()) ?? null,
    periods: gathered.periods(),
    tools: gathered.tools.list(),
    workers: gathered.workers.list(),
    idle: rules?.filter(({ id }) => !applied.has(id)).map(({ id, at }) => ({ id, at })) ?? null,
    rows: gathered.rows(),
    texts: gathered.texts(),
    packed,
  };
}

class Gathered {
  readonly tools = new DecisionCounts();
  readonly workers = new DecisionCounts();
  readonly #words = new Map<string, number>();
  readonly #calls: { readonly [member in 'times' | 'who' | 'decisions' | 'outcomes']: number[] } = {
    times: [],
    who: [],
    decisions: [],
    outcomes: [],
  };
  #waiting: (readonly [string, string, string])[] = [];
  readonly #packs: string[] = [];

  add(row: CallRow, lines: readonly LogLine[]): void {
    const decision = row.decision ?? 'not judged';
    this.tools.add(row.tool, decision);
    this.workers.add(row.worker, decision);
    this.#calls.times.push(Date.parse(row.time));
    this.#calls.who.push(this.#placeOf(`${row.chain}  ${row.tool}`));
    this.#calls.decisions.push(this.#placeOf(decision));
    this.#calls.outcomes.push(this.#placeOf(row.outcome ?? 'open'));
    this.#waiting.push(textsOf(row, lines));
    if (this.#waiting.length === packed) this.#pack();
  }

  texts(): readonly string[] {
    if (this.#waiting.length > 0) this.#pack();
    return this.#packs;
  }

  rows(): ReportRows {
    const { times, who, decisions, outcomes } = this.#calls;
    const places = this.#inOrder();
    const inOrder = (column: readonly number[]) => places.map((place) => column[place] as number);
    const sorted = inOrder(times);
    return {
      words: [...this.#words.keys()],
      times: sorted.map((time, at) => time - (sorted[at - 1] ?? 0)),
      who: inOrder(who),
      decisions: inOrder(decisions),
      outcomes: inOrder(outcomes),
      places,
    };
  }

  /** One day each if the logs are too long otherwise; only then are there gaps. */
  periods(): readonly Counted[] {
    const { times, decisions } = this.#calls;
    const order = this.#inOrder();
    const [from, to] = [times[order[0] ?? 0], times[order.at(-1) ?? 0]];
    if (from === undefined || to === undefined) return [];
    const [length, unit] =
      units.find(([, milliseconds]) => to - from < mostPeriods * milliseconds) ?? units[3];
    const nameOf = (time: number) => new Date(time).toISOString().slice(0, length).replace('T', ' ');
    const words = [...this.#words.keys()];
    const tallies = new DecisionCounts();
    for (const place of order) {
      const begin = Math.floor((times[place] as number) / unit) * unit;
      tallies.add(nameOf(begin), words[decisions[place] as number] as string);
    }
    const found = new Map(tallies.list().map((tally) => [tally.name, tally]));
    const start = Math.floor(from / unit) * unit;
    if (to - start < mostPeriods * 2 * unit)
      for (let at = start; at <= to; at += unit)
        if (!found.has(nameOf(at))) found.set(nameOf(at), { name: nameOf(at), counts: {} });
    return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  #inOrder(): number[] {
    const { times } = this.#calls;
    return times
      .map((_, place) => place)
      .sort((one, other) => (times[one] as number) - (times[other] as number));
  }

  #placeOf(word: string): number {
    return remembered(this.#words, word, () => this.#words.size);
  }

  #pack(): void {
    this.#packs.push(gzipSync(JSON.stringify(this.#waiting)).toString('base64'));
    this.#waiting = [];
  }
}

class DecisionCounts {
  readonly #counts = new Map<string, Record<string, number>>();

  add(name: string, decision: string): void {
    const counts = remembered(this.#counts, name, (): Record<string, number> => ({}));
    counts[decision] = (counts[decision] ?? 0) + 1;
  }

  list(): readonly Counted[] {
    const calls = ({ counts }: Counted) => Object.values(counts).reduce((sum, count) => sum + count, 0);
    const tallies = [...this.#counts].map(([name, counts]) => ({ name, counts }));
    return tallies.sort((one, other) => calls(other) - calls(one));
  }
}

async function* noting(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  stories: Map<string, LogLine[]>,
): AsyncGenerator<LogLine, void, undefined> {
  for await (const line of lines) {
    const { run, call } = line.entry;
    if (typeof call === 'string') {
      remembered(stories, `${run} ${call}`, () => []).push(line);
    }
    yield line;
  }
}

/** The description of a call for a person, and further search text. The first may contain anything. */
function textsOf(row: CallRow, lines: readonly LogLine[]): readonly [string, string, string] {
  const { run, call, chain, tool, subject, rules, outcome, decision, answer } = row;
  const text = formatCall({ call, lines });
  const answered = answer === null ? '' : answerInWords(answer);
  return [
    text.length <= longest
      ? text
      : `${text.slice(0, longest)}\n… cut: ${text.length - longest} more characters are in the log`,
    [decision ?? 'not judged', outcome ?? '', answered, run, chain, tool, ...rules].join('\n'),
    subject,
  ];
}

const units = [
  [19, 1000],
  [16, 60_000],
  [13, 3_600_000],
  [10, 86_400_000],
] as const;

const mostPeriods = 60;
