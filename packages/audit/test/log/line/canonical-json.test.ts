import type { Json } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { canonicalJson } from '../../../src/index.js';
import { plainJson } from '../../../src/log/line/plain-json.js';

describe('canonicalJson', () => {
  // From the table of numbers in RFC 8785, appendix B: the bits of a double, and how it is written.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s as %s', (bits, written) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(written);
  });

  it('sorts keys by their UTF-16 code units, as in section 3.2.3 of the RFC', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    );
  });

  it('writes the sample of section 3.2.2', () => {
    const sample = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    ) as Json;
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('keeps a key `__proto__`', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":1}}') as Json)).toBe(
      '{"__proto__":{"x":1},"b":1}',
    );
  });

  it('throws on values without a canonical form', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });

  it('preserves values, and is unique for each value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = canonicalJson(plainJson(value));
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(plainJson(value))));
        expect(canonicalJson(JSON.parse(written) as Json)).toBe(written);
      }),
      explore(2000),
    );
  });
});

describe('plainJson', () => {
  it('gives any value a hashable form, and never throws', () => {
    const data = fc.anything({
      withBigInt: true,
      withDate: true,
      withSparseArray: true,
      withNullPrototype: true,
    });
    const broken = fc.string({
      unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)),
    });
    fc.assert(
      fc.property(fc.oneof(data, broken, fc.dictionary(broken, data)), (value) => {
        expect(typeof canonicalJson(plainJson(value))).toBe('string');
      }),
      explore(3000),
    );
  });

  it('marks lone surrogates, and keeps members whose keys would collide', () => {
    expect(plainJson({ '\\u{d800}': 'shown', '\ud800': 'hidden', x: 'a\udfffb' })).toEqual({
      '\\u{d800}': 'shown',
      '\\u{d800}\ufffd': 'hidden',
      x: 'a\\u{dfff}b',
    });
  });

  it('cuts very deep values and cycles', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(canonicalJson(plainJson(cycle))).toContain('nested deeper than 500');
  });
});
