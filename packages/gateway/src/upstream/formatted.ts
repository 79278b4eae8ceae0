import { type Capability, isObject, type Json, type JsonObject, ownMember, type Toolset } from '@ambit/core';
import {
  type CarriedWorld,
  carriedCapabilities,
  type RunningServer,
  resolveReference,
} from '@ambit/toolsets';
import { innerUri, readingsOf } from './other-tools.js';

const formats: Readonly<Record<string, Named['format']>> = {
  uri: 'url',
  'uri-reference': 'url',
  iri: 'url',
  'iri-reference': 'url',
  url: 'url',
  hostname: 'host',
  'idn-hostname': 'host',
  ipv4: 'host',
  ipv6: 'host',
  path: 'path',
  file: 'path',
  'file-path': 'path',
  directory: 'path',
  'directory-path': 'path',
};

/**
 * The toolset of a server. Its tools also report files and sites in arguments with a `format` in the schema. If the
 * operator's map describes a tool, only the map counts.
 */
export function withFormatted(
  toolset: Toolset,
  { tools, server }: RunningServer,
  world: CarriedWorld,
): Toolset {
  const listed = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    ...toolset,
    tools: toolset.tools.map((tool) => {
      const schema = listed.get(tool.name)?.input ?? null;
      // A schema without formats names nothing, so no call is searched.
      const isSearched = JSON.stringify(schema).includes('"format":');
      if (!isSearched || !isObject(schema) || Object.hasOwn(server.carries, tool.name)) return tool;
      return {
        ...tool,
        describe: async (args, context) => {
          const said = await tool.describe(args, context);
          const readOnly = said.capabilities.some(({ read_only }) => read_only === true);
          const named = await namedBy(schema, args, { world, readOnly });
          return { ...said, capabilities: [...said.capabilities, ...named] };
        },
      };
    }),
  };
}

/**
 * The files and sites that the arguments name. Whether a file is written is known only from a trusted server.
 */
async function namedBy(
  schema: JsonObject,
  args: JsonObject,
  { world, readOnly }: { readonly world: CarriedWorld; readonly readOnly: boolean },
): Promise<readonly Capability[]> {
  const found: Named[] = [];
  let isUnknown = !collect(schema, args, { root: schema, found, effort: { left: mostVisits }, depth: 0 });
  if (isUnknown) found.push({ format: 'unknown', text: '' });
  const uses = readOnly ? ['fs.read'] : ['fs.read', 'fs.write'];
  const files = (text: string) =>
    uses.map((name) => ({ name, facts: text === '' ? {} : { path: { is: text } } }));
  const site = (text: string) => ({ name: 'net.connect', facts: text === '' ? {} : { host: { is: text } } });
  const carried = found.flatMap(({ format, text }) => {
    if (format === 'path') return files(text);
    if (format === 'host') return [site(text)];
    const url = format === 'url' && URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol === 'file:') {
      const readings = readingsOf(url);
      isUnknown ||= readings.includes('');
      return readings.flatMap(files);
    }
    const isFile = url !== null && (mayBeFile(url) || /^file/i.test(innerUri(text) ?? ''));
    isUnknown ||= isFile;
    if (isFile) return [...files(''), site('')];
    if (url !== null) return [site(url.host === '' ? '' : url.href)];
    // A part of a URL or a path, whose base only the server knows.
    return [...files(text), site('')];
  });
  return [
    ...(await carriedCapabilities(carried, args, world)),
    ...(isUnknown ? [{ name: 'secret.read' }] : []),
  ];
}

/** Whether a program may read a file by it: not by an address, a name or a text itself. */
function mayBeFile({ host, protocol }: URL): boolean {
  return host === '' && !/^(?:data|mailto|sms|tel|urn):$/.test(protocol);
}

interface Named {
  readonly format: 'url' | 'host' | 'path' | 'unknown';
  readonly text: string;
}

interface Walk {
  readonly root: JsonObject;
  readonly found: Named[];
  /** The parts of the schema that may still be visited: with references, one text stands at any number of places. */
  readonly effort: { left: number };
  readonly depth: number;
}

const deepest = 40;
const mostNamed = 200;
const mostVisits = 200_000;

/** Walks the value with its schema. False if it is too large to walk. */
function collect(schema: Json | undefined, value: Json | undefined, walk: Walk): boolean {
  if (!isObject(schema) || value === undefined) return true;
  const { root, found, effort, depth } = walk;
  effort.left -= 1;
  if (depth > deepest || found.length > mostNamed || effort.left < 0) return false;
  const further = { ...walk, depth: depth + 1 };
  const { $ref, format, properties = null, items, ...own } = schema;
  const into = (each: Json | undefined, inner: Json | undefined) => collect(each, inner, further);
  if (typeof $ref === 'string' && !into(resolveReference(root, $ref), value)) return false;
  for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentSchemas']) {
    const inner = ownMember(own, key);
    for (const each of schemasIn(inner, key)) if (!into(each, value)) return false;
  }
  if (typeof value === 'string') {
    const kind = typeof format === 'string' ? ownMember(formats, format) : undefined;
    const isNew = found.every((each) => each.text !== value || each.format !== kind);
    if (kind !== undefined && isNew) found.push({ format: kind, text: value });
    return true;
  }
  if (Array.isArray(value)) {
    const first = Array.isArray(own.prefixItems) ? (own.prefixItems as readonly Json[]) : [];
    const older = Array.isArray(items) ? (items as readonly Json[]) : [];
    const rest = [Array.isArray(items) ? own.additionalItems : items, own.contains, own.unevaluatedItems];
    return (value as readonly Json[]).every((item, at) =>
      [first[at], older[at], ...rest].every((each) => into(each, item)),
    );
  }
  if (!isObject(value)) return true;
  const patterns = isObject(own.patternProperties) ? Object.values(own.patternProperties) : [];
  return Object.entries(value).every(([name, inner]) => {
    const isNamed = isObject(properties) && Object.hasOwn(properties, name);
    const others = [own.additionalProperties, own.unevaluatedProperties];
    if (!into(own.propertyNames, name)) return false;
    // The pattern is not matched against the name, because a foreign pattern may take very long.
    return [...patterns, ...(isNamed ? [properties[name]] : others)].every((each) => into(each, inner));
  });
}

function schemasIn(value: Json | undefined, key: string): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  if (!isObject(value)) return [];
  return key === 'dependentSchemas' ? Object.values(value) : [value];
}
