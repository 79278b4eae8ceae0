import { isCanonicalHost } from '@ambit/core';
import { addressText, type Block, parseAddress } from '@ambit/policy/internal';

/** Numbers at the points, between neighbours, and beyond both ends. */
export function numberWitnesses(
  points: readonly number[],
  isAllowed: (value: number) => boolean,
): readonly number[] {
  const sorted = [...new Set(points)].sort((one, other) => one - other);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return [8, 0, 1].filter(isAllowed).slice(0, 1);
  const values = sorted.flatMap((point, index) => {
    const next = sorted[index + 1];
    return [[point], next === undefined ? [] : between(point, next)].map((choice) => choice.find(isAllowed));
  });
  return [below(least).find(isAllowed), ...values, above(most).find(isAllowed)].filter(
    (value) => value !== undefined,
  );
}

/** Candidates in order of preference: whole numbers first. */
function between(one: number, other: number): readonly number[] {
  const whole = Math.floor(one) + 1;
  const middle = one / 2 + other / 2;
  return [whole, middle].filter((value) => value > one && value < other);
}

function below(point: number): readonly number[] {
  return [Math.ceil(point) - 1, point - Math.abs(point) / 2, -Number.MAX_VALUE].filter(
    (value) => value < point,
  );
}

function above(point: number): readonly number[] {
  return [Math.floor(point) + 1, point + Math.abs(point) / 2, Number.MAX_VALUE].filter(
    (value) => value > point && Number.isFinite(value),
  );
}

/** One for each way to lie in the blocks or to equal an address. */
export function longAddresses(blocks: readonly Block[], literals: readonly string[]): readonly string[] {
  const points = new Set<bigint>([0n]);
  for (const { base, prefix, bits } of blocks) {
    if (bits !== 128) continue;
    points.add(base);
    points.add(base + (1n << BigInt(128 - prefix)));
  }
  for (const literal of literals) {
    const value = parseAddress(literal)?.value ?? 0n;
    points.add(value);
    points.add(value + 1n);
  }
  const sorted = [...points]
    .filter((point) => point < 1n << 128n)
    .sort((one, other) => (one < other ? -1 : 1));
  return sorted.flatMap((from, index) => {
    const to = (sorted[index + 1] ?? 1n << 128n) - 1n;
    // IPv6 addresses that map IPv4 ones are not canonical. No other range lies wholly within theirs.
    const text = [from, to].map((value) => addressText(128, value)).find(isCanonicalHost);
    return text === undefined ? [] : [text];
  });
}
