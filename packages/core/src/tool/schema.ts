import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../words/json.js';

/** The schema of a tool's arguments. */
export interface InputSchema<Args extends JsonObject = JsonObject> {
  /** The arguments with defaults, or their mistakes in words. */
  readonly parse: (value: Json) => Parsed<Args>;
  /** The same as JSON Schema, for the model. */
  readonly json: JsonObject;
}

export type Parsed<Args> =
  | { readonly ok: true; readonly value: Args }
  | { readonly ok: false; readonly problem: string };

/** A zod object as an input schema. Throws if JSON Schema cannot express it (dates, transforms). */
export function inputSchema<Args extends JsonObject>(type: z.ZodType<Args>): InputSchema<Args> {
  // A copy, because zod adds functions to the schema, which are not JSON.
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

/** The mistakes of a value on one line, because logs and lists have one entry a line. */
export function issuesInWords({ issues }: z.ZodError): string {
  return issues
    .toSorted((one, other) => one.path.length - other.path.length)
    .map(({ message, path }) => (path.length === 0 ? message : `${message} at ${z.core.toDotPath(path)}`))
    .join('; ');
}
