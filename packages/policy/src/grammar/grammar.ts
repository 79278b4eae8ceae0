import type { JsonObject } from '@ambit/core';
import type { Entry, MapNode, Node } from '../text/tree.js';
import { expectKind, expectKindOrEmpty, type Reporting, reportMissing, reportUnknownKey } from './reading.js';

export interface Grammar<T, At = Reporting> {
  /** The value, or undefined if a problem was reported. */
  readonly read: (node: Node, at: At) => T | undefined;
  readonly schema: JsonObject;
}

export interface Field<T, At = Reporting> {
  readonly is: Grammar<T, At>;
  /** A key without help is optional. */
  readonly missing?: string;
  /** In the JSON Schema. */
  readonly about?: string;
}

/** A key of other maps that has no meaning in this one. */
export interface RefusedField {
  readonly refused: {
    readonly code: 'MISPLACED_KEY' | 'NOT_YET';
    readonly message: string;
    readonly help: string | null;
  };
}

/** The keys of a map, in the order of messages. */
export type Table = Readonly<Record<string, Field<unknown, never> | RefusedField>>;

/** A map as far as it could be read: missing and wrong values are undefined. */
export interface MapRead<T extends Table> {
  readonly values: {
    readonly [K in keyof T]: T[K] extends Field<infer Value, never> ? Value | undefined : undefined;
  };
  readonly entries: Partial<Readonly<Record<keyof T & string, Entry>>>;
  readonly map: MapNode;
}

export type MapValues<G extends Grammar<MapRead<Table>, never>> =
  G extends Grammar<infer Read extends MapRead<Table>, never> ? Read['values'] : never;

type Fields<T extends Table> = Extract<T[keyof T], { readonly is: unknown }>;
type Reader<At> = (node: Node, at: At) => unknown;
type AtOf<T extends Table> = [Fields<T>['is']['read']] extends [Reader<infer At>] ? At : never;

/** A map of known keys. All entries are read, so that all mistakes are reported together. */
export function map<T extends Table>(
  table: T,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Grammar<MapRead<T>, AtOf<T> & Reporting> {
  const fields = new Map(Object.entries(table));
  const keys = [...fields.keys()];
  const required = [...fields].flatMap(([key, field]) =>
    'missing' in field && field.missing !== undefined ? [[key, field.missing] as const] : [],
  );
  const read = (node: Node, at: Reporting) => {
    const found = mayBeEmpty ? expectKindOrEmpty(node, ['map'], at) : expectKind(node, ['map'], at);
    if (found === undefined) return undefined;
    const entries: Record<string, Entry> = {};
    for (const entry of found.entries)
      if (fields.has(entry.key)) entries[entry.key] = entry;
      else reportUnknownKey(entry, keys, at);
    const values: Record<string, unknown> = {};
    for (const [key, help] of required)
      if (entries[key] === undefined) reportMissing(key, found, { reading: at, help });
    for (const key in entries) {
      const { keySpan, value } = entries[key] as Entry;
      const field = fields.get(key) as Table[string];
      if ('refused' in field) at.problems.add(field.refused.code, keySpan, field.refused);
      else values[key] = field.is.read(value, at as never);
    }
    return { values, entries, map: found } as unknown as MapRead<T>;
  };
  return { read, schema: schemaOf(fields) };
}

function schemaOf(fields: ReadonlyMap<string, Field<unknown, never> | RefusedField>): JsonObject {
  const usable = [...fields].flatMap(([key, field]) => ('is' in field ? [[key, field] as const] : []));
  const required = usable.filter(([, field]) => field.missing !== undefined).map(([key]) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(
      usable.map(([key, { is, about }]) => [
        key,
        about === undefined ? is.schema : { ...is.schema, description: about },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The value of a key that may be missing. */
export function valueIn<T, At>(is: Grammar<T, At>, entry: Entry | undefined, at: At): T | undefined {
  return entry === undefined ? undefined : is.read(entry.value, at);
}

export function fileSchema(title: string, { schema }: Pick<Grammar<unknown, never>, 'schema'>): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema };
}
