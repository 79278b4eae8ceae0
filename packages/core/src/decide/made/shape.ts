import { printable } from '../../words/printable.js';
import { type MadeProblem, noData, type Told } from './own-data.js';

/** Reports mistakes, and leaves out their values. */
export type Shape<T> = (value: unknown, at: string, told: Told) => T | undefined;

/** A key of a record: the shape of its value, and whether it is optional. */
export interface Field<T> {
  readonly shape: Shape<T>;
  readonly isOptional?: true;
}

export type Fields<T> = { readonly [Key in keyof T]-?: Field<T[Key]> };

/** A value that a test accepts; `what` completes "is not …". */
export function that<T>(
  isRight: (value: unknown) => boolean,
  what: string,
  help: string | null = null,
): Shape<T> {
  return (value, at, told) => {
    if (isRight(value)) return value as T;
    if (value !== noData) told({ at, message: `${shown(value)} is not ${what}`, help });
    return undefined;
  };
}

export function word<T extends string>(words: readonly T[], what: string): Shape<T> {
  return that<T>((value) => (words as readonly unknown[]).includes(value), what, words.join(', '));
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

/** With these keys and no others. */
export function record<T extends object>(fields: Fields<T>): Shape<T> {
  const known = new Map(Object.entries<Field<unknown>>(fields));
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
    const read = [...known].flatMap(([key, { shape, isOptional }]) => {
      const item = given[key];
      if (item !== undefined) return [[key, shape(item, within(key), tell)] as const];
      if (isOptional !== true) tell({ at, message: `\`${key}\` is missing`, help: null });
      return [];
    });
    for (const problem of problems) told(problem);
    return problems.length > 0 ? undefined : (Object.freeze(Object.fromEntries(read)) as T);
  };
}

function shown(value: unknown): string {
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
