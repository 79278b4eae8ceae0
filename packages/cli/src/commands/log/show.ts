import { findCall, formatCall } from '@ambit/audit';
import { type Exit, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { readingLog } from '../../log-failure.js';
import { jsonText } from '../../view/json-text.js';
import { logNamed, newestLog } from './log-named.js';
import type { AskOptions } from './query.js';
import { verifiedLogs } from './verified-logs.js';

export async function logShow(
  host: Host,
  call: string,
  { log, json = false, unverified = false }: AskOptions & { readonly log?: string },
): Promise<Exit> {
  const file = log === undefined ? await newestLog(host) : await logNamed(host, log);
  return readingLog(host, async () => {
    const found = await findCall(file, call);
    if (!found.ok) {
      const hint =
        found.similar.length === 0 ? 'ambit log tail FILE' : `did you mean ${found.similar.join(', ')}?`;
      throw new UnusableError(found.message, hint);
    }
    const { story } = found;
    const { mark, banner, exit } = await verifiedLogs(host, [file], { unverified });
    const entries = story.lines.map(({ entry }) => entry);
    const document = { call: story.call, log: file, entries, ...mark };
    await write(host.stdout, json ? `${jsonText(document)}\n` : `${banner}${formatCall(story)}\n`);
    return exit;
  });
}
