/** A plain JSON value: what can be frozen, compared, recorded and replayed without loss. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Whether `value` is plain JSON: own enumerable data only, finite numbers, no cycles, nothing deeper than
 * `depth`.
 */
export function isJson(value: unknown, depth = 200): value is Json {
  try {
    return isData(value, depth);
  } catch {
    // A proxy may throw when it is read.
    return false;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value);
}

/** Equality of JSON values; the order of keys does not matter. */
export function equalJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equalJson(ownValue(one, key), ownValue(other, key)))
  );
}

/**
 * A frozen copy that shares nothing with `value`, so no later write through another reference can change it.
 */
export function frozenCopy<T extends Json>(value: T): T;
export function frozenCopy(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return Object.freeze(value.map((item) => frozenCopy(item)));
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const item = frozenCopy(value[key] as Json);
    // Assigned, a key called "__proto__" would change the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  return Object.freeze(copy);
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function ownValue(of: object, key: string): Json {
  return (of as JsonObject)[key] as Json;
}

function isData(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0) return false;
  const isOfItsKind = Array.isArray(value) ? isPlainList(value) : isPlainObject(value);
  return isOfItsKind && Object.values(value).every((item) => isData(item, depth - 1));
}

/** No holes and no other keys: `every` and `map` would skip them. */
function isPlainList(value: readonly unknown[]): boolean {
  const keys = Object.keys(value);
  return (
    Object.getPrototypeOf(value) === Array.prototype &&
    // The elements, and `length`.
    Reflect.ownKeys(value).length === value.length + 1 &&
    keys.length === value.length &&
    keys.every((key, index) => key === String(index) && hasValue(value, key))
  );
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  return Reflect.ownKeys(value).every((key) => typeof key === 'string' && hasValue(value, key));
}

/** Whether a key is visible data, not a getter. */
function hasValue(of: object, key: string): boolean {
  const property = Object.getOwnPropertyDescriptor(of, key);
  return property !== undefined && property.enumerable === true && 'value' in property;
}
