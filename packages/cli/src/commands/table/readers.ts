import { isWorkerName, parseMinute, refusalCodes } from '@ambit/core';
import { InvalidArgumentError } from 'commander';

/** The three decisions, and `none` for a call that was refused before it was judged. */
export const decisions: readonly string[] = ['pre_approved', 'needs_approval', 'blocked', 'none'];

/** What became of a call, or why it was refused. */
export const outcomes: readonly string[] = ['completed', 'failed', 'open', ...refusalCodes];

/** Collects some of these words. Another one is an error, because no log could match it. */
export function someOf<Word extends string>(words: readonly Word[]) {
  return (value: string, before: readonly Word[]): readonly Word[] => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
    return [...before, word];
  };
}

/** An option whose second value would silently replace the first. */
export function once<Word extends string>(value: Word, before: Word | undefined): Word {
  if (before !== undefined && before !== value) throw new InvalidArgumentError(`It is ${before} already.`);
  return value;
}

export function count(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}

export function positive(value: string): number {
  const number = count(value);
  if (number === 0) throw new InvalidArgumentError('Expected a whole number above 0.');
  return number;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** As `time`, or how long ago: 30m, 1h, 2d. */
export function timeSince(value: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(value) ?? [];
  return number === undefined
    ? time(value, ', or how long ago: 1h')
    : Date.now() - Number(number) * 1000 * (units[unit] ?? 0);
}

/** Milliseconds since 1970; a date means its beginning in UTC. */
export function time(value: string, also: unknown = ''): number {
  const milliseconds = parseMinute(/T/.test(value) ? value : `${value}T00:00Z`);
  if (milliseconds === null)
    throw new InvalidArgumentError(
      `Expected a date, 2026-11-20, or a time, 2026-11-20T10:00:00Z${typeof also === 'string' ? also : ''}.`,
    );
  return milliseconds;
}

/** As `time`, but a date means its end. */
export function timeUntil(value: string): number {
  return time(value) + (/T/.test(value) ? 0 : 86_399_999);
}

export function percent(value: string): number {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 100)
    throw new InvalidArgumentError('Expected a whole number from 0 to 100.');
  return Number(value);
}

/** At most as long as a timer can wait. */
export function minutes(value: string): number {
  return timeLimit(value, 'minutes', 35_000);
}

/** At most as long as a timer can wait: 24 days. */
export function seconds(value: string): number {
  return timeLimit(value, 'seconds', 2_000_000);
}

function timeLimit(value: string, unit: 'minutes' | 'seconds', most: number): number {
  const limit = /^\d{1,7}(?:\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(limit > 0 && limit <= most))
    throw new InvalidArgumentError(`Expected ${unit}: more than 0, at most ${most}.`);
  return limit;
}

/** A digest in hex, or a prefix that is long enough to be unique. */
export function digest(value: string): string {
  if (!/^[0-9a-f]{8,64}$/i.test(value))
    throw new InvalidArgumentError('Expected a digest in hex, at least its first 8 digits.');
  return value.toLowerCase();
}

/** No rule is about another name. */
export function worker(value: string): string {
  if (!isWorkerName(value))
    throw new InvalidArgumentError('Expected the name of a worker: [a-z][a-z0-9_-]*.');
  return value;
}
