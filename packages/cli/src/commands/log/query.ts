import { type CallFilter, formatRow } from '@ambit/audit';
import type { NonEmpty } from '@ambit/runtime';
import type { Exit } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { readingLog } from '../../log-failure.js';
import { jsonText } from '../../view/json-text.js';
import { queriedCalls } from './queried-calls.js';
import { verifiedLogs } from './verified-logs.js';

export interface AskOptions {
  readonly json?: boolean;
  /** Whether a log that does not verify is read as one that does. */
  readonly unverified?: boolean;
}

export async function logQuery(
  host: Host,
  files: NonEmpty<string>,
  { json = false, unverified = false, ...filter }: CallFilter & AskOptions,
): Promise<Exit> {
  return readingLog(host, async () => {
    const { logs, mark, banner, exit } = await verifiedLogs(host, files, { unverified });
    if (!json) await write(host.stdout, banner);
    for await (const row of queriedCalls(logs, filter))
      await write(host.stdout, `${json ? jsonText({ ...row, ...mark }) : formatRow(row)}\n`);
    return exit;
  });
}
