import { formatCall } from '../format-call.js';
import type { CallRow } from '../query/call-row.js';
import { callRows } from '../query/call-row.js';
import { type Statistics, statisticsOf } from '../query/statistics.js';
import type { LogLine } from '../read-log.js';

/** Everything that the page shows, as data. */
export interface ReportData {
  readonly title: string;
  readonly statistics: Statistics;
  /** Calls by day (UTC) and decision, in order. */
  readonly days: readonly { readonly day: string; readonly counts: Readonly<Record<string, number>> }[];
  /** Ids of rules that never applied; null where it is not known which rules there were. */
  readonly idle: readonly string[] | null;
  readonly calls: readonly ReportedCall[];
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

/** Gathers what the page shows. `rules` gives the ids of the rules that could have applied, where they are known, once all lines were read. */
export async function reportData(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  of: { readonly title: string; readonly rules: () => Promise<readonly string[] | null> },
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
    statistics: await statisticsOf(rows),
    days: daysOf(rows),
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

function daysOf(rows: readonly CallRow[]): ReportData['days'] {
  const days = new Map<string, Record<string, number>>();
  for (const { time, decision } of rows) {
    const counts = days.get(time.slice(0, 10)) ?? {};
    const name = decision ?? 'not judged';
    counts[name] = (counts[name] ?? 0) + 1;
    days.set(time.slice(0, 10), counts);
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([day, counts]) => ({ day, counts }));
}
