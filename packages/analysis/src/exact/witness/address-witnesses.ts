import { isCanonicalHost } from '@ambit/core';
import type { Block } from '@ambit/policy/internal';

/** Addresses of the longer kind, one for each way in which they lie in these blocks or are one of these addresses. */
export function longAddresses(blocks: readonly Block[], literals: readonly string[]): readonly string[] {
  const points = new Set<bigint>([0n]);
  for (const { base, prefix, bits } of blocks) {
    if (bits !== 128) continue;
    points.add(base);
    points.add(base + (1n << BigInt(128 - prefix)));
  }
  for (const literal of literals) {
    const value = numberOf(literal);
    points.add(value);
    points.add(value + 1n);
  }
  const sorted = [...points]
    .filter((point) => point < 1n << 128n)
    .sort((one, other) => (one < other ? -1 : 1));
  return sorted.flatMap((from, index) => {
    const to = (sorted[index + 1] ?? 1n << 128n) - 1n;
    // An address that stands for a shorter one is not canonical; no range but theirs lies wholly among these.
    const text = [from, to].map(addressText).find(isCanonicalHost);
    return text === undefined ? [] : [text];
  });
}

function addressText(value: bigint): string {
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g) as string[];
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

function numberOf(address: string): bigint {
  const [before = '', after] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [head, tail] = [before === '' ? [] : before, after ?? []];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return BigInt(`0x${[...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join('')}`);
}
