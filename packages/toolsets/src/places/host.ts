import { BlockList, isIP } from 'node:net';
import { type Capability, isCanonicalHost, type JsonObject } from '@ambit/core';
import { isPrivateName } from './private-names.js';

/** The facts of a connection, but for its host. */
export interface ConnectionFacts extends JsonObject {
  readonly port?: number;
  readonly scheme?: string;
  readonly method?: string;
  readonly url?: string;
}

/**
 * What connecting to a host is, however the host is spelt; null for one that is not known before. Under both names, and without the
 * host, where it is not known or no client would take it: it may be a private one. Nothing is resolved.
 */
export function hostCapabilities(written: string | null, facts: ConnectionFacts): readonly Capability[] {
  const host = written === null ? null : canonicalHost(written);
  if (host === null)
    return [
      { name: 'net.connect', ...facts },
      { name: 'net.connect.private', ...facts },
    ];
  return [{ name: isPrivateHost(host) ? 'net.connect.private' : 'net.connect', host, ...facts }];
}

/**
 * A name, or an address in any of its spellings (`0x7f.1`, `2130706433`, `[::1]`, `::ffff:7f00:1`, `fe80::1%eth0`), in the form that
 * facts have; null where it is none. Read as the URL parser reads it, which is how `undici` does, and closely how `inet_aton` does.
 */
export function canonicalHost(written: string): string | null {
  // The URL parser would end the host at some of these, and take others out of it.
  if (written === '' || written.length > 1000 || /[\s/\\?#@\p{Cc}]/u.test(written)) return null;
  const address = written.replace(/^\[(.*)\]$/, '$1');
  const isIpv6 = address.includes(':');
  // The zone says through which interface, not where to.
  const read = urlHost(isIpv6 ? `[${address.replace(/%.*$/, '')}]` : written);
  if (read === null) return null;
  const host = isIpv6 ? plainIpv6(read) : read.replace(/\.$/, '');
  return isCanonicalHost(host) ? host : null;
}

/** Whether a canonical host is, as it is written, no part of the public network: an address of a private range, or a name that stands for one. */
export function isPrivateHost(host: string): boolean {
  const kind = isIP(host);
  if (kind === 0) return isPrivateName(host);
  return kind === 4 ? isPrivateIpv4(host) : isPrivateIpv6(host);
}

function isPrivateIpv4(address: string): boolean {
  return privateRanges.check(address, 'ipv4');
}

/** Only `2000::/3` is public, and of it not what has a meaning of its own; addresses that carry an IPv4 address are as private as that. */
function isPrivateIpv6(address: string): boolean {
  const carried = carriedIpv4(address);
  if (carried !== null) return isPrivateIpv4(carried);
  return !publicIpv6.check(address, 'ipv6') || privateRanges.check(address, 'ipv6');
}

/** The IPv4 address that a translator (`64:ff9b::/96`) or a tunnel (`2002::/16`) will send to. */
function carriedIpv4(address: string): string | null {
  const groups = ipv6Groups(address);
  if (groups.slice(0, 6).join() === [0x64, 0xff9b, 0, 0, 0, 0].join()) return dotted(groups[6], groups[7]);
  return groups[0] === 0x2002 ? dotted(groups[1], groups[2]) : null;
}

function ipv6Groups(address: string): readonly number[] {
  const [head = [], tail] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].map((group) =>
    Number.parseInt(group, 16),
  );
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Without brackets, and an IPv4-mapped address as IPv4. */
function plainIpv6(bracketed: string): string {
  const address = bracketed.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (mapped === null) return address;
  return dotted(Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16));
}

function urlHost(host: string): string | null {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}

const ranges: readonly (readonly [address: string, prefix: number])[] = [
  // This network and this host, private, shared by a provider's customers, loopback.
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata services of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // The relay of tunnels to IPv6.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // For measurements, and what some proxies make up.
  ['198.18.0.0', 15],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3],
  // Metadata and internal services of one cloud, outside every private range.
  ['168.63.129.16', 32],
  // Tunnels and other protocols of their own.
  ['2001::', 23],
  ['5f00::', 16],
];

const privateRanges = blockList(ranges);
const publicIpv6 = blockList([['2000::', 3]]);

function blockList(blocks: typeof ranges): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of blocks)
    list.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}
