import { isCanonicalHost, plainHost, urlHost } from '@ambit/core';
import { quote } from '../text/escape.js';
import { canonicalBlock } from './cidr.js';
import type { Impossible } from './pattern.js';

/** Why no canonical host matches a pattern, or null. */
export function impossibleHost(text: string): Impossible | null {
  const message = objectionTo(text);
  if (message === null) return null;
  const block = canonicalBlock(text);
  if (block !== null && text.includes('/'))
    return {
      message,
      help: `a block of addresses: \`when: {"cidr": [{"var": "capability.host"}, "${block}"]}\``,
    };
  const suggestion = canonicalHost(text);
  return {
    message,
    help: suggestion === null ? 'a host name in lower case, or an address' : `write ${quote(suggestion)}`,
  };
}

function objectionTo(text: string): string | null {
  if (text === '') return 'no host is empty';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return `a host has no scheme: ${quote(text)}`;
  if (/[[\]]/.test(text)) return `a host has no brackets: ${quote(text)}`;
  if (/[A-Z]/.test(text)) return `a host is in lower case: ${quote(text)}`;
  if (text.includes(':')) return objectionToIpv6(text);
  if (text.endsWith('.')) return `a host must not end with a dot: ${quote(text)}`;
  const bad = /[^a-z0-9_.*?-]/u.exec(text);
  if (bad !== null) return `no canonical host contains ${quote(bad[0])}: ${quote(text)}`;
  const labels = text.split('.');
  if (labels.includes('')) return `no host has an empty label: ${quote(text)}`;
  if (labels.some((label) => /^-|-$/.test(label) || label.replace(/\*/g, '').length > 63))
    return `a label of a host has at most 63 characters, and no \`-\` at either end: ${quote(text)}`;
  if (!/[*?]/.test(text) && !isCanonicalHost(text))
    return `${quote(text)} is not the canonical form of a host`;
  return null;
}

function objectionToIpv6(text: string): string | null {
  const colons = text.split(':').length - 1;
  const isAddress = /^[0-9a-f:*?]+$/.test(text) && (colons > 1 || /^[0-9a-f?]{1,4}:\*$/.test(text));
  if (!isAddress)
    return /:[\d*]+$/.test(text) && colons === 1
      ? `a host has no port: ${quote(text)}`
      : `only an IPv6 address contains colons: ${quote(text)}`;
  return /[*?]/.test(text) || isCanonicalHost(text)
    ? null
    : `${quote(text)} is not the canonical form of an address`;
}

function canonicalHost(text: string): string | null {
  const bare = text
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, (rest) => (rest.startsWith('?') ? rest : ''))
    .replace(/^\[(.*?)\](:\d+)?$/, '$1')
    .replace(/^([^:]*):[\d*]+$/, '$1')
    .replace(/\.+$/, '')
    .replace(/^\.+/, '**.')
    .toLowerCase();
  if (bare !== '' && objectionTo(bare) === null) return bare;
  if (/[*?]/.test(bare)) return null;
  const host = plainHost(urlHost(bare.includes(':') ? `[${bare}]` : bare) ?? '');
  return isCanonicalHost(host) ? host : null;
}
