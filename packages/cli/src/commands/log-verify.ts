import { resolve } from 'node:path';
import { formatVerification, verifyLog } from '@ambit/audit';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';

export async function logVerify(
  host: Host,
  file: string,
  { json = false }: { readonly json?: boolean },
): Promise<Exit> {
  return readingLog(host, async () => {
    const verification = await verifyLog(resolve(host.folder, file));
    const text = json ? jsonText({ file, ...verification }) : formatVerification(file, verification);
    await write(host.stdout, `${text}\n`);
    return verification.ok ? exits.done : exits.bad;
  });
}
