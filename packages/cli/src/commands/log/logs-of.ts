import { logsIn } from '@ambit/audit';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';
import { logNamed } from './log-named.js';

/** The logs that were named: by any of their segments, by the id of a run, or by a folder for all that are in it; each once, as an absolute path. */
export async function logsOf(host: Host, names: readonly string[]): Promise<readonly string[]> {
  const logs = await logsIn(await Promise.all(names.map((name) => logNamed(host, name))));
  if (logs.length === 0)
    throw new UnusableError(`there is no log in ${names.join(', ')}`, 'a log is a file NAME.jsonl');
  return logs;
}
