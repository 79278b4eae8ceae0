import { type CallFilter, type CallRow, callRows, type LogLine, matchesFilter, readLog } from '@ambit/audit';

/** The calls of these logs, one log after another, that are asked for. `look` sees every entry. */
export async function* queriedCalls(
  logs: readonly string[],
  { look, ...filter }: CallFilter & { readonly look?: (line: LogLine) => void },
): AsyncGenerator<CallRow, void, undefined> {
  for await (const row of callRows(linesOf(logs, look))) if (matchesFilter(row, filter)) yield row;
}

async function* linesOf(
  logs: readonly string[],
  look: ((line: LogLine) => void) | undefined,
): AsyncGenerator<LogLine, void, undefined> {
  for (const log of logs) {
    for await (const line of readLog(log)) {
      look?.(line);
      yield line;
    }
  }
}
