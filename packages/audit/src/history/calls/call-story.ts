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
  /** The lines of the wanted call, and of the first two whose ids begin so. */
  const begun = new Map<string, LogLine[]>();
  let bySeq: string | null = null;
  let isEntry = false;
  const named = resolve(file);
  for await (const line of readLog(file)) {
    const { entry, file: path } = line;
    const call = typeof entry.call === 'string' ? entry.call : null;
    if (call !== null) {
      calls.add(call);
      const isNext = call === wanted || (begun.size < 2 && wanted !== '' && call.startsWith(wanted));
      if (isNext && !begun.has(call)) begun.set(call, []);
      begun.get(call)?.push(line);
    }
    if (path !== named || String(entry.seq) !== wanted) continue;
    isEntry = true;
    bySeq = call;
  }
  const beginning = wanted === '' ? [] : [...calls].filter((call) => call.startsWith(wanted));
  const call = calls.has(wanted) ? wanted : (bySeq ?? (beginning.length === 1 ? beginning[0] : undefined));
  if (call !== undefined) {
    const lines = begun.get(call);
    // Found by `seq`, after other lines of it.
    return { ok: true, story: lines === undefined ? await callStory(readLog(file), call) : { call, lines } };
  }
  const name = `\`${printable(wanted)}\``;
  if (beginning.length > 1) {
    return {
      ok: false,
      message: `${beginning.length} calls begin with ${name}`,
      similar: beginning.slice(0, 5),
    };
  }
  const message = isEntry ? `entry ${name} is not about a call` : `no call ${name} in ${printable(file)}`;
  const near = nearest(wanted, calls);
  return { ok: false, message, similar: near === null ? [] : [near] };
}
