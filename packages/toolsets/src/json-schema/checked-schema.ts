import {
  type InputSchema,
  isJson,
  isJsonObject,
  isObject,
  type Json,
  type JsonObject,
  ownMember,
  type Parsed,
} from '@ambit/core';
import { arrayKeywords } from './array-keywords.js';
import {
  type Check,
  Effort,
  firstProblem,
  type Keyword,
  SchemaFault,
  TooMuchEffort,
  wrong,
} from './check.js';
import { logicKeywords } from './logic-keywords.js';
import { objectKeywords } from './object-keywords.js';
import { requireEndingReferences, resolveReference } from './references.js';
import { valueKeywords } from './value-keywords.js';

export interface CheckedSchema {
  /** The value with defaults, or its mistake. Takes bounded time. */
  readonly parse: (value: Json) => Parsed<Json>;
  readonly json: JsonObject;
}

const largest = 100_000;
const deepest = 60;
const mostPatterns = 50;

/** Reads an untrusted JSON Schema (drafts 7 to 2020-12). Refuses unknown restricting keywords. */
export function checkedSchema(
  schema: Json,
  { checksFormats = false } = {},
): CheckedSchema | { readonly problem: string } {
  if (!isJson(schema, deepest)) return { problem: 'it is nested too deeply' };
  if (!isObject(schema)) return { problem: 'it is not a map' };
  if (JSON.stringify(schema).length > largest) return { problem: `it is longer than ${largest} characters` };
  if (patternsIn(schema) > mostPatterns) return { problem: `it has more than ${mostPatterns} patterns` };
  try {
    requireEndingReferences(schema);
    const check = compiler(schema, checksFormats)(schema);
    return { json: schema, parse: (value) => parsed(check, withDefaults(schema, value)) };
  } catch (error) {
    if (error instanceof SchemaFault) return { problem: error.message };
    throw error;
  }
}

export function argumentsOf({ json, parse }: CheckedSchema): InputSchema {
  return {
    json,
    parse: (value) => {
      const parsed = parse(value);
      if (!parsed.ok) return parsed;
      return isJsonObject(parsed.value)
        ? { ok: true, value: parsed.value }
        : { ok: false, problem: 'the arguments are not an object' };
    },
  };
}

export function patternsIn(schema: Json): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const own = isObject(schema) && typeof schema.pattern === 'string' ? 1 : 0;
  const named =
    isObject(schema) && isObject(schema.patternProperties) ? Object.keys(schema.patternProperties).length : 0;
  // Compiled in place, and again for `additionalProperties`.
  return Object.values(schema as JsonObject).reduce<number>(
    (sum, inner) => sum + patternsIn(inner),
    own + named * 2,
  );
}

function parsed(check: Check, value: Json): Parsed<Json> {
  try {
    const problem = check(value, { at: '', effort: new Effort() });
    return problem === null ? { ok: true, value } : { ok: false, problem };
  } catch (error) {
    if (error instanceof TooMuchEffort) return { ok: false, problem: 'checking it takes too long' };
    throw error;
  }
}

const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({ ...valueKeywords, ...objectKeywords, ...arrayKeywords, ...logicKeywords }),
);

/** Keywords that describe a schema without checking. */
const annotations: ReadonlySet<string> = new Set(
  `$schema $anchor $comment $defs definitions title description default examples example deprecated readOnly
  writeOnly contentEncoding contentMediaType`.split(/\s+/),
);

/** Read with another keyword, and useless without it. */
const companions: ReadonlySet<string> = new Set(['then', 'else', 'minContains', 'maxContains']);

function compiler(root: JsonObject, checksFormats: boolean): (schema: Json | undefined) => Check {
  const known = new Map<Json, Check>();
  const compile = (schema: Json | undefined): Check => {
    if (schema === true) return () => null;
    if (schema === false) return (_, state) => wrong(state, 'is not allowed here');
    if (!isObject(schema)) throw new SchemaFault('a schema is a map, or true or false');
    const before = known.get(schema);
    if (before !== undefined) return before;
    let checks: readonly Check[] = [];
    const check: Check = (value, state) =>
      state.effort.within(() => firstProblem(checks, (each) => each(value, state)));
    // Before its parts are: one of them may refer back to it.
    known.set(schema, check);
    checks = Object.keys(schema).flatMap((key) => compileKeyword(key, schema));
    return check;
  };
  const compileKeyword = (key: string, schema: JsonObject): readonly Check[] => {
    const keyword = keywords.get(key);
    if (keyword === undefined) {
      const isRoot = key === '$id' && schema === root;
      if (annotations.has(key) || companions.has(key) || key.startsWith('x-') || isRoot) return [];
      throw new SchemaFault(`it says \`${key.slice(0, 100)}\`, which is not known here`);
    }
    const refer = (reference: string) => compile(resolveReference(root, reference));
    const check = keyword(schema[key] as Json, { schema, checksFormats, compile, refer });
    return check === null ? [] : [check];
  };
  return compile;
}

/** Adds `default`s of missing properties; the same value if none is missing. Follows `properties` only. */
function withDefaults(schema: Json | undefined, value: Json): Json {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(value)) return value;
  const { properties } = schema;
  const own = Object.entries(value).map(([name, inner]) => {
    const described = ownMember(properties, name);
    return [name, withDefaults(described, inner)] as const;
  });
  const added = missing(properties, value);
  const isSame = added.length === 0 && own.every(([name, inner]) => inner === value[name]);
  return isSame ? value : Object.fromEntries([...own, ...added]);
}

function missing(properties: JsonObject, value: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(properties).flatMap(([name, described]) => {
    if (Object.hasOwn(value, name) || !isObject(described) || !Object.hasOwn(described, 'default')) return [];
    return [[name, described.default as Json] as const];
  });
}
