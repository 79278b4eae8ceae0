import { existsSync } from 'node:fs';
import { findCall, formatCall, formatEvent, tailLog } from '@ambit/audit';
import { type NonEmpty, printable, shellWord } from '@ambit/core';
import { type Exit, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import type { OptionsOf } from '../table/table.js';
import { logNamed, newestLogs } from './log-named.js';
import { noLogs, verifiedLogs } from './verified-logs.js';

export async function logShow(
  host: Host,
  call: string,
  { log, json, unverified }: OptionsOf<'log show'>,
): Promise<Exit> {
  const logs: NonEmpty<string> = log === undefined ? await newestLogs(host) : [await logNamed(host, log)];
  const { file, found } = await callIn(logs, call);
  if (!found.ok) {
    const like = found.similar.length === 0 ? '' : `did you mean ${found.similar.join(', ')}? `;
    throw new UnusableError(found.message, `${like}${host.program} log tail ${shellWord(file)}`);
  }
  const { story } = found;
  const { mark, banner, exit } = await verifiedLogs(host, [file], { unverified });
  const entries = story.lines.map(({ entry }) => entry);
  const document = { call: story.call, log: file, entries, ...mark };
  await print(host, json ? document : `${banner}${formatCall(story)}`);
  return exit;
}

/** The call in the first log that has it. The number of an entry, and unclear ids, are for the first log. */
async function callIn([file, ...others]: NonEmpty<string>, call: string) {
  const found = await findCall(file, call);
  if (found.ok || found.similar.length > 1 || /^\d*$/.test(call)) return { file, found };
  for (const other of others) {
    // A damaged log has nothing to show; it fails where it is named.
    const there = await findCall(other, call).catch(() => found);
    if (there.ok) return { file: other, found: there };
  }
  return { file, found };
}

export async function logTail(
  host: Host,
  file: string | undefined,
  { follow = false, lines, json, unverified }: OptionsOf<'log tail'>,
): Promise<Exit> {
  const end = new AbortController();
  const quiet = host.onInterrupt(() => end.abort());
  const path = file === undefined ? (await newestLogs(host))[0] : await logNamed(host, file);
  try {
    if (follow && !existsSync(path))
      await write(host.stderr, `ambit: ${printable(path)} does not exist yet; waiting for it\n`);
    // Entries appended during `--follow` are not verified.
    const { mark, banner, exit } = existsSync(path)
      ? await verifiedLogs(host, [path], { unverified })
      : noLogs;
    if (!json) await write(host.stdout, banner);
    for await (const { entry } of tailLog(path, { lines, follow, signal: end.signal }))
      await print(host, json ? { ...entry, ...mark } : formatEvent(entry));
    return exit;
  } finally {
    quiet();
  }
}
