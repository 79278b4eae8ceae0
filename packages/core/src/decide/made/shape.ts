import { printable } from '../../words/text.js';

/** Reports mistakes, and leaves out their values. */
export interface Shape<T> {
  (value: unknown, at: string, told: Told): T | undefined;
  /** Whether a record may leave it out. */
  readonly isOptional?: true;
}

export type Fields<T> = { readonly [Key in keyof T]-?: Shape<T[Key]> };

/** A value that a test accepts; `what` completes "is not …". */
export function that<T>(
  isRight: (value: unknown) => boolean,
  what: string,
  help: string | null = null,
): Shape<T> {
  return (value, at, told) => {
    if (isRight(value)) return value as T;
    if (value !== noData) told({ at, message: `${givenInWords(value)} is not ${what}`, help });
    return undefined;
  };
}

export function word<T extends string>(words: readonly T[], what: string): Shape<T> {
  return that<T>((value) => (words as readonly unknown[]).includes(value), what, words.join(', '));
}

export function textThat(
  isRight: (value: string) => boolean,
  what: string,
  help: string | null = null,
): Shape<string> {
  return that((value) => typeof value === 'string' && isRight(value), what, help);
}

export const text: Shape<string> = that((value) => typeof value === 'string', 'a text');

export const claim: Shape<boolean> = that((value) => typeof value === 'boolean', 'a boolean', 'true, false');

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value, at, told) => {
    if (!Array.isArray(value)) return that<readonly T[]>(() => false, 'a list')(value, at, told);
    const read = value.map((item: unknown, index) => shape(item, `${at}[${index}]`, told));
    return read.includes(undefined) ? undefined : Object.freeze(read as T[]);
  };
}

export function optional<T>(shape: Shape<T>): Shape<T> {
  return Object.assign((...given: Parameters<Shape<T>>) => shape(...given), { isOptional: true as const });
}

/** With these keys and no others. */
export function record<T extends object>(fields: Fields<T>): Shape<T> {
  const known = new Map(Object.entries<Shape<unknown>>(fields));
  return (value, at, told) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return that<T>(() => false, 'an object', [...known.keys()].join(', '))(value, at, told);
    const given = value as Readonly<Record<string, unknown>>;
    const problems: MadeProblem[] = [];
    const tell: Told = (problem) => problems.push(problem);
    const within = (key: string) => (at === '' ? key : `${at}.${key}`);
    for (const key of Object.keys(given))
      if (!known.has(key))
        tell({
          at,
          message: `unknown key \`${printable(key)}\``,
          help: `known keys: ${[...known.keys()].join(', ')}`,
        });
    const read = [...known].flatMap(([key, shape]) => {
      const item = given[key];
      if (item !== undefined) return [[key, shape(item, within(key), tell)] as const];
      if (shape.isOptional !== true) tell({ at, message: `\`${key}\` is missing`, help: null });
      return [];
    });
    for (const problem of problems) told(problem);
    return problems.length > 0 ? undefined : (Object.freeze(Object.fromEntries(read)) as T);
  };
}

function givenInWords(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `\`${printable(value.slice(0, 80))}\``;
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'undefined':
      return `\`${String(value)}\``;
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    case 'object':
      if (value === null) return '`null`';
      return Array.isArray(value) ? 'a list' : 'an object';
  }
}

/** `rules[0].decision` */
export interface MadeProblem {
  /** Empty for the value itself. */
  readonly at: string;
  readonly message: string;
  readonly help: string | null;
}

export type Told = (problem: MadeProblem) => void;

/** Marks a value that is not plain data; the problem is already reported. */
const noData: unique symbol = Symbol('no data');

const mostDepth = 200;

/** Copies plain data, reading each part once. Prototypes, getters, symbols and cycles are problems. */
export function ownData(value: unknown, told: Told, without: readonly string[]): unknown {
  try {
    return copyOf(value, { at: '', told, above: [], without });
  } catch {
    // A proxy may throw when it is read.
    told({ at: '', message: 'this value cannot be read', help: 'pass plain data' });
    return noData;
  }
}

interface Copying {
  readonly at: string;
  readonly told: Told;
  readonly without: readonly string[];
  readonly above: readonly object[];
}

function copyOf(value: unknown, copying: Copying): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { at, told, above } = copying;
  if (above.includes(value) || above.length > mostDepth) {
    told({ at, message: 'this value contains itself, or is nested too deeply', help: null });
    return noData;
  }
  if (Array.isArray(value)) return copyOfList(value, copying);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    told({ at, message: 'this is not a plain object', help: 'give an object with values of its own' });
    return noData;
  }
  const own = valuesOf(value, copying);
  const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of own)
    copy[key] = copyOf(item, {
      ...copying,
      at: at === '' ? key : `${at}.${key}`,
      above: [...above, value],
      without: [],
    });
  return copy;
}

function copyOfList(value: readonly unknown[], copying: Copying): unknown {
  const { at, told, above } = copying;
  const own = valuesOf(value, copying).filter(([key]) => key !== 'length');
  const isWhole = own.every(([key], index) => key === String(index)) && own.length === value.length;
  if (isWhole)
    return own.map(([, item], index) =>
      copyOf(item, { ...copying, at: `${at}[${index}]`, above: [...above, value] }),
    );
  told({ at, message: 'this list has holes or extra keys', help: 'give a plain list' });
  return noData;
}

/** Each own key once, from its descriptor, so getters and later values of a proxy do not matter. */
function valuesOf(value: object, { at, told, without }: Copying): readonly (readonly [string, unknown])[] {
  const keys = Reflect.ownKeys(value).filter((key) => !(without as readonly unknown[]).includes(key));
  return keys.flatMap((key) => {
    const where = at === '' ? String(key) : `${at}.${String(key)}`;
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === 'symbol') {
      told({ at, message: `unknown key \`${String(key)}\``, help: 'use a text as the key' });
      return [];
    }
    if (property !== undefined && 'value' in property) return [[key, property.value as unknown] as const];
    told({ at: where, message: 'this value is computed when it is read', help: 'give the value itself' });
    return [];
  });
}
