import { InvalidArgumentError } from 'commander';

export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** What may be decided, and `none` where nothing was. */
export const decisions: readonly string[] = ['pre_approved', 'needs_approval', 'blocked', 'none'];

/** One more decision: a word that is none would find nothing, whatever the logs hold. */
export function decision(value: string, before: readonly string[]): readonly string[] {
  if (!decisions.includes(value))
    throw new InvalidArgumentError(`Allowed choices are ${decisions.join(', ')}.`);
  return [...before, value];
}

export function count(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('A whole number is wanted.');
  return Number(value);
}

export function positive(value: string): number {
  const number = count(value);
  if (number === 0) throw new InvalidArgumentError('A whole number above 0 is wanted.');
  return number;
}

/** Milliseconds since 1970: a date is its beginning in UTC. */
export function time(value: string): number {
  const isWhole = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(value);
  const milliseconds = isWhole ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(milliseconds))
    throw new InvalidArgumentError('A date, 2026-11-20, or a time, 2026-11-20T10:00:00Z, is wanted.');
  return milliseconds;
}

/** The same, but that a date is its end. */
export function timeUntil(value: string): number {
  return time(value) + (/T/.test(value) ? 0 : 86_399_999);
}

export function percent(value: string): number {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 100)
    throw new InvalidArgumentError('A whole number from 0 to 100 is wanted.');
  return Number(value);
}

/** As long as a timer can wait, at most. */
export function minutes(value: string): number {
  const limit = /^\d{1,5}(?:\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(limit > 0 && limit <= 35_000))
    throw new InvalidArgumentError('Minutes are wanted: more than 0, at most 35000.');
  return limit;
}

/** A time limit of at most 24 days: what a timer can wait. */
export function seconds(value: string): number {
  const limit = /^\d{1,7}(?:\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(limit > 0 && limit <= 2_000_000))
    throw new InvalidArgumentError('Seconds are wanted: more than 0, at most 2000000.');
  return limit;
}

/** The digest of something, or its beginning: long enough that nothing else begins so by chance, or by intent. */
export function digest(value: string): string {
  if (!/^[0-9a-f]{8,64}$/i.test(value))
    throw new InvalidArgumentError('A digest in hex is wanted, at least its first 8 digits.');
  return value.toLowerCase();
}
