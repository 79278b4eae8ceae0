import { type CallFilter, type CallRow, csvHead, csvRow, type LogLine, ocsfEvent } from '@ambit/audit';
import type { JsonObject, NonEmpty } from '@ambit/runtime';
import type { Exit } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { readingLog } from '../../log-failure.js';
import { jsonText } from '../../view/json-text.js';
import { queriedCalls } from './queried-calls.js';
import type { AskOptions } from './query.js';
import { verifiedLogs } from './verified-logs.js';

export interface ExportOptions extends CallFilter, AskOptions {
  readonly format: 'csv' | 'json' | 'ocsf';
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
  { format, json = false, unverified = false, ...filter }: ExportOptions,
): Promise<Exit> {
  const runs = new Map<string, About>();
  const look = ({ entry }: LogLine) => {
    if (entry.event === 'run') runs.set(entry.run, aboutOf(entry));
  };
  return readingLog(host, async () => {
    const { logs, isVerified, mark, exit } = await verifiedLogs(host, files, { unverified });
    const texts: Readonly<Record<ExportOptions['format'], (row: CallRow) => string>> = {
      csv: (row) => csvRow(row, isVerified),
      json: (row) => `${jsonText({ ...row, ...mark })}\n`,
      ocsf: (row) => `${jsonText(marked(ocsfEvent(row, runs.get(row.run) ?? aboutOf({})), mark))}\n`,
    };
    const kind = json ? 'json' : format;
    if (kind === 'csv') await write(host.stdout, csvHead(isVerified));
    for await (const row of queriedCalls(logs, { ...filter, look }))
      await write(host.stdout, texts[kind](row));
    return exit;
  });
}

/** Where the class has no attribute for it. */
function marked(event: JsonObject, mark: { readonly verified?: false }): JsonObject {
  return { ...event, unmapped: { ...(event.unmapped as JsonObject), ...mark } };
}

function aboutOf({ version, user, machine }: Readonly<Record<string, unknown>>): About {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : 'unknown');
  return { version: textOf(version), user: textOf(user), machine: textOf(machine) };
}
