/** What the latest time begins with, quote and point included, and its second. */
const latest = new Uint8Array(21);
let second = Number.NaN;

/** What `Date.parse` makes of the time that stands between two places in JSON; null where it is not as `timeText` writes it. Most are of the same second as the one before. */
export function quickTime(bytes: Buffer, start: number, end: number): number | null {
  if (end - start !== 26) return null;
  const one = (bytes[start + 21] as number) - 48;
  const two = (bytes[start + 22] as number) - 48;
  const three = (bytes[start + 23] as number) - 48;
  const areDigits = one >= 0 && one <= 9 && two >= 0 && two <= 9 && three >= 0 && three <= 9;
  if (!areDigits || bytes[start + 24] !== 90) return null;
  let at = 0;
  while (at < latest.length && bytes[start + at] === latest[at]) at += 1;
  if (at === latest.length) return second + 100 * one + 10 * two + three;
  const text = bytes.toString('latin1', start + 1, end - 1);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return null;
  const beginning = text.slice(0, -4);
  second = Date.parse(`${beginning}000Z`);
  // Of midnight at the end of a day there is the beginning only; and some are no times at all.
  const isWhole = Date.parse(`${beginning}999Z`) === second + 999;
  if (isWhole) latest.set(bytes.subarray(start, start + latest.length));
  else latest[0] = 0;
  return Date.parse(text);
}
