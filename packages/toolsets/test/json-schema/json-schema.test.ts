import type { Json, JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { checkedSchema } from '../../src/json-schema/checked-schema.js';
import { patternSize } from '../../src/json-schema/linear-pattern.js';

function held(schema: JsonObject, value: Json) {
  const checked = checkedSchema(schema);
  if ('problem' in checked) throw new Error(checked.problem);
  return checked.parse(value);
}

const problemOf = (schema: Json) => {
  const checked = checkedSchema(schema);
  return 'problem' in checked ? checked.problem : null;
};

const of = (length: number, make: (index: number) => string) =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`d${index}`, JSON.parse(make(index)) as Json]));

// As text: an object with a key `then` is taken for a promise.
const conditional = JSON.parse(
  '{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "number"}}',
) as JsonObject;

const partsOfPatterns =
  String.raw`a . [a-z] \d \p{L} ( ) (?: | * + ? {2} {3,5} {2,} ^ $ \b []a] [^]a] [[:alpha:]] \x{41} ?? *? [\] ] [^`.split(
    ' ',
  );

/** 0 for what is not a pattern. */
function compiledSize(source: string): number {
  try {
    return RE2JS.compile(source).programSize();
  } catch {
    return 0;
  }
}

describe('checkedSchema', () => {
  it.each<readonly [JsonObject, Json, boolean]>([
    [{ type: 'string' }, 'a', true],
    [{ type: 'string' }, 1, false],
    [{ type: ['string', 'null'] }, null, true],
    [{ type: 'integer' }, 1.5, false],
    [{ type: 'integer' }, 2, true],
    [{ type: 'object' }, [], false],
    [{ type: 'array' }, {}, false],
    [{ enum: ['a', { b: [1] }] }, { b: [1] }, true],
    [{ enum: ['a'] }, 'b', false],
    [{ $defs: { a: { $anchor: 'a', type: 'null' } }, $ref: '#/$defs/a' }, 1, false],
    [{ const: null }, null, true],
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, true],
    [{ minimum: 2, maximum: 4 }, 4, true],
    [{ minimum: 2 }, 1, false],
    [{ exclusiveMaximum: 4 }, 4, false],
    [{ exclusiveMinimum: 4 }, 4, false],
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ multipleOf: 0.1 }, 0.35, false],
    [{ maxLength: 1 }, '😀', true],
    [{ minLength: 2 }, '😀', false],
    [{ pattern: '^a+$' }, 'aaa', true],
    [{ pattern: '^a+$' }, 'aab', false],
    [{ pattern: '\\u0041' }, 'A', true],
    [{ pattern: '\\\\u0041' }, '\\u0041', true],
    [{ properties: { a: { type: 'string' } } }, { a: 1 }, false],
    [{ properties: { a: { type: 'string' } } }, {}, true],
    [{ required: ['constructor'] }, {}, false],
    [{ required: ['__proto__'] }, {}, false],
    [{ required: ['__proto__'] }, JSON.parse('{"__proto__": 1}') as Json, true],
    [{ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, false],
    [{ properties: {}, additionalProperties: false }, JSON.parse('{"__proto__": 1}') as Json, false],
    [{ properties: {}, additionalProperties: false }, { constructor: 1 }, false],
    [{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, { x1: 1 }, true],
    [{ patternProperties: { '^x': { type: 'number' } } }, { x1: 'a' }, false],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, false],
    [{ minProperties: 1 }, {}, false],
    [{ maxProperties: 0 }, { a: 1 }, false],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, false],
    [{ dependentRequired: { a: ['b'] } }, { b: 1 }, true],
    [{ items: { type: 'string' } }, ['a', 1], false],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], true],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 'b'], false],
    [{ minItems: 1 }, [], false],
    [{ maxItems: 1 }, [1, 2], false],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], false],
    [{ uniqueItems: true }, [1, '1', true], true],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], false],
    [{ contains: { const: 1 } }, [2], false],
    [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'a', false],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, false],
    [{ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 2, false],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 2, true],
    [{ not: { type: 'string' } }, 'a', false],
    [conditional, 'a', false],
    [conditional, true, false],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 1, false],
    [{ $ref: '#/$defs/a', minLength: 2, $defs: { a: { type: 'string' } } }, 'a', false],
    [{ $ref: '#/definitions/a~1b', definitions: { 'a/b': false } }, 1, false],
    [{ properties: { next: { $ref: '#' } }, required: ['value'] }, { value: 1, next: { value: 2 } }, true],
    [{ properties: { next: { $ref: '#' } }, required: ['value'] }, { value: 1, next: {} }, false],
    [{ format: 'email', title: 'x', 'x-own': 1 }, 'no mail', true],
  ])('%j accepts %j: %s', (schema, value, expected) => {
    expect(held(schema, value).ok).toBe(expected);
  });

  it.each<readonly [Json, string]>([
    [{ $ref: '#' }, '`$ref` goes in circles'],
    [
      {
        $ref: '#/$defs/a',
        $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
      '`$ref` goes in circles',
    ],
    [
      {
        $ref: '#/$defs/d',
        $defs: {
          d: { properties: { x: { $ref: '#/$defs/c' } }, allOf: [{ $ref: '#/$defs/c' }] },
          c: { allOf: [{ $ref: '#/$defs/d' }] },
        },
      },
      '`$ref` goes in circles',
    ],
    [{ $ref: 'http://127.0.0.1/x' }, 'a `$ref` leads out of the schema'],
    [{ $ref: 'other.json#/a' }, 'a `$ref` leads out of the schema'],
    [{ $ref: '#/$defs/none' }, 'a `$ref` leads nowhere'],
    [{ $ref: '#/constructor' }, 'a `$ref` leads nowhere'],
    [{ $ref: '#/%' }, 'a `$ref` is not well formed'],
    [{ properties: { a: { $id: 'x' } } }, 'it says `$id`, which is not known here'],
    [{ $dynamicRef: '#a' }, 'it says `$dynamicRef`, which is not known here'],
    [{ unevaluatedProperties: false }, 'it says `unevaluatedProperties`, which is not known here'],
    [
      { type: 'text' },
      '`type` must be string, number, integer, boolean, null, array, object, or a list of these',
    ],
    [
      { type: 'constructor' },
      '`type` must be string, number, integer, boolean, null, array, object, or a list of these',
    ],
    [{ type: [] }, '`type` is an empty list'],
    [{ enum: [] }, '`enum` is an empty list'],
    [{ maxLength: -1 }, '`maxLength` must be a non-negative integer'],
    [{ exclusiveMinimum: true }, '`exclusiveMinimum` is not a number'],
    [{ multipleOf: 0 }, '`multipleOf` is not a number above 0'],
    [{ items: [{}] }, '`items` is a list, which newer drafts write as `prefixItems`'],
    [{ properties: { a: 1 } }, 'a schema is a map, or true or false'],
    [[], 'it is not a map'],
  ])('%j cannot be checked: %s', (schema, problem) => {
    expect(problemOf(schema)).toBe(problem);
  });

  it.each<readonly [string, readonly Json[], readonly Json[]]>([
    ['date', ['2026-02-28', 1], ['2026-02-29', 'today']],
    ['email', ['a@b.example'], ['a']],
    ['date-time', ['2026-02-28T10:00:00Z'], ['2026-02-28']],
    ['uri', ['https://a.example/b'], ['a b']],
    ['ipv6', ['::1'], ['127.0.0.1']],
  ])('the format %s restricts text for authors, and is ignored for others', (format, fine, wrong) => {
    const checked = checkedSchema({ format }, { checksFormats: true });
    if ('problem' in checked) throw new Error(checked.problem);
    expect([...fine, ...wrong].filter((value) => checked.parse(value).ok)).toEqual(fine);
    expect(wrong.every((value) => held({ format }, value).ok)).toBe(true);
  });

  it('an unknown format is refused if formats restrict', () => {
    expect(checkedSchema({ format: 'regex' }, { checksFormats: true })).toEqual({
      problem: expect.stringMatching(/^`format` must be one of email, /) as string,
    });
  });

  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '\\k<n>', 'a{1001}', '[', '\\cA'])(
    'the pattern %s is not matched in linear time',
    (pattern) => {
      expect(problemOf({ pattern })).toMatch(/^a `pattern` cannot be matched in linear time: /);
      expect(problemOf({ patternProperties: { [pattern]: {} } })).toMatch(/^a `pattern` cannot be matched/);
    },
  );

  it('a pattern that makes other engines backtrack is matched at once', () => {
    expect(held({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`).ok).toBe(false);
    expect(held({ pattern: '(x+x+)+y' }, 'x'.repeat(50_000)).ok).toBe(false);
  });

  it.each([
    '(?:a?){1000}'.repeat(80),
    '(a?){1000}(a?){1000}(a?){1000}',
    '((a{10}){10}){10}((b{10}){10}){10}((c{10}){10}){10}((d{10}){10}){10}((e{10}){10}){10}',
    `(${'a'.repeat(90)}){100}`,
    '\\Qa{1000}\\E',
    '(a',
    'a)',
  ])('a pattern with too many repetitions is refused before compilation: %j', (pattern) => {
    expect(problemOf({ pattern })).toBe('a `pattern` repeats too much');
  });

  it.each([
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '^[A-Za-z0-9_-]{1,1000}$',
    '^(?:https?|ftp)://[^\\s/$.?#].[^\\s]*$',
  ])('an ordinary pattern is accepted: %s', (pattern) => {
    expect(problemOf({ pattern })).toBe(null);
  });

  it('a large pattern is refused for a long text', () => {
    const schema = { pattern: '(?:a?){300}b' };
    expect(held(schema, 'a'.repeat(50_000))).toEqual({ ok: false, problem: 'checking it takes too long' });
    expect(held(schema, 'aab').ok).toBe(true);
    const names = { patternProperties: { '(?:a?){300}b': false } };
    expect(held(names, { ['a'.repeat(50_000)]: 1 })).toEqual({
      ok: false,
      problem: 'checking it takes too long',
    });
  });

  it('the size of a pattern is never badly underestimated', () => {
    const part = fc.constantFrom(...partsOfPatterns);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const size = patternSize(parts.join(''));
        const real = compiledSize(parts.join(''));
        expect(size === null || real <= 2 * (size + 4)).toBe(true);
      }),
      explore(3000),
    );
  });

  it('a schema with exponential work is abandoned, even under `not`', () => {
    const doubling = of(
      60,
      (index) => `{"anyOf": [{"$ref": "#/$defs/d${index + 1}"}, {"$ref": "#/$defs/d${index + 1}"}]}`,
    );
    const $defs = { ...doubling, d60: { type: 'string' } };
    expect(held({ $ref: '#/$defs/d0', $defs }, 1)).toEqual({
      ok: false,
      problem: 'checking it takes too long',
    });
    expect(held({ not: { $ref: '#/$defs/d0' }, $defs }, 1)).toEqual({
      ok: false,
      problem: 'checking it takes too long',
    });
  });

  it('a long chain of references is refused or applied, and never exhausts the stack', () => {
    const chain = (length: number) => ({
      $ref: '#/$defs/d0',
      $defs: {
        ...of(length, (index) => `{"properties": {"x": {"$ref": "#/$defs/d${index + 1}"}}}`),
        [`d${length}`]: {},
      },
    });
    expect(problemOf(chain(1000))).toBe('it refers to more than 300 places');
    expect(held(chain(250), {}).ok).toBe(true);
  });

  it('a schema with many patterns is refused before compilation', () => {
    const many = (count: number) => ({
      anyOf: Array.from({ length: count }, (_, index) => ({ pattern: `a${index}` })),
    });
    expect(problemOf(many(51))).toBe('it has more than 50 patterns');
    expect(problemOf(many(50))).toBe(null);
    const names = Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`a${index}`, {}]));
    expect(problemOf({ patternProperties: names })).toBe('it has more than 50 patterns');
  });

  it('a schema or a pattern that is too long is refused', () => {
    expect(problemOf({ description: 'x'.repeat(100_000) })).toBe('it is longer than 100000 characters');
    expect(problemOf({ pattern: 'a'.repeat(1001) })).toBe('a `pattern` is longer than 1000 characters');
  });

  it('a reference to an anchor is refused', () => {
    expect(problemOf({ $defs: { a: { $anchor: 'a', type: 'null' } }, $ref: '#a' })).not.toBeNull();
  });

  it('an endlessly nested schema is refused', () => {
    const deep = JSON.parse(`${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`) as Json;
    expect(problemOf(deep)).toBe('it is nested too deeply');
  });

  it('adds the defaults of properties, and validates them', () => {
    const schema = {
      properties: { path: { type: 'string', default: '.' }, deep: { properties: { n: { default: 1 } } } },
    };
    expect(held(schema, { deep: {} })).toEqual({ ok: true, value: { deep: { n: 1 }, path: '.' } });
    expect(held({ properties: { path: { type: 'string', default: 1 } } }, {}).ok).toBe(false);
  });

  it('reports the place of a wrong value', () => {
    const schema = { properties: { edits: { items: { properties: { text: { type: 'string' } } } } } };
    expect(held(schema, { edits: [{}, { text: 1 }] })).toEqual({
      ok: false,
      problem: '`edits[1].text` is not of the type string',
    });
  });

  it('never throws for any schema and value', () => {
    const names = [
      'type',
      'properties',
      'items',
      'anyOf',
      '$ref',
      'enum',
      'required',
      'not',
      'pattern',
      'minLength',
      '$defs',
    ];
    const values = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Json>('string', 'object', '#', '#/$defs/a', null, 0, 1, true),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names, 'a', '__proto__'), tie('json'), { maxKeys: 4 }),
      ),
    })).json;
    fc.assert(
      fc.property(values, values, (schema, value) => {
        const checked = checkedSchema(schema);
        if (!('problem' in checked)) checked.parse(value);
      }),
      explore(3000),
    );
  });
});
