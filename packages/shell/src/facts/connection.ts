import { type Capability, stated } from '@ambit/core';
import { type ConnectionFacts, canonicalHost, hostCapabilities, readTarget } from '@ambit/toolsets';
import type { ConnectEffect } from '../effect.js';
import { startOf, textOf } from '../word.js';

/** The capability of connecting to the host, the host with a port, or the URL in a word. */
export function connections(effect: ConnectEffect): readonly Capability[] {
  const { to, port, scheme, method, isAnyUrl } = effect;
  const given = stated({ port, scheme, method });
  if (to === null) return hostCapabilities(null, given);
  const text = textOf(to);
  const written = text ?? `${startOf(to)}\0`;
  const target = targetOf(written);
  if (target === null) return hostCapabilities(null, given);
  const url = text === null || isAnyUrl ? {} : urlOf(text, target.host);
  return hostCapabilities(target.host, { ...given, ...target.facts, ...url });
}

/** The canonical URL without user name and password; absent unless it is a web URL of this host. */
function urlOf(text: string, host: string): ConnectionFacts {
  const read = text.length < 2_000 ? readTarget(text).target : null;
  return read === null || read.host !== canonicalHost(host) ? {} : { url: read.url };
}

/** Null if the end of the host is unknown: a NUL stands for unknown text. */
function targetOf(text: string) {
  const [, scheme, authority = '', rest = ''] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)([\s\S]*)$/i.exec(text) ?? [];
  if (authority.includes('\0') || (scheme === undefined && rest.includes('\0') && rest === '\0')) return null;
  const [host, ...users] = authority.split('@').reverse();
  // Programs read these differently.
  if (host === undefined || users.length > 1 || authority.includes('\\')) return null;
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*|[^[]*:[\s\S]*:[\s\S]*?)(?::(\d{0,5}))?$/.exec(host) ?? [];
  // `http:/host`: some programs take one slash for two.
  if (name === '' || (scheme === undefined && port === '' && rest.startsWith('/'))) return null;
  const facts = {
    ...(scheme !== undefined && { scheme: scheme.toLowerCase() }),
    ...(port !== undefined && port !== '' && Number(port) <= 65_535 && { port: Number(port) }),
  };
  return { host: name, facts };
}
