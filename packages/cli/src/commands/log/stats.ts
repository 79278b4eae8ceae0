import { type CallFilter, formatStatistics, statisticsOf } from '@ambit/audit';
import type { NonEmpty } from '@ambit/runtime';
import type { Exit } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { readingLog } from '../../log-failure.js';
import { jsonText } from '../../view/json-text.js';
import { queriedCalls } from './queried-calls.js';
import type { AskOptions } from './query.js';
import { verifiedLogs } from './verified-logs.js';

export async function logStats(
  host: Host,
  files: NonEmpty<string>,
  { json = false, unverified = false, ...filter }: CallFilter & AskOptions,
): Promise<Exit> {
  return readingLog(host, async () => {
    const { logs, mark, banner, exit } = await verifiedLogs(host, files, { unverified });
    const statistics = await statisticsOf(queriedCalls(logs, filter));
    const text = json ? jsonText({ ...statistics, ...mark }) : `${banner}${formatStatistics(statistics)}`;
    await write(host.stdout, `${text}\n`);
    return exit;
  });
}
