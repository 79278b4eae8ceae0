import {
  type CallFilter,
  type CallRow,
  callRows,
  csvHead,
  csvRow,
  formatRow,
  type LogLine,
  matchesFilter,
  ocsfEvent,
  readLog,
} from '@ambit/audit';
import {
  isWithin,
  type JsonObject,
  jsonText,
  type NonEmpty,
  nearest,
  printableLines,
  toolsetOf,
} from '@ambit/core';
import { type Exit, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { timeText } from '../../view/text.js';
import type { OptionsOf } from '../table/table.js';
import { verifiedLogs } from './verified-logs.js';

export async function logQuery(
  host: Host,
  files: NonEmpty<string>,
  { json = false, unverified = false, ...filter }: OptionsOf<'log query'>,
): Promise<Exit> {
  const { logs, mark, banner, exit } = await verifiedLogs(host, files, { unverified });
  if (!json) await write(host.stdout, banner);
  for await (const row of queriedCalls(host, logs, filter))
    await print(host, json ? { ...row, ...mark } : formatRow(row));
  return exit;
}

const kinds = ['worker', 'tool', 'capability', 'person'] as const;

const namesOf: Readonly<Record<(typeof kinds)[number], (row: CallRow) => readonly string[]>> = {
  worker: ({ chain }) => chain.split(' > '),
  tool: ({ tool }) => [tool, toolsetOf(tool)],
  capability: ({ capabilities }) => capabilities,
  person: ({ answer, people }) => (answer === null ? [] : [answer.who, ...people]),
};

/** The matching calls of these logs. `look` sees every entry. Reports names that match no call, because they may be mistakes. */
export async function* queriedCalls(
  host: Host,
  logs: readonly string[],
  { look, ...filter }: CallFilter & { readonly look?: (line: LogLine) => void },
): AsyncGenerator<CallRow, void, undefined> {
  const { rule = [], since = 0, until = Number.POSITIVE_INFINITY } = filter;
  if (since > until)
    throw new UnusableError(
      `no time is between --since ${timeText(since)} and --until ${timeText(until)}`,
      'give an earlier time for --since, or a later one for --until',
    );
  const unseen = new Set(rule);
  const applied = new Set<string>();
  const sources: string[] = [];
  const lines = (async function* (): AsyncGenerator<LogLine, void, undefined> {
    for (const log of logs)
      for await (const line of readLog(log)) {
        if (rule.length > 0 && line.entry.event === 'policy') sources.push(JSON.stringify(line.entry));
        look?.(line);
        yield line;
      }
  })();
  const named = kinds.flatMap((kind) =>
    (filter[kind] ?? []).map((name) => ({ kind, name, known: new Set<string>() })),
  );
  for await (const row of callRows(lines)) {
    for (const { kind, known } of named) for (const name of namesOf[kind](row)) known.add(name);
    for (const id of [...row.rules, ...row.applied]) {
      unseen.delete(id);
      applied.add(id);
    }
    if (matchesFilter(row, filter)) yield row;
  }
  for (const { kind, name, known } of named) {
    if ([...known].some((one) => isWithin(one, name))) continue;
    const near = nearest(name, known) ?? [...known].find((one) => one.endsWith(`.${name}`)) ?? null;
    const hint = near === null ? 'ambit log query --help' : `did you mean ${near}?`;
    const message = `ambit: no call of these logs has the ${kind} \`${name}\`\nhint: ${hint}\n`;
    await write(host.stderr, printableLines(message));
  }
  // A rule that never applied, or that is named by its place, is not a mistake.
  const unknown = [...unseen].find((id) => !id.includes('.') && !sources.some((text) => hasWord(text, id)));
  if (unknown === undefined) return;
  const known = [...applied].slice(0, 10).join(', ');
  throw new UnusableError(
    `no policy of these logs has the rule \`${unknown}\``,
    known === '' ? null : `rules that applied: ${known}`,
  );
}

/** Whether the word is there, and not only as a part of a longer one. */
function hasWord(text: string, word: string): boolean {
  const parts = text.split(word);
  return parts.some((part, at) => at > 0 && !/^[\w-]/.test(part) && !/[\w-]$/.test(parts[at - 1] ?? ''));
}

/** Who ran what where, from the first entry of a run; its calls follow. */
type Origin = Parameters<typeof ocsfEvent>[1];

export async function logExport(
  host: Host,
  files: NonEmpty<string>,
  { format, json = false, unverified = false, ...filter }: OptionsOf<'log export'>,
): Promise<Exit> {
  const runs = new Map<string, Origin>();
  const look = ({ entry }: LogLine) => {
    if (entry.event === 'run') runs.set(entry.run, originOf(entry));
  };
  const { logs, isVerified, mark, exit } = await verifiedLogs(host, files, { unverified });
  const texts: Readonly<Record<OptionsOf<'log export'>['format'], (row: CallRow) => string>> = {
    csv: (row) => csvRow(row, isVerified),
    json: (row) => `${jsonText({ ...row, ...mark })}\n`,
    ocsf: (row) => {
      const event = ocsfEvent(row, runs.get(row.run) ?? originOf({}));
      return `${jsonText({ ...event, unmapped: { ...(event.unmapped as JsonObject), ...mark } })}\n`;
    },
  };
  const kind = json ? 'json' : format;
  if (kind === 'csv') await write(host.stdout, csvHead(isVerified));
  for await (const row of queriedCalls(host, logs, { ...filter, look }))
    await write(host.stdout, texts[kind](row));
  return exit;
}

function originOf({ version, user, machine }: Readonly<Record<string, unknown>>): Origin {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : 'unknown');
  return { version: textOf(version), user: textOf(user), machine: textOf(machine) };
}
