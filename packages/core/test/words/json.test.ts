import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import {
  equalJson,
  frozenCopy,
  isJson,
  isJsonObject,
  isUnwritable,
  type Json,
  type JsonObject,
} from '../../src/index.js';
import { jsonCopy } from '../../src/words/json.js';

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const json = fc.jsonValue() as fc.Arbitrary<Json>;

describe('isJson', () => {
  it('accepts any parsed JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => isJson(JSON.parse(text))),
      explore(3000),
    );
  });

  it('accepts a key called `__proto__`, and an object without a prototype', () => {
    expect(isJson(JSON.parse('{"__proto__":1,"constructor":2}'))).toBe(true);
    expect(isJson(Object.create(null))).toBe(true);
  });

  it('accepts 200 levels and no more', () => {
    expect([isJson(nested(199)), isJson(nested(200)), isJson(nested(5000))]).toEqual([true, true, false]);
  });

  it('rejects exactly the parsed JSON with more levels or too large numbers, as `isUnwritable` does', () => {
    const bounded = fc.property(
      json,
      fc.nat(4),
      (value, depth) => isJson(value, depth) !== isUnwritable(value, depth),
    );
    fc.assert(bounded, explore(3000));
    expect([isUnwritable(nested(200), 200), isUnwritable(nested(201), 200)]).toEqual([false, true]);
    const parsed = ['1e999', '[{"a":-1e999}]', '1e308'].map((text) => JSON.parse(text) as unknown);
    expect(parsed.map((each) => isUnwritable(each, 200))).toEqual([true, true, false]);
  });

  it('rejects a list with extra properties', () => {
    expect(isJson(Object.defineProperty([1], 'toJSON', { value: () => 2, enumerable: false }))).toBe(false);
  });

  it('calls no getter or method', () => {
    const touchy = {
      get path(): string {
        throw new Error('touched');
      },
    };
    expect([isJson(touchy), isJson([touchy])]).toEqual([false, false]);
  });
});

describe('equalJson', () => {
  it.each<readonly [Json, Json, boolean]>([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [[1], { 0: 1 }, false],
    [null, {}, false],
    [1, '1', false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [JSON.parse('{"__proto__":1}') as Json, {}, false],
    [JSON.parse('{"__proto__":1}') as Json, JSON.parse('{"__proto__":1}') as Json, true],
    [JSON.parse('{"toString":1}') as Json, { a: 1 }, false],
  ])('%j and %j: %s', (one, other, isEqual) => {
    expect([equalJson(one, other), equalJson(other, one)]).toEqual([isEqual, isEqual]);
  });

  it('holds for a copy', () => {
    fc.assert(
      fc.property(json, (value) => equalJson(value, frozenCopy(value))),
      explore(3000),
    );
  });
});

describe('frozenCopy', () => {
  it('is deeply frozen, and shares nothing', () => {
    const value = { list: [{ deep: 1 }] };
    const copy = frozenCopy(value);
    value.list.push({ deep: 2 });
    expect(copy).toEqual({ list: [{ deep: 1 }] });
    expect([copy, copy.list, copy.list[0]].map((part) => Object.isFrozen(part))).toEqual([true, true, true]);
  });
});

describe('jsonCopy', () => {
  it('equals parsed JSON, frozen, without shared parts', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text) as Json;
        expect(jsonCopy(value)).toEqual(value);
        expect(jsonCopy(value)).toEqual(frozenCopy(value));
        expect(Object.isFrozen(jsonCopy([value]))).toBe(true);
      }),
      explore(1000),
    );
  });

  it('does not copy a copy again, and still counts its depth', () => {
    const copy = jsonCopy({ list: [[[1]]] }, 10) as JsonObject;
    expect(jsonCopy(copy)).toBe(copy);
    expect(jsonCopy([copy], 11)).toEqual([copy]);
    expect((jsonCopy([copy], 11) as readonly Json[])[0]).toBe(copy);
    expect(jsonCopy([copy], 5)).toEqual([copy]);
    expect(jsonCopy([copy], 4)).toBe(undefined);
  });

  it('is the checked value, even if a getter answers differently each time', () => {
    let reads = 0;
    const value = new Proxy(
      { path: '/w/a' },
      {
        getOwnPropertyDescriptor: (target, key) => {
          reads += 1;
          const value: unknown = reads === 1 ? '/w/a' : () => 'etc';
          return { ...Object.getOwnPropertyDescriptor(target, key), value };
        },
      },
    );
    expect(jsonCopy(value)).toEqual({ path: '/w/a' });
  });

  it.each<readonly [string, unknown]>([
    ['a hole', Object.assign([], { length: 1 })],
    ['a list with a key', Object.assign([1], { more: 2 })],
    ['a symbol', { [Symbol('s')]: 1 }],
    ['a hidden key', Object.defineProperty({}, 'a', { value: 1 })],
    ['a class', new (class A {})()],
    ['undefined', { a: undefined }],
    ['infinity', [Number.POSITIVE_INFINITY]],
  ])('rejects %s', (_, value) => {
    expect(jsonCopy(value)).toBeUndefined();
  });
});

describe('isJsonObject', () => {
  it.each<readonly [unknown, boolean]>([
    [{}, true],
    [[], false],
    [null, false],
    ['{}', false],
    [new Map(), false],
    [{ a: undefined }, false],
  ])('%j: %s', (value, isObject) => {
    expect(isJsonObject(value)).toBe(isObject);
  });
});
