import { relative } from 'node:path';
import {
  formatVerification,
  type NotesFile,
  type Verification,
  type VerifierKey,
  verifyLog,
} from '@ambit/audit';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { logsOf } from './logs-of.js';
import { keyOfLog, ownKey } from './verifier-keys.js';

export interface Held {
  readonly keys?: readonly VerifierKey[];
  readonly anchors?: readonly NotesFile[];
}

/**
 * Verifies a log with the keys that were given, else with the key of the folder whose run wrote it. Where no run here wrote it, it is
 * held to the key of this folder, unless another one signed it.
 */
export async function verifiedLog(
  host: Host,
  log: string,
  { keys = [], anchors = [] }: Held = {},
): Promise<Verification> {
  if (keys.length > 0) return verifyLog(log, { keys, anchors });
  const known = await keyOfLog(host, log);
  if (known !== null) return verifyLog(log, { keys: known.key === null ? [] : [known.key], anchors });
  const found = await verifyLog(log, { anchors });
  const own = await ownKey(host);
  if (!found.ok || own === null) return found;
  const isAnother = found.signed !== null && found.signed.key !== `${own.name}+${own.id}`;
  return isAnother ? found : verifyLog(log, { keys: [own], anchors });
}

/** Logs that are read, and whether what they say can be believed. */
export interface VerifiedLogs {
  readonly logs: readonly string[];
  readonly isVerified: boolean;
  /** Stands in every JSON document that is made of them. */
  readonly mark: { readonly verified?: false };
  /** Stands before the first line for people; empty where they verify. */
  readonly banner: string;
  /** How the program ends where nothing else is wrong. */
  readonly exit: Exit;
}

export const doubt = 'this log does not verify, so it may say what never happened';

/** The logs that were named. Says on stderr which of them do not verify; `unverified` reads them nevertheless. */
export async function verifiedLogs(
  host: Host,
  names: readonly string[],
  { unverified = false, words = doubt }: { readonly unverified?: boolean; readonly words?: string } = {},
): Promise<VerifiedLogs> {
  const logs = await logsOf(host, names);
  let isVerified = true;
  for (const log of logs) {
    const found = await verifiedLog(host, log);
    if (found.ok) continue;
    isVerified = false;
    const damage = formatVerification(nameOf(host, log), found);
    const hint = unverified ? '' : 'hint: `--unverified` accepts it as it is\n';
    await write(host.stderr, `ambit: ${words}\n${damage}\n${hint}`);
  }
  return {
    logs,
    isVerified,
    mark: isVerified ? {} : { verified: false },
    banner: isVerified ? '' : `NOT VERIFIED: ${doubt}\n`,
    exit: isVerified || unverified ? exits.done : exits.bad,
  };
}

/** As it is from the working folder, where it is in it. */
function nameOf(host: Host, log: string): string {
  const name = relative(host.folder, log);
  return name === '' || name.startsWith('..') ? log : name;
}
