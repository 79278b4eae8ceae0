import { type CallFilter, type CallRow, csvHead, csvRow, ocsfEvent } from '@ambit/audit';
import type { NonEmpty } from '@ambit/runtime';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';
import { queriedCalls } from '../queried-calls.js';

export interface ExportOptions extends CallFilter {
  readonly format: 'csv' | 'json' | 'ocsf';
  readonly json?: boolean;
}

/** Where a run was made, as its first entry says; calls come after it. */
interface About {
  readonly version: string;
  readonly user: string;
  readonly machine: string;
}

export async function logExport(
  host: Host,
  files: NonEmpty<string>,
  { format, json = false, ...filter }: ExportOptions,
): Promise<Exit> {
  const runs = new Map<string, About>();
  const rows = queriedCalls(host, files, {
    ...filter,
    look: ({ entry }) => {
      if (entry.event === 'run') runs.set(entry.run, aboutOf(entry));
    },
  });
  const texts: Readonly<Record<ExportOptions['format'], (row: CallRow) => string>> = {
    csv: csvRow,
    json: (row) => `${jsonText(row)}\n`,
    ocsf: (row) => `${jsonText(ocsfEvent(row, runs.get(row.run) ?? aboutOf({})))}\n`,
  };
  const text = texts[json ? 'json' : format];
  return readingLog(host, async () => {
    if (text === csvRow) await write(host.stdout, csvHead);
    for await (const row of rows) await write(host.stdout, text(row));
    return exits.done;
  });
}

function aboutOf({ version, user, machine }: Readonly<Record<string, unknown>>): About {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : 'unknown');
  return { version: textOf(version), user: textOf(user), machine: textOf(machine) };
}
