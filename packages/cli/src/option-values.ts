import { InvalidArgumentError } from 'commander';

export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

export function count(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('A whole number is wanted.');
  return Number(value);
}

export function percent(value: string): number {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 100)
    throw new InvalidArgumentError('A whole number from 0 to 100 is wanted.');
  return Number(value);
}

/** A time limit of at most 24 days: what a timer can wait. */
export function seconds(value: string): number {
  const limit = /^\d{1,7}(?:\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(limit > 0 && limit <= 2_000_000))
    throw new InvalidArgumentError('Seconds are wanted: more than 0, at most 2000000.');
  return limit;
}
