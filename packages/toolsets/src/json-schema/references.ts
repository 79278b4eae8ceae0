import { isObject, type Json, type JsonObject, ownMember } from '@ambit/core';
import { SchemaFault } from './check.js';

/** Throws `SchemaFault` for one that leaves the document or is missing. */
export function resolveReference(root: JsonObject, reference: string): Json {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) throw new SchemaFault('a `$ref` leads out of the schema');
  let at: Json | undefined = root;
  for (const step of reference.slice(2).split('/').map(unescaped)) {
    if (Array.isArray(at))
      at = /^(0|[1-9]\d*)$/.test(step) ? (at as readonly Json[])[Number(step)] : undefined;
    // Own names only: the server chose this text, and it may be "constructor".
    else at = isObject(at) ? ownMember(at, step) : undefined;
  }
  if (at === undefined) throw new SchemaFault('a `$ref` leads nowhere');
  return at;
}

/** Throws `SchemaFault` for a schema that refers to itself without end. */
export function requireEndingReferences(root: JsonObject): void {
  const done = new Set<string>();
  const visit = (reference: string, way: readonly string[]): void => {
    if (way.includes(reference)) throw new SchemaFault('`$ref` goes in circles');
    if (done.has(reference)) return;
    for (const next of referencesInPlace(resolveReference(root, reference))) visit(next, [...way, reference]);
    done.add(reference);
  };
  const references = new Set(['#', ...referencesAnywhere(root)]);
  if (references.size > most) throw new SchemaFault(`it refers to more than ${most} places`);
  for (const reference of references) visit(reference, []);
}

/** Each may lead to the next; all are followed without recursion. */
const most = 300;

const inPlaceLists = ['allOf', 'anyOf', 'oneOf'];
const inPlaceSchemas = ['not', 'if', 'then', 'else'];

/** References that are followed for the value itself. */
function referencesInPlace(schema: Json | undefined): readonly string[] {
  if (!isObject(schema)) return [];
  const lists = inPlaceLists.flatMap((key) =>
    Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : [],
  );
  const inner = [...lists, ...inPlaceSchemas.map((key) => schema[key])].flatMap(referencesInPlace);
  return typeof schema.$ref === 'string' ? [schema.$ref, ...inner] : inner;
}

function referencesAnywhere(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = isObject(value) && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value as JsonObject).flatMap(referencesAnywhere)];
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    throw new SchemaFault('a `$ref` is not well formed');
  }
}
