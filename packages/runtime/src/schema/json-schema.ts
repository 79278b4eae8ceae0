import { isJsonObject, issuesInWords, type Json, type JsonObject, type Parsed } from '@ambit/core';
import * as z from 'zod';
import { schemaProblem, schemasUnder } from './schema-problem.js';

/** A JSON Schema that values are held to. */
export interface ValueSchema {
  readonly parse: (value: Json) => Parsed<Json>;
  readonly json: JsonObject;
}

/** A schema as written, or why it cannot be used: an unknown keyword would let anything pass. */
export function valueSchema(json: JsonObject): ValueSchema | { readonly problem: string } {
  const problem = schemaProblem(json) ?? sizeProblem(json);
  if (problem !== null) return { problem };
  try {
    const type = z.fromJSONSchema(json as z.core.JSONSchema.JSONSchema, { registry: z.registry() });
    return { json, parse: (value) => parse(type, value) };
  } catch (error) {
    return { problem: error instanceof Error ? lowerFirst(error.message) : 'it cannot be read' };
  }
}

function parse(type: z.ZodType, value: Json): Parsed<Json> {
  try {
    const result = type.safeParse(value);
    return result.success
      ? { ok: true, value: result.data as Json }
      : { ok: false, problem: issuesInWords(result.error) };
  } catch (error) {
    // Parts of an `allOf` that cannot be put together.
    return {
      ok: false,
      problem: error instanceof Error ? lowerFirst(error.message) : 'it cannot be checked',
    };
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The most schemas, and the deepest nesting, after expanding references. */
const most = 10_000;
const deepest = 200;

/**
 * Why a valid schema would take too long on some value; null if it would not. Each reference is expanded, so
 * lines that double each other, or a circle, would hang.
 */
function sizeProblem(schema: JsonObject): string | null {
  const size = sizeOf(schema, { definitions: schema.$defs as JsonObject, sizes: new Map(), depth: 0 });
  if (size === Number.POSITIVE_INFINITY) return '`$ref` goes in circles';
  return size > most ? 'with its references put in, it is too large to be checked' : null;
}

interface Known {
  readonly definitions: JsonObject;
  readonly sizes: Map<string, number>;
  readonly depth: number;
}

function sizeOf(schema: Json | undefined, around: Known): number {
  if (!isJsonObject(schema)) return 1;
  const known = { ...around, depth: around.depth + 1 };
  if (known.depth > deepest) return most + 1;
  if (typeof schema.$ref === 'string') return sizeOfReference(schema.$ref.slice('#/$defs/'.length), known);
  return Object.entries(schema)
    .filter(([key]) => key !== '$defs')
    .flatMap(([key, value]) => schemasUnder(key, value))
    .reduce<number>((sum, inner) => sum + sizeOf(inner, known), 1);
}

function sizeOfReference(name: string, known: Known): number {
  const size = known.sizes.get(name);
  if (size !== undefined) return size;
  // Until it is known: a nested question is within it.
  known.sizes.set(name, Number.POSITIVE_INFINITY);
  const found = sizeOf(known.definitions[name], known);
  known.sizes.set(name, found);
  return found;
}
