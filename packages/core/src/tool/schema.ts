import { isJsonObject, type Json, type JsonObject } from '../words/json.js';
import { nearest } from '../words/name.js';

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
  return { parse: (value) => parse(type, value, json), json };
}

function parse<Args extends JsonObject>(
  type: StandardSchema<Args>,
  value: Json,
  { properties }: JsonObject,
): Parsed<Args> {
  const result = type['~standard'].validate(value);
  if (result instanceof Promise) {
    // zod returns a rejected promise if a check throws, and nothing else handles it.
    result.catch(() => undefined);
    throw new TypeError('the schema did not answer at once: a check in it threw, or is asynchronous');
  }
  if (result.issues !== undefined) {
    const given = isJsonObject(value) ? value : {};
    const absent = Object.keys(properties ?? {}).filter((key) => !Object.hasOwn(given, key));
    return { ok: false, problem: issuesInWords(result.issues, absent) };
  }
  if (!isJsonObject(result.value)) return { ok: false, problem: 'the arguments are not plain JSON values' };
  return { ok: true, value: result.value };
}

/** The issues on one line, as logs and lists need. */
function issuesInWords(issues: readonly Issue[], absent: readonly string[]): string {
  return issues
    .map(({ message, path = [] }) => ({ message, depth: path.length, place: placeInWords(path) }))
    .toSorted((one, other) => one.depth - other.depth)
    .map(({ message, depth, place }) => {
      // Arguments are JSON, so what zod calls undefined is missing.
      if (depth > 0 && /^Invalid input: expected .+, received undefined$/.test(message))
        return `\`${place}\` is missing`;
      const plain = message.replace(/^Invalid input: /, '').replace(/^Unrecognized key/, 'unknown key');
      if (depth > 0) return `${plain} at ${place}`;
      const near = nearest(/^unknown key: "(.+)"$/.exec(plain)?.[1] ?? '', absent);
      return near === null ? plain : `${plain} (did you mean \`${near}\`?)`;
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
