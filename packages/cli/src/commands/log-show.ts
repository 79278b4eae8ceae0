import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findCall, formatCall, formatVerification, verifyLog } from '@ambit/audit';
import { type Exit, exits, UnusableError } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';

export async function logShow(
  host: Host,
  call: string,
  { log, json = false }: { readonly log?: string; readonly json?: boolean },
): Promise<Exit> {
  const file =
    log === undefined ? await newestLog(join(host.folder, '.ambit', 'log')) : resolve(host.folder, log);
  return readingLog(host, async () => {
    const found = await findCall(file, call);
    if (!found.ok) {
      const hint =
        found.similar.length === 0 ? 'ambit log tail FILE' : `did you mean ${found.similar.join(', ')}?`;
      throw new UnusableError(found.message, hint);
    }
    const { story } = found;
    const document = { call: story.call, log: file, entries: story.lines.map(({ entry }) => entry) };
    await write(host.stdout, json ? `${jsonText(document)}\n` : `${formatCall(story)}\n`);
    // What is read here may have been written by anybody, as long as nobody has looked.
    const verification = await verifyLog(file);
    if (verification.ok) return exits.done;
    const damage = formatVerification(file, verification);
    await write(
      host.stderr,
      `ambit: this log does not verify, so it may say what never happened\n${damage}\n`,
    );
    return exits.bad;
  });
}

/** The log that was written to last. */
async function newestLog(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const logs = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => ({ file: join(folder, name), time: (await stat(join(folder, name))).mtimeMs })),
  );
  const [newest] = logs.sort((one, other) => other.time - one.time || (one.file < other.file ? 1 : -1));
  if (newest === undefined)
    throw new UnusableError('there is no log in .ambit/log', 'name one with --log FILE');
  return newest.file;
}
