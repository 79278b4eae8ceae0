import { resolve } from 'node:path';
import { nearest, printable } from '@ambit/core';
import { type LogLine, readLog } from '../../log/read/read-log.js';

/** Everything that a log says about one call, in order. */
export interface CallStory {
  readonly call: string;
  readonly lines: readonly LogLine[];
}

type FoundCall =
  | { readonly ok: true; readonly story: CallStory }
  /** `similar`: calls with a similar id. */
  | { readonly ok: false; readonly message: string; readonly similar: readonly string[] };

export async function callStory(
  lines: AsyncIterable<LogLine> | Iterable<LogLine>,
  call: string,
): Promise<CallStory> {
  const own: LogLine[] = [];
  for await (const line of lines) if (line.entry.call === call) own.push(line);
  return { call, lines: own };
}

/** Finds a call by its id, by the `seq` of an entry in this file, or by a unique beginning of its id. */
export async function findCall(file: string, wanted: string): Promise<FoundCall> {
  const calls = new Set<string>();
  /** The lines of the wanted call, and of the first two whose ids begin with it. */
  const begun = new Map<string, LogLine[]>();
  /** Undefined without such an entry. */
  let bySeq: string | null | undefined;
  const named = resolve(file);
  for await (const line of readLog(file)) {
    const call = typeof line.entry.call === 'string' ? line.entry.call : null;
    if (line.file === named && String(line.entry.seq) === wanted) bySeq = call;
    if (call === null) continue;
    calls.add(call);
    const isNext = begun.size < 2 && wanted !== '' && call.startsWith(wanted);
    if (isNext || call === wanted || begun.has(call)) begun.set(call, [...(begun.get(call) ?? []), line]);
  }
  const beginning = wanted === '' ? [] : [...calls].filter((call) => call.startsWith(wanted));
  const call = calls.has(wanted) ? wanted : (bySeq ?? (beginning.length === 1 ? beginning[0] : undefined));
  // One that is found by `seq` may have lines before.
  const lines = call === undefined ? undefined : begun.get(call);
  if (call !== undefined && lines !== undefined) return { ok: true, story: { call, lines } };
  if (call !== undefined) return { ok: true, story: await callStory(readLog(file), call) };
  const name = `\`${printable(wanted)}\``;
  if (beginning.length > 1) {
    const message = `${beginning.length} calls begin with ${name}`;
    return { ok: false, message, similar: beginning.slice(0, 5) };
  }
  const message =
    bySeq === null ? `entry ${name} is not about a call` : `no call ${name} in ${printable(file)}`;
  const near = nearest(wanted, calls);
  return { ok: false, message, similar: near === null ? [] : [near] };
}
