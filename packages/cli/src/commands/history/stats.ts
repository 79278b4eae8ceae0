import { formatLoad, formatStatistics, statisticsOf } from '@ambit/audit';
import type { NonEmpty } from '@ambit/core';
import type { Exit } from '../../failure.js';
import { type Host, print } from '../../host.js';
import { queriedCalls } from '../log/query.js';
import { verifiedLogs } from '../log/verified-logs.js';
import type { OptionsOf } from '../table/table.js';
import { learnableLoad } from './learn-from-logs.js';

export async function logStats(
  host: Host,
  files: NonEmpty<string>,
  { json = false, unverified = false, load: isLoad = false, ...filter }: OptionsOf<'log stats'>,
): Promise<Exit> {
  const { logs, isVerified, mark, banner, exit } = await verifiedLogs(host, files, { unverified });
  const statistics = await statisticsOf(queriedCalls(host, logs, filter));
  const learnable = isLoad ? await learnableLoad(host, logs, { isVerified }) : null;
  const told = learnable === null ? formatStatistics(statistics) : formatLoad(statistics.load, learnable);
  const document = { ...statistics, ...(learnable === null ? {} : { learnt: learnable.learnt }), ...mark };
  await print(host, json ? document : `${banner}${told}`);
  return exit;
}
