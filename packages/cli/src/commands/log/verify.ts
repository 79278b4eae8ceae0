import { realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Redecision, readAnchor, readLog, redecide, type Verification } from '@ambit/audit';
import { messageOf, type NonEmpty, printable } from '@ambit/core';
import { judgeOfLog, realHome } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, isFolder, print, write } from '../../host.js';
import type { OptionsOf } from '../table/table.js';
import { logMembers, logNamed, logsOf } from './log-named.js';
import { type Held, nameOf, verificationText, verifiedLog, verifierKeys } from './verified-logs.js';

export async function logVerify(
  host: Host,
  files: NonEmpty<string>,
  { key, anchor, redecide: again = false, json = false }: OptionsOf<'log verify'>,
): Promise<Exit> {
  const keys = await verifierKeys(host, key);
  const anchors = await Promise.all(anchor.map((name) => readAnchor(resolve(host.folder, name))));
  const all = files.map((file) => verificationsOf(host, file, { keys, anchors, again }));
  const named = await Promise.all(all);
  const logs = named.flatMap((each) => each.logs);
  const unread = named.flatMap((each) => each.unread);
  if (unread.length > 0 && logs.length === 0) throw unread[0];
  const ok = unread.length === 0 && logs.every(({ found, decided }) => found.ok && decided?.ok !== false);
  const documents = logs.map(({ name, found, decided }) => {
    return { file: name, ...found, ...(decided === null ? {} : { redecided: decided }) };
  });
  const [file] = files;
  const isOneFolder = files.length === 1 && (await isFolder(host, await logNamed(host, file)));
  const why = unread.map(messageOf);
  const part = why.length > 0 ? { unread: why } : {};
  const several = { ...(isOneFolder ? { folder: file } : {}), ok, logs: documents, ...part };
  const single = files.length === 1 && !isOneFolder ? documents[0] : undefined;
  if (json) await print(host, single ?? several);
  else for (const log of logs) await print(host, formatVerified(host, log));
  for (const each of why) await write(host.stderr, `ambit: ${printable(each)}\n`);
  if (!json && logs.some(({ found }) => found.ok && found.signed !== null && found.signed.trust !== 'given'))
    await write(host.stderr, withKey(host.program));
  if (!json && keys.length === 0 && logs.some(({ found }) => !found.ok && found.code === 'HEAD_KEY'))
    await write(host.stderr, 'hint: for a log of an older key, give its public half: --key FILE\n');
  if (why.length > 0) return exits.unusable;
  return ok ? exits.done : exits.bad;
}

const withKey = (program: string) =>
  `hint: \`--key FILE\` checks a log by a key that you know; \`${program} log key\`, where the log was written, prints that key\n`;

interface VerifiedLog {
  readonly name: string;
  readonly found: Verification;
  readonly decided: Redecision | null;
}

async function verificationsOf(
  host: Host,
  file: string,
  { again, ...held }: Held & { readonly again: boolean },
): Promise<{ readonly logs: readonly VerifiedLog[]; readonly unread: readonly unknown[] }> {
  const path = await logNamed(host, file);
  const paths = (await isFolder(host, path)) ? await logsOf(host, [file]) : [path];
  const logs: VerifiedLog[] = [];
  const unread: unknown[] = [];
  for (const log of paths) {
    try {
      const found = await verifiedLog(host, log, held);
      const decided = again && found.ok ? await decidedAgain(host, log) : null;
      logs.push({ name: log === path ? file : join(file, basename(log)), found, decided });
    } catch (error) {
      unread.push(error);
    }
  }
  return { logs, unread };
}

async function decidedAgain(host: Host, path: string): Promise<Redecision> {
  const assumed = { root: await realpath(host.folder), home: realHome(host.environment) };
  const members = await logMembers(host, path);
  const decided = await redecide(readLog(path), async (sets) => judgeOfLog(sets, assumed), members.read);
  await members.warn();
  return decided;
}

function formatVerified(host: Host, { name, found, decided }: VerifiedLog): string {
  const decisions = decided === null ? [] : decisionLines(host, name, decided);
  return [verificationText(host, name, found), ...decisions].join('\n');
}

function decisionLines(
  host: Host,
  file: string,
  { same, unknown, assumed, first }: Redecision,
): readonly string[] {
  const unsure =
    unknown === 0 ? '' : `; ${unknown} cannot be known: they depend on what the log does not hold`;
  const said =
    first === null
      ? `${file}: decided again under its own policies: ${same} as they were decided${unsure}`
      : `${first.where === undefined ? file : nameOf(host, first.where)}:${first.line}: ${first.code} ${first.message}${
          first.expected === null ? '' : `: expected ${first.expected}, found ${first.found ?? 'nothing'}`
        }`;
  return [
    printable(said),
    ...(assumed
      ? [
          'The log does not say what `./` and `~/` meant in its policies: the current folder and home are used.',
        ]
      : []),
  ];
}
