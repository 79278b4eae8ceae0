import { fileURLToPath } from 'node:url';
import {
  type Capability,
  isCanonicalPath,
  isJsonObject,
  isWithin,
  type Json,
  type JsonObject,
  orNull,
  ownMember,
} from '@ambit/core';
import { showsPackedSecret } from '../../places/archives.js';
import { followNow } from '../../places/follow.js';
import { type GuardedPlace, guardedMembers } from '../../places/guarded.js';
import { hostCapabilities } from '../../places/host.js';
import { plainPath } from '../../places/paths.js';
import { wellKnownAt } from '../../places/well-known.js';
import type { CarriedCapability, CarriedFact } from '../connection/server-definition.js';

export interface CarriedWorld {
  /** The base of relative paths; null for a remote server. */
  readonly folder: string | null;
  readonly homes: readonly string[];
  readonly guarded: readonly GuardedPlace[];
}

const mostValues = 200;

/** The capabilities of a call by its server's configuration. A list of arguments gives several. */
export async function carriedCapabilities(
  carried: readonly CarriedCapability[],
  args: JsonObject,
  world: CarriedWorld,
): Promise<readonly Capability[]> {
  const each = await Promise.all(carried.map((one) => capabilitiesOf(one, args, world)));
  return each.flat();
}

type Facts = Readonly<Record<string, Json>>;

async function capabilitiesOf(
  { name, facts }: CarriedCapability,
  args: JsonObject,
  world: CarriedWorld,
): Promise<readonly Capability[]> {
  let variants: readonly Facts[] = [{}];
  for (const [fact, from] of Object.entries(facts)) {
    const values = await Promise.all(
      valuesOf(from, args, fact).map((value) => factsFrom(fact, value, world)),
    );
    const possible = values.flat();
    const isTooMany = possible.length * variants.length > mostValues;
    variants = isTooMany
      ? variants
      : variants.flatMap((before) => possible.map((more) => ({ ...more, ...before })));
  }
  const isConnection = name === 'net.connect';
  const capabilities = variants.flatMap(({ host = null, ...rest }) => {
    if (isConnection) return hostCapabilities(typeof host === 'string' ? host : null, rest);
    return [{ ...rest, ...(host === null ? {} : { host }), name }];
  });
  return [...capabilities, ...capabilities.flatMap((capability) => besidesPath(capability, world))];
}

/** `undefined` if missing. */
function valuesOf(from: CarriedFact, args: JsonObject, fact: string): readonly (Json | undefined)[] {
  if ('is' in from) return [from.is];
  let values: readonly (Json | undefined)[] = [args];
  for (const name of from.arg) {
    values = values.flatMap((value) => itemsOf(value)).map((value) => ownValue(value, name));
    if (values.length > mostValues) return [undefined];
  }
  const found = fact === 'argv' ? values : values.flatMap((value) => itemsOf(value));
  // A list without items names nothing.
  return found.length === 0 || found.length > mostValues ? [undefined] : found;
}

function itemsOf(value: Json | undefined): readonly (Json | undefined)[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

function ownValue(value: Json | undefined, name: string): Json | undefined {
  // Own names only: the configuration says which, but the model chose the object.
  return isJsonObject(value) ? ownMember(value, name) : undefined;
}

/** `{}` for an unknown value. */
async function factsFrom(
  fact: string,
  value: Json | undefined,
  world: CarriedWorld,
): Promise<readonly Facts[]> {
  if (value === undefined || value === null) return [{}];
  switch (fact) {
    case 'path':
    case 'cwd': {
      const places = await placesOf(value, world.folder);
      return places.map((path) => (path === null ? {} : { [fact]: path }));
    }
    case 'host':
      return [hostFacts(value)];
    case 'port': {
      const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
      return [typeof port === 'number' ? { port } : {}];
    }
    case 'program':
      return [
        typeof value === 'string' && (!value.includes('/') || isCanonicalPath(value))
          ? { program: value }
          : {},
      ];
    case 'argv':
      return [Array.isArray(value) && value.every((item) => typeof item === 'string') ? { argv: value } : {}];
    default:
      return [typeof value === 'object' ? {} : { [fact]: value }];
  }
}

/** A URL whose host every program finds at the same place. */
const plainUrl =
  /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.-]+@)?([^\s\\@/?#]+?)(?::\d*)?(?:\/[^\s\\]*|[?#][^\s\\@]*)?$/i;

/** A host, or the host, port and scheme of a URL. Unknown where the server may read another host. */
function hostFacts(value: Json): Facts {
  if (typeof value !== 'string') return {};
  if (!value.includes('://')) return { host: value };
  const url = orNull(() => new URL(value));
  if (url === null || plainUrl.exec(value)?.[1]?.toLowerCase() !== url.hostname.toLowerCase()) return {};
  const scheme = url.protocol.slice(0, -1);
  const port = url.port === '' ? { http: 80, https: 443 }[scheme] : Number(url.port);
  return { host: url.hostname, scheme, ...(port !== undefined && { port }) };
}

/** The paths of an argument, as named and as real; null if unknown. Without a folder, only absolute paths are known. */
async function placesOf(value: Json, folder: string | null): Promise<readonly (string | null)[]> {
  // No file has an empty name.
  const text = typeof value === 'string' ? value : '';
  const named = absolute(text, folder);
  if (named === null) return [null];
  if (folder === null) return [named];
  const way = followNow(named);
  // The target is unknown: a rule about paths is then undecided.
  return [...new Set([named, way.real, ...asWritten(text.replace(/^file:\/\//i, ''), folder)])];
}

/** The path that the system takes the text for, if `..` may follow a link; some servers pass the text on to it. */
function asWritten(text: string, folder: string): readonly string[] {
  if (!/\/\.\.(?:\/|$)/.test(text)) return [];
  const { real } = followNow(text.startsWith('/') ? text : `${folder}/${text}`);
  return real === null ? [] : [real];
}

function absolute(text: string, folder: string | null): string | null {
  // No file can have this path, or servers differ in what they take from it.
  if (text === '' || text !== text.trim() || text.length > 4000 || /\0|\p{Surrogate}/u.test(text))
    return null;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return orNull(() => plainPath(fileURLToPath(text)));
  if (text.startsWith('/')) return plainPath(text);
  // Only the server knows whether `~` is a home or a name.
  return folder === null || text.startsWith('~') ? null : plainPath(`${folder}/${text}`);
}

/** Well-known places, and guarded ones. */
function besidesPath(
  { name, path }: Capability,
  { homes, guarded }: { readonly homes: readonly string[]; readonly guarded: readonly GuardedPlace[] },
): readonly Capability[] {
  if (typeof path !== 'string') return [];
  if (isWithin(name, 'fs.read'))
    return showsPackedSecret(path, homes) === false
      ? wellKnownAt(path, 'secret.read', homes)
      : [{ name: 'secret.read', path }];
  if (isWithin(name, 'fs.delete')) return guardedMembers([path], guarded);
  if (isWithin(name, 'fs.write') || isWithin(name, 'fs.meta'))
    return [...wellKnownAt(path, 'sys.persist', homes), ...guardedMembers([path], guarded)];
  return [];
}
