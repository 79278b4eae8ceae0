/** A plain JSON value: what can be frozen, compared, recorded and replayed without loss. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** The value of a JSON text; `otherwise` if the text is not JSON. */
export function jsonOr<T>(text: string, otherwise: T): Json | T {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return otherwise;
  }
}

/** Whether an object in this JSON text has a key twice. `value` is the text as parsed, and has the last of them. */
export function hasDuplicateKey(text: string, value: Json): boolean {
  return keysWritten(text) !== keysRead(value);
}

/**
 * Why a JSON text is refused: JavaScript cannot keep a number in it exactly, such as 9007199254740993, so another value would be
 * judged than the sender wrote. The reason names the first such number; null if the text has none.
 */
export function whyUnkept(text: string): string | null {
  for (const [written] of unkeptNumbers(text))
    return `the number ${written.slice(0, 50)} cannot be kept exactly: write it as a text`;
  return null;
}

/** The numbers of a JSON text that JavaScript cannot keep exactly. */
export function* unkeptNumbers(text: string): Generator<RegExpExecArray> {
  // Texts without such numbers are not searched.
  if (!/\d{16}|\de\+?\d{3}/i.test(text)) return;
  const token = /-?\d[\d.e+-]*|"/gi;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') token.lastIndex = afterText(text, token.lastIndex);
    else if (isChanged(found[0])) yield found;
  }
}

/** Fractions are approximations for every reader. */
function isChanged(written: string): boolean {
  const number = Number(written);
  return /^-?\d+$/.test(written) && written !== '-0' ? `${number}` !== written : !Number.isFinite(number);
}

function afterText(text: string, from: number): number {
  const end = /(?<!\\)(?:\\\\)*"/g;
  end.lastIndex = from;
  return end.test(text) ? end.lastIndex : text.length;
}

/** Own enumerable data only, finite numbers, no cycles, nothing deeper than `depth`. */
export function isJson(value: unknown, depth = 200): value is Json {
  return jsonCopy(value, depth) !== undefined;
}

/** A frozen copy, made by reading each part once; undefined unless it is plain JSON. */
export function jsonCopy(value: unknown, depth = 200): Json | undefined {
  try {
    return copyOf(value, depth);
  } catch {
    // A proxy may throw when it is read.
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value) && isJson(value);
}

/** The value if it is an object of plain JSON; otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether a value is an object, and not a list. Its members are not checked. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether parsed JSON has more levels, or a number that was too large. `isJson` checks any value, and takes eight times as long. */
export function isUnwritable(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null)
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
  return depth === 0 || Object.values(value).some((each) => isUnwritable(each, depth - 1));
}

/** The order of keys does not matter. */
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

/** No later write through another reference can change it. */
export function frozenCopy<T extends Json>(value: T): T;
export function frozenCopy(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return Object.freeze(value.map((item) => frozenCopy(item)));
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)])),
  );
}

/** The texts of a list; none of any other value. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The own member of this name; a name from outside may be `constructor`. */
export function ownMember<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

function ownValue(of: object, key: string): Json {
  return (of as JsonObject)[key] as Json;
}

function copyOf(value: unknown, depth: number): Json | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || depth === 0) return undefined;
  if (Copy.depthOf(value) <= depth) return value as Json;
  return Array.isArray(value) ? copyOfList(value, depth) : copyOfObject(value, depth);
}

function given(object: object) {
  return object;
}

/**
 * Marks copies that were made here, with their depth: a second one of a million members would take seconds.
 * `given` returns the copy, which so gets the private member. A place in a weak map costs ten times as much.
 */
class Copy extends (given as unknown as new (object: object) => object) {
  readonly #depth: number;

  constructor(copy: object, depth: number) {
    super(copy);
    this.#depth = depth;
  }

  static depthOf(value: object): number {
    return #depth in value ? value.#depth : Number.POSITIVE_INFINITY;
  }
}

/** No holes and no other keys: `every` and `map` would skip them. */
function copyOfList(value: readonly unknown[], depth: number): Json | undefined {
  if (Object.getPrototypeOf(value) !== Array.prototype) return undefined;
  const { length } = value;
  // The elements, and `length`.
  if (Reflect.ownKeys(value).length !== length + 1) return undefined;
  const copy: Json[] = [];
  for (let index = 0; index < length; index += 1) {
    const item = copyOf(dataIn(value, String(index)), depth - 1);
    if (item === undefined) return undefined;
    copy.push(item);
  }
  return Object.freeze(new Copy(copy, depth) as unknown as Json);
}

function copyOfObject(value: object, depth: number): Json | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  if (Object.getOwnPropertySymbols(value).length > 0) return undefined;
  const copy: Record<string, Json> = {};
  for (const key of Object.getOwnPropertyNames(value)) {
    const item = copyOf(dataIn(value, key), depth - 1);
    if (item === undefined) return undefined;
    setOwn(copy, key, item);
  }
  return Object.freeze(new Copy(copy, depth) as unknown as Json);
}

/** Undefined if it is hidden, or a getter. */
function dataIn(of: object, key: string): unknown {
  const property = Object.getOwnPropertyDescriptor(of, key);
  return property?.enumerable === true ? property.value : undefined;
}

/** Assigned, a key called "__proto__" would change the prototype. */
function setOwn(of: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(of, key, { value, enumerable: true });
  else of[key] = value;
}

type Stated<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The members that are not undefined, for optional options. */
export function stated<T extends object>(given: T): Stated<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Stated<T>;
}

/** Colons outside of strings: in JSON, one for each written key. */
function keysWritten(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === colon) count += 1;
    else if (unit === quote) index = endOfString(text, index);
  }
  return count;
}

const [colon, quote, backslash] = [58, 34, 92];

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== quote)
    index += text.charCodeAt(index) === backslash ? 2 : 1;
  return index;
}

function keysRead(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly Json[] = Object.values(value);
  const here = Array.isArray(value) ? 0 : items.length;
  return items.reduce<number>((sum, item) => sum + keysRead(item), here);
}
