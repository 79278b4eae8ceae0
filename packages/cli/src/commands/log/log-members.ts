import { logKeyOf, type ReadMembers, readManifests } from '@ambit/audit';
import { printable } from '@ambit/core';
import { knownLogKey } from '@ambit/runtime';
import { type Host, write } from '../../host.js';

/** Reads the members of the file sets of a log. */
export interface LogMembers {
  readonly read: ReadMembers;
  /** Reports manifests that could not be checked. */
  warn(): Promise<void>;
}

/** With the key of the folder, if the log was written under it. */
export async function logMembers(host: Host, log: string): Promise<LogMembers> {
  const own = await knownLogKey(host.environment, host.folder);
  const key = own === null ? null : await logKeyOf(log, own).catch(() => null);
  const read = readManifests(log, key);
  let used = false;
  return {
    read: (set) => {
      used = true;
      return read(set);
    },
    warn: async () => {
      if (!used || key !== null) return;
      const what = 'the key of this log is missing, so file sets are not checked against their digests';
      await write(host.stderr, `ambit: ${printable(log)}: ${what}\n`);
    },
  };
}
