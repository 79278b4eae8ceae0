// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../../scripts/yaml.d.ts" />
import { BlockList, isIP } from 'node:net';
import {
  type Capability,
  ipv4Of,
  ipv6Groups,
  isCanonicalHost,
  type JsonObject,
  plainHost,
  urlHost,
} from '@ambit/core';
import data from './private-hosts.yaml';

/** Blocks of addresses, and names with blanks between them. */
const hosts = data as {
  readonly ranges: readonly string[];
  readonly names: string;
  readonly leading_back: string;
};

export type ConnectionFacts = JsonObject & {
  readonly port?: number;
  readonly scheme?: string;
  readonly method?: string;
  readonly url?: string;
};

/** The capability of connecting to a host. An unknown or invalid host has both names. Nothing is resolved. */
export function hostCapabilities(written: string | null, facts: ConnectionFacts): readonly Capability[] {
  const host = written === null ? null : canonicalHost(written);
  if (host === null)
    return [
      { name: 'net.connect', ...facts },
      { name: 'net.connect.private', ...facts },
    ];
  return [{ name: isPrivateHost(host) ? 'net.connect.private' : 'net.connect', host, ...facts }];
}

/** Canonical form of a name or address in any spelling (`0x7f.1`, `[::1]`); null if invalid. Read as by `undici`. */
export function canonicalHost(written: string): string | null {
  // The URL parser would end the host at some of these, and take others out of it.
  if (written === '' || written.length > 1000 || /[\s/\\?#@\p{Cc}]/u.test(written)) return null;
  const address = written.replace(/^\[(.*)\]$/, '$1');
  const isIpv6 = address.includes(':');
  // The zone says through which interface, not where to.
  const read = urlHost(isIpv6 ? `[${address.replace(/%.*$/, '')}]` : written);
  if (read === null) return null;
  const host = plainHost(read).replace(/\.$/, '');
  return isCanonicalHost(host) ? host : null;
}

/** Whether a canonical host is private by its spelling: an address of a private range, or a name for one. */
export function isPrivateHost(host: string): boolean {
  const kind = isIP(host);
  if (kind === 0) return suffixesOf(host).some((suffix) => privateNames.has(suffix));
  return kind === 4 ? isPrivateIpv4(host) : isPrivateIpv6(host);
}

function isPrivateIpv4(address: string): boolean {
  return privateRanges.check(address, 'ipv4');
}

/** Only `2000::/3` is public, without special ranges. */
function isPrivateIpv6(address: string): boolean {
  const carried = carriedIpv4(address);
  if (carried !== null) return isPrivateIpv4(carried);
  return !publicIpv6.check(address, 'ipv6') || privateRanges.check(address, 'ipv6');
}

/** The IPv4 address that a translator (`64:ff9b::/96`) or a tunnel (`2002::/16`) will send to. */
function carriedIpv4(address: string): string | null {
  const groups = ipv6Groups(address);
  if (groups.slice(0, 6).join() === [0x64, 0xff9b, 0, 0, 0, 0].join()) return ipv4Of(groups.slice(6));
  return groups[0] === 0x2002 ? ipv4Of(groups.slice(1, 3)) : null;
}

const privateRanges = blockList(hosts.ranges);
const publicIpv6 = blockList(['2000::/3']);

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', prefix] = block.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

const privateNames: ReadonlySet<string> = new Set(`${hosts.names} ${hosts.leading_back}`.split(' '));

/** The name itself, and each domain that it lies under, with a dot before it. */
function suffixesOf(name: string): readonly string[] {
  const labels = name.split('.');
  return [name, ...labels.slice(1).map((_, index) => `.${labels.slice(index + 1).join('.')}`)];
}
