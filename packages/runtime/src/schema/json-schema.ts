import { issuesInWords, type Json, type JsonObject, type Parsed } from '@ambit/core';
import * as z from 'zod';
import { schemaProblem } from './schema-problem.js';
import { sizeProblem } from './schema-size.js';

/** A JSON Schema that values are held to. */
export interface ValueSchema {
  readonly parse: (value: Json) => Parsed<Json>;
  readonly json: JsonObject;
}

/** A schema as it was written, or why it cannot be used: what is not understood would let anything pass. */
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
