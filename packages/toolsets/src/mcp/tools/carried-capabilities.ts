import { type Capability, isCanonicalPath, isJsonObject, type Json, type JsonObject } from '@ambit/core';
import type { GuardedPlace } from '../../places/guarded.js';
import { hostCapabilities } from '../../places/host.js';
import type { CarriedCapability, CarriedFact } from '../connection/server-definition.js';
import { besidesPath } from './besides-path.js';
import { placesOf } from './carried-path.js';

export interface CarriedWorld {
  /** The base of relative paths: the server's folder; null for a remote server with other files. */
  readonly folder: string | null;
  readonly homes: readonly string[];
  readonly guarded: readonly GuardedPlace[];
}

/** Beyond this number in one call, the fact is left out. */
const mostValues = 200;

/**
 * The capabilities of a call from the map of its configuration. A fact comes from the arguments in canonical
 * form, or is left out. A path appears as named and as real, and a list of arguments gives several
 * capabilities.
 */
export async function carriedBy(
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

/** The value of an argument, or of each item of a list; `undefined` if missing. */
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
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The facts of a value, in each of its forms; `{}` for an unknown one. */
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
      return [isTexts(value) ? { argv: value } : {}];
    default:
      return [typeof value === 'object' ? {} : { [fact]: value }];
  }
}

/** A host, or the host, port and scheme of a URL. */
function hostFacts(value: Json): Facts {
  if (typeof value !== 'string') return {};
  if (!value.includes('://')) return { host: value };
  try {
    const { hostname, port, protocol } = new URL(value);
    const scheme = protocol.slice(0, -1);
    const usual = { http: 80, https: 443 }[scheme];
    const known = port === '' ? usual : Number(port);
    return { host: hostname, scheme, ...(known === undefined ? {} : { port: known }) };
  } catch {
    return {};
  }
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
