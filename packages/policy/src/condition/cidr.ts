import { ipv6Groups, isCanonicalHost } from '@ambit/core';

export interface Block {
  readonly bits: 32 | 128;
  readonly base: bigint;
  readonly prefix: number;
}

/** `10.0.0.0/8`, its base canonical and without bits beyond the prefix; null for anything else. */
export function parseBlock(text: string): Block | null {
  const parts = /^([0-9a-f.:]+)\/(0|[1-9][0-9]{0,2})$/.exec(text);
  const address = parseAddress(parts?.[1] ?? '');
  const prefix = Number(parts?.[2]);
  if (address === null || prefix > address.bits) return null;
  const { bits, value } = address;
  return value === network(value, { bits, prefix }) ? { bits, base: value, prefix } : null;
}

/** A block without the bits beyond its prefix. */
export function canonicalBlock(text: string): string | null {
  const slash = text.lastIndexOf('/');
  const address = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === null) return null;
  const prefix = slash === -1 ? address.bits : Number(text.slice(slash + 1));
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > address.bits) return null;
  return `${addressText(address.bits, network(address.value, { bits: address.bits, prefix }))}/${prefix}`;
}

/** Whether the address lies in the block; null if the host is a name, or not canonical. */
export function isInBlock(host: string, block: Block): boolean | null {
  const address = parseAddress(host);
  if (address === null) return null;
  return address.bits === block.bits && network(address.value, block) === block.base;
}

/** Null for a name, and for an address that is not canonical. */
export function parseAddress(text: string): { readonly bits: 32 | 128; readonly value: bigint } | null {
  if (!isCanonicalHost(text)) return null;
  if (text.includes(':'))
    return {
      bits: 128,
      value: ipv6Groups(text).reduce((value, group) => (value << 16n) | BigInt(group), 0n),
    };
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(text)) return null;
  return { bits: 32, value: text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
}

function network(value: bigint, { bits, prefix }: { bits: number; prefix: number }): bigint {
  const beyond = BigInt(bits - prefix);
  return (value >> beyond) << beyond;
}

export function addressText(bits: 32 | 128, value: bigint): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const hex = value.toString(16).padStart(32, '0').match(/.{4}/g) as string[];
  return new URL(`http://[${hex.join(':')}]/`).hostname.slice(1, -1);
}
