import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { logKeyOf, logsIn, type ReadMembers, readManifests } from '@ambit/audit';
import { isNonEmpty, type NonEmpty, printable } from '@ambit/core';
import { knownLogKey, logFolderOf } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { byId, withStore } from '../store/with-store.js';

/** The named log: an existing file or folder, or the id of a run, or its beginning. Absolute. */
export async function logNamed(host: Host, name: string): Promise<string> {
  const path = resolve(host.folder, name);
  // An id has no dot and no slash: other names are files, existing or not.
  if (existsSync(path) || !/^[a-z0-9-]+$/.test(name)) return path;
  const logs = await logsOfRuns(host);
  return byId(logs, name, { noun: 'log or run', idOf: ({ run }) => run, list: 'ambit runs list' }).file;
}

/** The logs in the default places; the newest first. */
export async function newestLogs(host: Host): Promise<NonEmpty<string>> {
  const logs = await Promise.all(
    (await defaultLogs(host)).map(async ({ file }) => ({ file, time: (await stat(file)).mtimeMs })),
  );
  logs.sort((one, other) => other.time - one.time || (one.file < other.file ? 1 : -1));
  const files = logs.map(({ file }) => file);
  if (!isNonEmpty(files))
    throw new UnusableError(
      'no run has written a log in this folder',
      'give one: a file NAME.jsonl, or the id of a run',
    );
  return files;
}

interface RunLog {
  readonly run: string;
  readonly file: string;
}

/** Stored runs, wherever they are recorded, and runs with their log in the default place; of one run, a log that exists. */
async function logsOfRuns(host: Host): Promise<readonly RunLog[]> {
  const stored = await withStore(host, (store) => store.runs());
  const [there, missing]: [RunLog[], RunLog[]] = [[], []];
  for (const { id, log } of stored) (existsSync(log) ? there : missing).push({ run: id, file: log });
  const logs = [...missing, ...(await defaultLogs(host)), ...there];
  return [...new Map(logs.map((log) => [log.run, log])).values()];
}

/** In the state folder, and in the working folder, where they once were. */
async function defaultLogs({ environment, folder }: Host): Promise<readonly RunLog[]> {
  const places = [join(folder, '.ambit', 'log'), await logFolderOf(environment, folder)];
  const found = await Promise.all(places.map(logsInFolder));
  return found.flat();
}

async function logsInFolder(folder: string): Promise<readonly RunLog[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => /^[^.]+\.jsonl$/.test(name))
    .map((name) => ({ run: name.slice(0, -'.jsonl'.length), file: join(folder, name) }));
}

/** The named logs: by any segment, a run id, or a folder for all logs in it; each once, as an absolute path. */
export async function logsOf(host: Host, names: readonly string[]): Promise<readonly string[]> {
  const logs = await logsIn(await Promise.all(names.map((name) => logNamed(host, name))));
  if (logs.length === 0)
    throw new UnusableError(`no log in ${names.join(', ')}`, 'a log is a file NAME.jsonl');
  return logs;
}

/** Reads the members of the file sets of a log, with the key of the folder, where the log was written under it. */
export async function logMembers(host: Host, log: string) {
  const own = await knownLogKey(host.environment, host.folder);
  const key = own === null ? null : await logKeyOf(log, own).catch(() => null);
  const read = readManifests(log, key);
  let used = false;
  return {
    read: ((set) => {
      used = true;
      return read(set);
    }) satisfies ReadMembers,
    /** Reports manifests that could not be checked. */
    warn: async () => {
      if (!used || key !== null) return;
      const what = 'the key of this log is missing, so file sets are not checked against their digests';
      await write(host.stderr, `ambit: ${printable(log)}: ${what}\n`);
    },
  };
}
