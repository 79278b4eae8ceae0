/** `rules[0].decision` */
export interface MadeProblem {
  /** Empty for the value itself. */
  readonly at: string;
  readonly message: string;
  readonly help: string | null;
}

export type Told = (problem: MadeProblem) => void;

/** Marks a value that is not plain data; the problem is already reported. */
export const noData: unique symbol = Symbol('no data');

const mostDepth = 200;

/** Copies plain data, reading each part once. Prototypes, getters, symbols and cycles are problems. */
export function ownData(value: unknown, { told, without = [] }: Reading): unknown {
  try {
    return copied(value, { at: '', told, above: [], without });
  } catch {
    // A proxy may throw when it is read.
    told({ at: '', message: 'this value cannot be read', help: 'pass plain data' });
    return noData;
  }
}

export interface Reading {
  readonly told: Told;
  readonly without?: readonly string[];
}

interface Place extends Required<Reading> {
  readonly at: string;
  readonly above: readonly object[];
}

function copied(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { at, told, above } = place;
  if (above.includes(value) || above.length > mostDepth) {
    told({ at, message: 'this value contains itself, or is nested too deep', help: null });
    return noData;
  }
  if (Array.isArray(value)) return copiedList(value, place);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    told({ at, message: 'this is not a plain object', help: 'give an object with values of its own' });
    return noData;
  }
  const own = valuesOf(value, place);
  const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of own)
    copy[key] = copied(item, {
      ...place,
      at: at === '' ? key : `${at}.${key}`,
      above: [...above, value],
      without: [],
    });
  return copy;
}

function copiedList(value: readonly unknown[], place: Place): unknown {
  const { at, told, above } = place;
  const own = valuesOf(value, place).filter(([key]) => key !== 'length');
  const isWhole = own.every(([key], index) => key === String(index)) && own.length === value.length;
  if (isWhole)
    return own.map(([, item], index) =>
      copied(item, { ...place, at: `${at}[${index}]`, above: [...above, value] }),
    );
  told({ at, message: 'this list has holes or extra keys', help: 'give a plain list' });
  return noData;
}

/** Each own key once, from its descriptor, so getters and later values of a proxy do not matter. */
function valuesOf(value: object, { at, told, without }: Place): readonly (readonly [string, unknown])[] {
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
