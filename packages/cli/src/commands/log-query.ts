import { type CallFilter, formatRow } from '@ambit/audit';
import type { NonEmpty } from '@ambit/runtime';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';
import { queriedCalls } from '../queried-calls.js';

export async function logQuery(
  host: Host,
  files: NonEmpty<string>,
  { json = false, ...filter }: CallFilter & { readonly json?: boolean },
): Promise<Exit> {
  return readingLog(host, async () => {
    for await (const row of queriedCalls(host, files, filter))
      await write(host.stdout, `${json ? jsonText(row) : formatRow(row)}\n`);
    return exits.done;
  });
}
