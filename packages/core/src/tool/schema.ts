import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../words/json.js';

/** What a tool's arguments must look like. */
export interface InputSchema<Args extends JsonObject = JsonObject> {
  /** The arguments with defaults applied, or what is wrong with them, in words. */
  readonly parse: (value: Json) => Parsed<Args>;
  /** The same as JSON Schema, for the model. */
  readonly json: JsonObject;
}

export type Parsed<Args> =
  | { readonly ok: true; readonly value: Args }
  | { readonly ok: false; readonly problem: string };

/** A zod object as an input schema. Throws when it cannot be written as JSON Schema (dates, transforms). */
export function inputSchema<Args extends JsonObject>(type: z.ZodType<Args>): InputSchema<Args> {
  // A copy, because zod hangs functions of its own on the schema, which are no JSON.
  const json: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(type, { io: 'input' })));
  if (!isJsonObject(json)) throw new TypeError('the schema is not plain JSON');
  return { parse: (value) => parse(type, value), json };
}

function parse<Args extends JsonObject>(type: z.ZodType<Args>, value: Json): Parsed<Args> {
  const result = type.safeParse(value);
  if (!result.success) return { ok: false, problem: issuesInWords(result.error) };
  if (!isJsonObject(result.data)) return { ok: false, problem: 'the arguments are not plain JSON values' };
  return { ok: true, value: result.data };
}

/** What a value lacks, on one line: it goes into logs and lists, where a second line would be another entry. */
export function issuesInWords({ issues }: z.ZodError): string {
  return issues
    .toSorted((one, other) => one.path.length - other.path.length)
    .map(({ message, path }) => (path.length === 0 ? message : `${message} at ${z.core.toDotPath(path)}`))
    .join('; ');
}
