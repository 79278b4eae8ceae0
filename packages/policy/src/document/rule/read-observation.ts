import { type Reading, readBoolean, readText } from '../../grammar/reading.js';
import { quote } from '../../text/escape.js';
import { parseTimestamp } from '../../text/timestamp.js';
import type { Entry } from '../../text/tree.js';

/** What a rule says about being observed: whether it is, and since when. */
export function readObservation(
  { observe, observed_since: since }: { readonly observe?: Entry; readonly observed_since?: Entry },
  reading: Reading,
): { readonly observe: boolean; readonly observedSince: number | null } {
  const isObserved = readBoolean(observe, reading) ?? false;
  const observedSince = readInstant(since, reading);
  if (since !== undefined && !isObserved && observe?.value.kind !== 'broken')
    reading.problems.add('MISPLACED_KEY', since.keySpan, {
      message: '`observed_since` is for rules that are observed',
      help: 'it goes with `observe: true`, and goes when that goes',
    });
  return { observe: isObserved, observedSince };
}

/** Milliseconds since 1970; null where there is no date and time, or what is none is reported. */
export function readInstant(entry: Entry | undefined, reading: Reading): number | null {
  const text = readText(entry, reading);
  if (entry === undefined || text === undefined) return null;
  const instant = parseTimestamp(text);
  if (instant === null)
    reading.problems.add('BAD_TIME', entry.value.span, {
      message: `${quote(text)} is not a date and time`,
      help: 'RFC 3339: 2026-11-20T10:00:00Z',
    });
  return instant;
}
