import { createHistories, type FileLog, type LogLine, readLog } from '@ambit/audit';
import { isNonEmpty, type LogEvent, printable } from '@ambit/core';

/**
 * Appends stored events that the log lacks after a kill, from `begin` on. Rejects if the log has an entry of the run
 * that was not stored.
 */
export async function completeLog(
  log: FileLog,
  of: { readonly run: string; readonly kept: readonly LogEvent[]; readonly begin: LogEvent },
): Promise<void> {
  const { run, kept, begin } = of;
  let written = 0;
  let last: string | null = null;
  for await (const line of readLog(log.path)) {
    const { entry } = line;
    last = entry.run;
    if (entry.run !== run || entry.event === 'segment') continue;
    if (entry.event === 'run') {
      // Otherwise it is a `begin` that an earlier completion added.
      const next = kept[written];
      if (next?.event === 'run' && Date.parse(entry.time) === Math.trunc(next.now)) written += 1;
      continue;
    }
    const found = kept.slice(written, written + reach).findIndex((event) => isSame(line, event));
    if (found < 0) throw new Error(foreign(line, log.path));
    written += found + 1;
  }
  const missing = withHistories(kept, written);
  if (isNonEmpty(missing))
    await log.append(last === run || missing[0].event === 'run' ? missing : [begin, ...missing]);
}

function withHistories(kept: readonly LogEvent[], from: number): readonly LogEvent[] {
  if (from === kept.length) return [];
  const histories = createHistories();
  const all = kept.map((event, index) => {
    const { history: _, ...entry } = { history: null, ...event };
    const before = histories.accept('run', entry);
    return index < from || event.event !== 'decision'
      ? event
      : { ...event, history: before().map(({ name }) => name) };
  });
  return all.slice(from);
}

/** More events than this are never missing in a row. */
const reach = 8;

/** By members that masking never changes. */
function isSame({ entry }: LogLine, kept: LogEvent): boolean {
  return entry.event === kept.event && (!('call' in kept) || entry.call === kept.call);
}

function foreign({ file, line }: LogLine, path: string): string {
  const place = `${printable(file ?? path)}:${line}`;
  return `${place}: the run never wrote this entry: put back the log that it wrote, or start another run`;
}
