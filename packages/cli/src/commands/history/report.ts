import { access, constants, lstat, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { createWhole, type LogLine, readLog, reportData, reportPage, writeWhole } from '@ambit/audit';
import { errorCode, type NonEmpty, printable, shellWord } from '@ambit/core';
import { type Exit, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { nameOf, verifiedLogs } from '../log/verified-logs.js';
import type { OptionsOf } from '../table/table.js';
import { learnableLoad } from './learn-from-logs.js';
import { PoliciesInLogs } from './policies-in-logs.js';

/** Learning keeps all calls in memory, so longer reports omit it. */
const mostLearnt = 200_000;

/** Writes an HTML report about logs. */
export async function report(
  host: Host,
  files: NonEmpty<string>,
  { out, json = false, unverified = false }: OptionsOf<'report'>,
): Promise<Exit> {
  const { logs, isVerified, mark, exit } = await verifiedLogs(host, files, { unverified });
  const policies = new PoliciesInLogs();
  let entries = 0;
  const lines = (async function* (): AsyncGenerator<LogLine, void, undefined> {
    for (const file of logs)
      for await (const line of readLog(file)) {
        policies.accept(line.entry);
        entries += 1;
        yield line;
      }
  })();
  const title = files.map((file) => basename(file)).join(', ');
  const rules = () => policies.rules();
  const learnt = async () => {
    if (entries <= mostLearnt) return (await learnableLoad(host, logs, { isVerified })).learnt;
    await write(host.stderr, `ambit: a report of more than ${mostLearnt} entries proposes no rules\n`);
    return null;
  };
  const data = await reportData(lines, { title, verified: isVerified, rules, learnt });
  const page = { [Symbol.iterator]: () => reportPage(data) };
  if (out === '-') {
    for (const part of page) await write(host.stdout, part);
    return exit;
  }
  const [log = files[0]] = logs;
  const file = out ?? nameOf(host, `${log.replace(/\.jsonl$/, '')}.html`);
  await writePage(host, { file, isNamed: out !== undefined }, page);
  await print(host, json ? { file: resolve(host.folder, file), ...mark } : `wrote ${printable(file)}`);
  return exit;
}

/** Where no file can be created beside another, or take its name. */
const notBeside = /^(?:EACCES|EPERM|EROFS|EBUSY|ENAMETOOLONG|ENOSYS|ENOTSUP|EOPNOTSUPP)$/;

/** Leaves an old page as it was if the new one does not fit. What cannot be replaced is written into, such as a pipe. */
async function writePage(
  host: Host,
  { file, isNamed }: { readonly file: string; readonly isNamed: boolean },
  page: Iterable<string>,
): Promise<void> {
  const path = resolve(host.folder, file);
  // The page repeats the log, so it has the log's permissions.
  const into = (flag: 'w' | 'wx') => (error: unknown) => {
    if (!notBeside.test(errorCode(error) ?? '')) throw error;
    return writeFile(path, page, { mode: 0o600, flag });
  };
  if (!isNamed)
    return createWhole(path, page)
      .catch(into('wx'))
      .catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
        throw new UnusableError(
          `${file} already exists; it is not replaced`,
          `--out ${shellWord(file)} replaces it`,
        );
      });
  const real = await realpath(path).catch(() => null);
  // A link to nothing stays one.
  const old = await (real === null ? lstat(path) : stat(real)).catch(() => null);
  if (old !== null && !old.isFile()) return writeFile(path, page, { mode: 0o600 });
  if (old !== null) await access(path, constants.W_OK);
  const mode = old === null ? 0o600 : old.mode & 0o777;
  await writeWhole(real ?? path, page, { mode }).catch(into('w'));
}
