import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  formatVerification,
  type NotesFile,
  type Redecision,
  readAnchor,
  readLog,
  redecide,
  type Verification,
  type VerifierKey,
  verifyLog,
} from '@ambit/audit';
import { homeFolder, judgeOfLog, printable } from '@ambit/runtime';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';
import { ownKey, verifierKeys } from '../verifier-keys.js';

export interface VerifyOptions {
  readonly key?: readonly string[];
  readonly anchor?: readonly string[];
  readonly redecide?: boolean;
  readonly json?: boolean;
}

export async function logVerify(
  host: Host,
  file: string,
  { key = [], anchor = [], redecide: again = false, json = false }: VerifyOptions,
): Promise<Exit> {
  const keys = await verifierKeys(host, key);
  return readingLog(host, async () => {
    const path = resolve(host.folder, file);
    const anchors = await Promise.all(anchor.map((name) => readAnchor(resolve(host.folder, name))));
    const found = await verified(host, path, { keys, anchors });
    const decided = again && found.ok ? await decidedAgain(host, path) : null;
    const document = { file, ...found, ...(decided === null ? {} : { redecided: decided }) };
    if (json) await write(host.stdout, `${jsonText(document)}\n`);
    else await write(host.stdout, textOf(file, found, decided));
    return found.ok && decided?.ok !== false ? exits.done : exits.bad;
  });
}

/** Where no key was given, a log that says it is signed with this folder's is held to that one. */
async function verified(
  host: Host,
  path: string,
  options: { readonly keys: readonly VerifierKey[]; readonly anchors: readonly NotesFile[] },
): Promise<Verification> {
  const found = await verifyLog(path, options);
  if (!found.ok || found.signed?.trust !== 'log') return found;
  const own = await ownKey(host);
  const isOurs = own !== null && found.signed.key === `${own.name}+${own.id}`;
  return isOurs ? verifyLog(path, { ...options, keys: [own] }) : found;
}

async function decidedAgain(host: Host, path: string): Promise<Redecision> {
  const home = homeFolder(host.environment);
  const assumed = {
    root: await realpath(host.folder),
    home: await realpath(home).catch(() => resolve(home)),
  };
  return redecide(readLog(path), async (sets) => judgeOfLog(sets, assumed));
}

function textOf(file: string, found: Verification, decided: Redecision | null): string {
  const lines = [formatVerification(file, found), ...(decided === null ? [] : decisionLines(file, decided))];
  return `${lines.join('\n')}\n`;
}

function decisionLines(file: string, { same, unknown, assumed, first }: Redecision): readonly string[] {
  const unsure =
    unknown === 0 ? '' : `; ${unknown} cannot be known: they depend on what the log does not hold`;
  const said =
    first === null
      ? `${file}: decided again under its own policies: ${same} as they were decided${unsure}`
      : `${file}:${first.line}: ${first.code} ${first.message}${
          first.expected === null ? '' : `: expected ${first.expected}, found ${first.found ?? 'nothing'}`
        }`;
  return [
    printable(said),
    ...(assumed
      ? [
          'The log does not say what `./` and `~/` stood for in its policies: the current folder and home were taken.',
        ]
      : []),
  ];
}
