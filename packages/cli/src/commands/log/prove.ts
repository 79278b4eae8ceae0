import { resolve } from 'node:path';
import {
  checkProof,
  LogError,
  newestHead,
  type Proof,
  proveConsistency,
  proveEntry,
  readAnchor,
  readRegular,
  type Verification,
} from '@ambit/audit';
import { printable } from '@ambit/core';
import { makeSigningKey, openStateFolder, signingKeyFile } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import type { OptionsOf } from '../table/table.js';
import { logNamed } from './log-named.js';
import { verificationText, verifierKeys } from './verified-logs.js';

export async function logProve(host: Host, file: string, options: OptionsOf<'log prove'>): Promise<Exit> {
  const { seq, consistency, head = false, check, key, json = false } = options;
  const asked = [seq, consistency, check, head ? true : undefined].filter((one) => one !== undefined);
  if (asked.length !== 1)
    throw new UnusableError('give one of --seq, --consistency, --head and --check', 'ambit log prove --help');
  const path = check === undefined ? await logNamed(host, file) : resolve(host.folder, file);
  if (check !== undefined) {
    const keys = await verifierKeys(host, key);
    const found = checkProof(await textIn(resolve(host.folder, check)), await textIn(path), keys, check);
    const signed =
      found.key === null ? ', whose signature was not checked: give --key' : `, signed by ${found.key}`;
    await print(host, json ? found : printable(`${found.message}${found.ok ? signed : ''}`));
    return found.ok ? exits.done : exits.bad;
  }
  const proof =
    seq !== undefined
      ? await proveEntry(path, seq).catch(noEntryOf(file))
      : consistency !== undefined
        ? await proveConsistency(path, await readAnchor(resolve(host.folder, consistency)))
        : await newestHead(path);
  return proved(host, file, { proof, json });
}

/** An entry that does not exist is a mistake in the call, and no damage of the log. */
function noEntryOf(file: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof LogError) || error.code !== 'NO_ENTRY') throw error;
    throw new UnusableError(`${file}: ${error.message}`, `ambit log tail ${file}`);
  };
}

type Found = Proof | Omit<Proof, 'path'> | Extract<Verification, { ok: false }>;

async function proved(
  host: Host,
  file: string,
  { proof, json }: { readonly proof: Found; readonly json: boolean },
): Promise<Exit> {
  if (json) await print(host, proof);
  else if (proof.ok) await write(host.stdout, proof.text);
  else await write(host.stderr, `${verificationText(host, file, proof)}\n`);
  if (proof.ok && !proof.signed && !json)
    await write(
      host.stderr,
      'No signed head covers this: it proves only as much as the place where it is stored.\n',
    );
  return proof.ok ? exits.done : exits.bad;
}

async function textIn(path: string): Promise<string> {
  return (await readRegular(path)).toString();
}

/** Prints the public key that signs the logs of this folder, and creates it on the first call. */
export async function logKey(host: Host, { json }: OptionsOf<'log key'>): Promise<void> {
  const state = await openStateFolder(host.environment, host.folder);
  const { key, isNew } = await makeSigningKey(state);
  const { text, name, id } = key.verifier;
  const file = signingKeyFile(state);
  const told = isNew
    ? [`Created the key ${file}`, 'It signs the logs of this folder from now on. Others verify them with:']
    : [`This folder's key is ${file}`, 'Others verify its logs with:'];
  if (json !== true) await write(host.stderr, told.map((line) => `${printable(line)}\n`).join(''));
  await print(host, json ? { key: text, name, id, file, made: isNew } : text);
}
