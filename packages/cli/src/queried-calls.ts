import { type CallFilter, type CallRow, callRows, type LogLine, matchesFilter, readLog } from '@ambit/audit';
import type { NonEmpty } from '@ambit/runtime';
import type { Host } from './host.js';
import { logsOf } from './logs-of.js';

/** The calls of these logs, one log after another, that are asked for. `look` sees every entry. */
export async function* queriedCalls(
  host: Host,
  files: NonEmpty<string>,
  { look, ...filter }: CallFilter & { readonly look?: (line: LogLine) => void },
): AsyncGenerator<CallRow, void, undefined> {
  for await (const row of callRows(linesOf(host, files, look))) if (matchesFilter(row, filter)) yield row;
}

async function* linesOf(
  host: Host,
  files: NonEmpty<string>,
  look: ((line: LogLine) => void) | undefined,
): AsyncGenerator<LogLine, void, undefined> {
  for (const file of await logsOf(host, files)) {
    for await (const line of readLog(file)) {
      look?.(line);
      yield line;
    }
  }
}
