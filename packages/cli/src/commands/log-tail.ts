import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatEvent, tailLog } from '@ambit/audit';
import { printable } from '@ambit/runtime';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';

export async function logTail(
  host: Host,
  file: string,
  {
    follow = false,
    lines,
    json = false,
  }: { readonly follow?: boolean; readonly lines: number; readonly json?: boolean },
): Promise<Exit> {
  const end = new AbortController();
  const quiet = host.onInterrupt(() => end.abort());
  const path = resolve(host.folder, file);
  try {
    if (follow && !existsSync(path))
      await write(host.stderr, `ambit: ${printable(path)} is not there yet, and is waited for\n`);
    return await readingLog(host, async () => {
      for await (const { entry } of tailLog(path, { lines, follow, signal: end.signal }))
        await write(host.stdout, `${json ? jsonText(entry) : formatEvent(entry)}\n`);
      return exits.done;
    });
  } finally {
    quiet();
  }
}
