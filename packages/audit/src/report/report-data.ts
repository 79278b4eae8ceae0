import { formatCall } from '../history/calls/format-call.js';
import type { CallRow } from '../history/query/call-row.js';
import { callRows } from '../history/query/call-row.js';
import type { LearntLoad } from '../history/query/load.js';
import { type Statistics, statisticsOf } from '../history/query/statistics.js';
import type { LogLine } from '../log/read/read-log.js';

/** Everything that the page shows, as data. */
export interface ReportData {
  readonly title: string;
  /** False where a log does not verify, which the page says before everything else. */
  readonly verified: boolean;
  readonly statistics: Statistics;
  /** What learned rules would save; null if learning is impossible. */
  readonly learnt: LearntLoad | null;
  /** Calls by second, minute, hour or day (UTC), as long as the logs are, in order; those without a call are among them. */
  readonly periods: readonly Tally[];
  /** Most frequent first. */
  readonly tools: readonly Tally[];
  readonly workers: readonly Tally[];
  /** Ids of rules that never applied; null if the rules are unknown. */
  readonly idle: readonly string[] | null;
  readonly calls: readonly ReportedCall[];
}

/** Calls of something, by their decision. */
interface Tally {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** A call, and all that its log says about it, for a person. */
export interface ReportedCall
  extends Pick<CallRow, 'time' | 'run' | 'call' | 'chain' | 'tool' | 'rules' | 'outcome'> {
  readonly decision: string;
  readonly answer: string;
  readonly text: string;
}

/** A longer text of one call is cut, and says so. */
const longest = 20_000;

/**
 * Gathers the data of the page. `rules` returns the ids of the known rules that could have applied, once all
 * lines are read.
 */
export async function reportData(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  of: {
    readonly title: string;
    readonly verified?: boolean;
    readonly rules: () => Promise<readonly string[] | null>;
    /** Asked once all lines were read. */
    readonly learnt?: () => Promise<LearntLoad | null>;
  },
): Promise<ReportData> {
  const stories = new Map<string, LogLine[]>();
  const rows: CallRow[] = [];
  const calls: ReportedCall[] = [];
  for await (const row of callRows(noting(lines, stories))) {
    rows.push(row);
    const key = `${row.run} ${row.call}`;
    calls.push(reported(row, stories.get(key) ?? []));
    stories.delete(key);
  }
  const rules = await of.rules();
  const applied = new Set(rows.flatMap((row) => row.applied));
  return {
    title: of.title,
    verified: of.verified ?? true,
    statistics: await statisticsOf(rows),
    learnt: (await of.learnt?.()) ?? null,
    periods: periodsOf(rows),
    tools: talliesOf(rows, ({ tool }) => tool),
    workers: talliesOf(rows, ({ worker }) => worker),
    idle: rules?.filter((id) => !applied.has(id)) ?? null,
    calls: calls.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0)),
  };
}

async function* noting(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  stories: Map<string, LogLine[]>,
): AsyncGenerator<LogLine, void, undefined> {
  for await (const line of lines) {
    const { run, call } = line.entry;
    if (typeof call === 'string') {
      const key = `${run} ${call}`;
      const known = stories.get(key);
      if (known === undefined) stories.set(key, [line]);
      else known.push(line);
    }
    yield line;
  }
}

function reported(row: CallRow, lines: readonly LogLine[]): ReportedCall {
  const { time, run, call, chain, tool, rules, outcome, decision, answer } = row;
  const text = formatCall({ call, lines });
  return {
    time,
    run,
    call,
    chain,
    tool,
    rules,
    outcome,
    decision: decision ?? 'not judged',
    answer:
      answer === null
        ? ''
        : `${answer.approved ? 'approved' : 'not approved'} by ${`${answer.how} ${answer.who}`.trim()}`,
    text:
      text.length <= longest
        ? text
        : `${text.slice(0, longest)}\n… cut: ${text.length - longest} more characters are in the log`,
  };
}

/** How much of a time names a period, and how long it lasts. */
const units = [
  [19, 1000],
  [16, 60_000],
  [13, 3_600_000],
  [10, 86_400_000],
] as const;

/** The most bars. */
const mostPeriods = 60;

/** One day each if the logs are too long otherwise; only then are there gaps. */
function periodsOf(rows: readonly CallRow[]): readonly Tally[] {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { time } of rows) {
    from = Math.min(from, Date.parse(time));
    to = Math.max(to, Date.parse(time));
  }
  const [length, unit] = units.find(([, milliseconds]) => to - from < mostPeriods * milliseconds) ?? units[3];
  const nameOf = (time: string) => time.slice(0, length).replace('T', ' ');
  const found = new Map(talliesOf(rows, ({ time }) => nameOf(time)).map((tally) => [tally.name, tally]));
  const start = Math.floor(from / unit) * unit;
  if (to - start < mostPeriods * 2 * unit)
    for (let at = start; at <= to; at += unit) {
      const name = nameOf(new Date(at).toISOString());
      if (!found.has(name)) found.set(name, { name, counts: {} });
    }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function talliesOf(rows: readonly CallRow[], nameOf: (row: CallRow) => string): readonly Tally[] {
  const tallies = new Map<string, { readonly counts: Record<string, number>; calls: number }>();
  for (const row of rows) {
    const tally = tallies.get(nameOf(row)) ?? { counts: {}, calls: 0 };
    const decision = row.decision ?? 'not judged';
    tally.counts[decision] = (tally.counts[decision] ?? 0) + 1;
    tally.calls += 1;
    tallies.set(nameOf(row), tally);
  }
  return [...tallies]
    .sort(([, one], [, other]) => other.calls - one.calls)
    .map(([name, { counts }]) => ({ name, counts }));
}
