import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import {
  formatVerification,
  newestSigners,
  parseVerifierKey,
  readLog,
  readRegular,
  type Verification,
  type VerifierKey,
  verifyLog,
} from '@ambit/audit';
import { foldersUp } from '@ambit/core';
import { signingKey, stateFolder, stateFolderOf } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { logsOf } from './log-named.js';

/** What logs are verified with. */
export type Held = NonNullable<Parameters<typeof verifyLog>[1]>;

/** Verifies with the given keys, else with the key of the log's folder, else with the key of this folder. */
export async function verifiedLog(
  host: Host,
  log: string,
  { keys = [], anchors = [] }: Held = {},
): Promise<Verification> {
  return verifyLog(log, { keys: keys.length > 0 ? keys : await expectedKeys(host, log), anchors });
}

async function expectedKeys(host: Host, log: string): Promise<readonly VerifierKey[]> {
  const known = await keyOfLog(host, log);
  const key = known === null ? await ownKey(host) : known.key;
  if (key === null) return [];
  const signers = known === null ? await newestSigners(log) : null;
  return signers === null || signers.includes(`${key.name}+${key.id}`) ? [key] : [];
}

/** Logs to read, and whether they verify. */
interface VerifiedLogs {
  readonly logs: readonly string[];
  readonly isVerified: boolean;
  /** Part of every JSON document about these logs. */
  readonly mark: { readonly verified?: false };
  /** Before the first line for people; empty if they verify. */
  readonly banner: string;
  readonly exit: Exit;
}

export const noLogs: Omit<VerifiedLogs, 'logs' | 'isVerified'> = { mark: {}, banner: '', exit: exits.done };

export const doubt = 'this log does not verify; it may contain false entries';

/**
 * Says on stderr which logs do not verify; `unverified` reads them nevertheless, up to a line that cannot be read.
 * Otherwise such a line throws here, and is named once.
 */
export async function verifiedLogs(
  host: Host,
  names: readonly string[],
  {
    unverified = false,
    words = doubt,
  }: { readonly unverified?: boolean | undefined; readonly words?: string },
): Promise<VerifiedLogs> {
  const logs = await logsOf(host, names);
  let isVerified = true;
  for (const log of logs) {
    const found = await verifiedLog(host, log);
    if (found.ok) continue;
    if (!unverified) for await (const line of readLog(log)) void line;
    isVerified = false;
    const damage = verificationText(host, nameOf(host, log), found);
    const hint = unverified ? '' : 'hint: `--unverified` accepts it anyway\n';
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

/** Relative to the working folder, if inside it. */
export function nameOf(host: Host, log: string): string {
  const name = relative(host.folder, log);
  return name === '' || name.startsWith('..') ? log : name;
}

/** One line about the log of this name, and about another damaged file by its `nameOf`. */
export function verificationText(host: Host, name: string, found: Verification): string {
  const named =
    found.ok || found.where === undefined ? found : { ...found, where: nameOf(host, found.where) };
  return formatVerification(name, named);
}

export async function verifierKeys(host: Host, files: readonly string[]): Promise<readonly VerifierKey[]> {
  return Promise.all(
    files.map(async (file) => keyIn(file, (await readRegular(resolve(host.folder, file))).toString())),
  );
}

async function ownKey(host: Host): Promise<VerifierKey | null> {
  return (await signingKey(await stateFolderOf(host.environment, host.folder)))?.verifier ?? null;
}

/** The key of the folder whose run wrote a log. Null without such a folder; `key` is null without a key. */
async function keyOfLog(host: Host, log: string): Promise<{ readonly key: VerifierKey | null } | null> {
  const state = stateFolder(host.environment);
  const [logs = '', project = ''] = relative(state, log).split(sep);
  if (logs === 'log' && project !== '') {
    // A long name is shortened, its digest is not.
    const parts = await readdir(state).catch(() => []);
    const part = parts.find((name) => name.slice(-16) === project.slice(-16)) ?? project;
    return { key: (await signingKey(join(state, part)))?.verifier ?? null };
  }
  for (const folder of foldersUp(dirname(log))) {
    const kept = await stateFolderOf(host.environment, folder).catch(() => null);
    if (kept !== null && existsSync(kept)) return { key: (await signingKey(kept))?.verifier ?? null };
  }
  return null;
}

function keyIn(file: string, text: string): VerifierKey {
  const key = parseVerifierKey(text);
  if (key !== null) return key;
  const isSeveral = text
    .trim()
    .split('\n')
    .every((line) => parseVerifierKey(line) !== null);
  throw new UnusableError(
    text.startsWith('PRIVATE+KEY+')
      ? `${file} is the secret key that signs; verifying needs the public key`
      : `${file} holds ${isSeveral ? 'several public keys' : 'no public key'}`,
    isSeveral ? 'give each key in a file of its own: --key is repeatable' : '`ambit log key` prints it',
  );
}
