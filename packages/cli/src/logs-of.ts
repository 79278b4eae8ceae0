import { resolve } from 'node:path';
import { logsIn } from '@ambit/audit';
import { UnusableError } from './failure.js';
import type { Host } from './host.js';

/** The logs that were named: by any of their segments, or by a folder for all that are in it; each once, as an absolute path. */
export async function logsOf(host: Host, names: readonly string[]): Promise<readonly string[]> {
  const logs = await logsIn(names.map((name) => resolve(host.folder, name)));
  if (logs.length === 0)
    throw new UnusableError(`there is no log in ${names.join(', ')}`, 'a log is a file NAME.jsonl');
  return logs;
}
