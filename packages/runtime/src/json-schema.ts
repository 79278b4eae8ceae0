import { isJsonObject, type Json, type JsonObject, type Parsed } from '@ambit/core';
import * as z from 'zod';

/** A JSON Schema that values are held to. */
export interface ValueSchema {
  readonly parse: (value: Json) => Parsed<Json>;
  readonly json: JsonObject;
}

/** A schema as it was written, or why it cannot be used: what is not understood would let anything pass. */
export function valueSchema(json: JsonObject): ValueSchema | { readonly problem: string } {
  const keyword = backtracking(json);
  if (keyword !== null) {
    return { problem: `\`${keyword}\` is not supported, since a regular expression can take too long` };
  }
  try {
    const type = z.fromJSONSchema(json as z.core.JSONSchema.JSONSchema);
    return { json, parse: (value) => parse(type, value) };
  } catch (error) {
    return { problem: error instanceof Error ? lowerFirst(error.message) : 'it cannot be read' };
  }
}

function parse(type: z.ZodType, value: Json): Parsed<Json> {
  const result = type.safeParse(value);
  return result.success
    ? { ok: true, value: result.data as Json }
    : { ok: false, problem: z.prettifyError(result.error) };
}

/** The first keyword of a schema that holds a regular expression; names of properties are no keywords. */
function backtracking(schema: Json): string | null {
  if (Array.isArray(schema)) return first(schema as readonly Json[]);
  if (!isJsonObject(schema)) return null;
  const found = ['pattern', 'patternProperties'].find((keyword) => Object.hasOwn(schema, keyword));
  if (found !== undefined) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (['enum', 'const', 'default', 'examples'].includes(key)) continue;
    const isMapOfSchemas = ['properties', '$defs', 'definitions'].includes(key) && isJsonObject(value);
    const inner = isMapOfSchemas ? first(Object.values(value)) : backtracking(value);
    if (inner !== null) return inner;
  }
  return null;
}

function first(schemas: readonly Json[]): string | null {
  for (const schema of schemas) {
    const found = backtracking(schema);
    if (found !== null) return found;
  }
  return null;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
