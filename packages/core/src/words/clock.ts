/** Time, from outside: core has no clock. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after so many milliseconds, or early when the signal aborts. */
  after(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The instant of an RFC 3339 date-time in milliseconds since 1970, rounded down; null for anything else. */
export function parseTimestamp(text: string): number | null {
  const parts =
    /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/.exec(
      text,
    );
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHour, offsetMinute] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day or a month that does not exist leads to another month.
  if (date.getUTCMonth() !== month - 1) return null;
  date.setUTCHours(hour, minute, Math.min(second, 59), Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0')));
  const offset = (offsetHour * 60 + offsetMinute) * 60_000 * (parts[8] === '-' ? -1 : 1);
  const instant = date.getTime() - offset;
  // A leap second is the last one of a month, in UTC.
  const next = new Date(instant + 1000);
  const isFirst = next.getUTCDate() === 1 && next.getUTCHours() === 0 && next.getUTCMinutes() === 0;
  return second === 60 && !isFirst ? null : instant;
}

/** The same, also for a time without seconds. A time without a zone would be another one on another machine. */
export function parseMinute(text: string): number | null {
  return parseTimestamp(text.replace(/(T\d\d:\d\d)(?=Z|[+-])/, '$1:00'));
}
