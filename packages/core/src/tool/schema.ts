import { isJsonObject, type Json, type JsonObject } from '../words/json.js';

export interface InputSchema<Args extends JsonObject = JsonObject> {
  /** The arguments with defaults, or their mistakes in words. */
  readonly parse: (value: Json) => Parsed<Args>;
  readonly json: JsonObject;
}

export type Parsed<Args> =
  | { readonly ok: true; readonly value: Args }
  | { readonly ok: false; readonly problem: string };

/** A schema of a library with Standard Schema and Standard JSON Schema (https://standardschema.dev): zod. */
export interface StandardSchema<Args> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Args> | Promise<Validated<Args>>;
    readonly jsonSchema: { readonly input: (options: { readonly target: string }) => object };
  };
}

type Validated<Args> =
  | { readonly value: Args; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Throws if JSON Schema cannot express the schema (dates, transforms). */
export function inputSchema<Args extends JsonObject>(type: StandardSchema<Args>): InputSchema<Args> {
  const { vendor, jsonSchema } = type['~standard'];
  if (jsonSchema === undefined)
    throw new TypeError(`this schema of ${vendor} gives no JSON Schema (Standard JSON Schema)`);
  // A copy, because libraries add functions to the schema, which are not JSON.
  const json: unknown = JSON.parse(JSON.stringify(jsonSchema.input({ target: 'draft-2020-12' })));
  if (!isJsonObject(json)) throw new TypeError('the schema is not plain JSON');
  return { parse: (value) => parse(type, value), json };
}

function parse<Args extends JsonObject>(type: StandardSchema<Args>, value: Json): Parsed<Args> {
  const result = type['~standard'].validate(value);
  if (result instanceof Promise) {
    // zod returns a rejected promise if a check throws, and nothing else handles it.
    result.catch(() => undefined);
    throw new TypeError('the schema did not answer at once: a check in it threw, or is asynchronous');
  }
  if (result.issues !== undefined) return { ok: false, problem: issuesInWords(result) };
  if (!isJsonObject(result.value)) return { ok: false, problem: 'the arguments are not plain JSON values' };
  return { ok: true, value: result.value };
}

/** The issues on one line, as logs and lists need. */
function issuesInWords({ issues }: { readonly issues: readonly Issue[] }): string {
  return issues
    .map(({ message, path = [] }) => ({ message, depth: path.length, place: placeInWords(path) }))
    .toSorted((one, other) => one.depth - other.depth)
    .map(({ message, depth, place }) => {
      // Arguments are JSON, so what zod calls undefined is missing.
      if (depth > 0 && /^Invalid input: expected .+, received undefined$/.test(message))
        return `\`${place}\` is missing`;
      const plain = message.replace(/^Invalid input: /, '').replace(/^Unrecognized key/, 'unknown key');
      return depth === 0 ? plain : `${plain} at ${place}`;
    })
    .join('; ');
}

function placeInWords(path: NonNullable<Issue['path']>): string {
  return path
    .map((segment) => (typeof segment === 'object' ? segment.key : segment))
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (typeof key === 'symbol' || /[^\w$]/.test(key)) return `[${JSON.stringify(String(key))}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}
