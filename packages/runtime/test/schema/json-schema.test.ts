import type { Json, JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { type ValueSchema, valueSchema } from '../../src/schema/json-schema.js';

const problemOf = (schema: JsonObject): string | null => {
  const made = valueSchema(schema);
  return 'problem' in made ? made.problem : null;
};

function made(schema: JsonObject): ValueSchema {
  const schemaOrProblem = valueSchema(schema);
  if ('problem' in schemaOrProblem) throw new Error(schemaOrProblem.problem);
  return schemaOrProblem;
}

const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const accepts = (schema: JsonObject, value: Json) => made(schema).parse(value).ok;

describe('valueSchema', () => {
  it.each<[JsonObject, readonly Json[], readonly Json[]]>([
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc'], ['a', 'abcd', 1, null]],
    [{ type: 'string', format: 'date' }, ['2026-02-28'], ['2026-02-29', 'today']],
    [{ type: 'string', format: 'email' }, ['a@b.example'], ['a']],
    [{ type: 'integer', minimum: 1, exclusiveMaximum: 3 }, [1, 2], [0, 3, 1.5, '1']],
    [{ type: 'number', multipleOf: 0.5 }, [1.5, 0], [1.2]],
    [{ type: 'boolean' }, [true], [1, 'true', null]],
    [{ type: 'null' }, [null], [false, 0, '']],
    [{ type: ['string', 'null'], maxLength: 1 }, ['a', null], ['ab', 1]],
    [{ enum: ['a', 1, null, true] }, ['a', 1, null, true], ['b', 2, false, '1']],
    [{ type: 'string', enum: ['a', 'b'] }, ['a'], ['c', 1]],
    [{ const: 'a' }, ['a'], ['b', null]],
    [
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
      [['a']],
      [[], [1], ['a', 'b', 'c'], 'a'],
    ],
    [
      { type: 'array', items: true, uniqueItems: true },
      [[1, '1', { a: 1 }]],
      [
        [1, 1],
        [{ a: 1 }, { a: 1 }],
      ],
    ],
    [{ type: 'array', contains: { const: 1 }, maxContains: 1 }, [[1], [1, 2]], [[], [2], [1, 1]]],
    [{ type: 'array', prefixItems: [{ const: 1 }], items: false }, [[1], []], [[1, 2], [2]]],
    [{ type: 'array' }, [[], [1, 'a']], [{}, 'a']],
    [object({ a: { type: 'string' } }), [{}, { a: 'x' }, { b: 1 }], [{ a: 1 }, [], 'a', null]],
    [object({ a: true }, { required: ['a'] }), [{ a: 1 }, { a: 'x', b: 1 }], [{}, { b: 1 }]],
    [object({ a: true }, { additionalProperties: false }), [{}, { a: 1 }], [{ b: 1 }]],
    [object({}, { additionalProperties: { type: 'number' } }), [{}, { b: 1 }], [{ b: 'x' }]],
    [
      { type: 'object', propertyNames: { type: 'string', maxLength: 1 }, maxProperties: 1 },
      [{ a: 1 }],
      [{ ab: 1 }, { a: 1, b: 1 }],
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['a', null], [1]],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, [1.5], [1, 'a']],
    [{ type: 'string', allOf: [{ type: 'string', minLength: 2 }] }, ['ab'], ['a', 1]],
    [
      object({ a: { $ref: '#/$defs/name' } }, { $defs: { name: { type: 'string', minLength: 1 } } }),
      [{ a: 'x' }],
      [{ a: '' }],
    ],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string', readOnly: true }, ['a'], [1]],
    [{}, [1, 'a', null, {}], []],
  ])('holds values to %j', (schema, fine, wrong) => {
    expect(fine.filter((value) => !accepts(schema, value))).toEqual([]);
    expect(wrong.filter((value) => accepts(schema, value))).toEqual([]);
  });

  it('keeps the schema as it was written, for the model', () => {
    const schema = object(
      { a: { type: 'string', title: 'A', description: 'a', examples: ['x'] } },
      { $comment: 'c' },
    );
    expect(made(schema).json).toBe(schema);
  });

  it('puts defaults in', () => {
    expect(made(object({ a: { type: 'integer', default: 1 } })).parse({})).toEqual({
      ok: true,
      value: { a: 1 },
    });
  });

  it.each<[string, JsonObject, string]>([
    [
      'a pattern',
      { type: 'string', pattern: '^(a+)+$' },
      '`pattern` is not supported, since a regular expression can take too long',
    ],
    [
      'a pattern in a list',
      { anyOf: [{ type: 'string', pattern: 'a' }] },
      '`pattern` is not supported, since a regular expression can take too long',
    ],
    [
      'a pattern for names',
      { type: 'object', patternProperties: { a: true } },
      '`patternProperties` is not supported, since a regular expression can take too long',
    ],
    [
      'a pattern for a name called enum',
      object({ enum: { type: 'string', pattern: 'a' } }),
      '`pattern` is not supported, since a regular expression can take too long',
    ],
    ['what is not', { not: { type: 'string' } }, '`not` is not supported'],
    ['a condition', { if: { type: 'string' }, else: { type: 'null' } }, '`if` is not supported'],
    [
      'what depends',
      { type: 'object', dependentRequired: { a: ['b'] } },
      '`dependentRequired` is not supported',
    ],
    ['what depended', { type: 'object', dependencies: { a: ['b'] } }, '`dependencies` is not supported'],
    [
      'what was not looked at',
      { type: 'object', unevaluatedProperties: false },
      '`unevaluatedProperties` is not supported',
    ],
    ['a reference that moves', { $dynamicRef: '#a' }, '`$dynamicRef` is not supported'],
    [
      'a slip',
      object({ a: { type: 'string', minLenght: 3 } }),
      '`minLenght` is not supported: did you mean `minLength`?',
    ],
    ['required of another kind', { type: 'object', required: 'a' }, '`required` is a list of names'],
    [
      'a name that is required and not described',
      object({ a: true }, { required: ['b'] }),
      '`required` speaks of `b`, which is not under `properties`',
    ],
    [
      'properties without a type',
      object({ a: { properties: { b: true }, required: ['b'] } }),
      '`properties` is held to only beside `type: object`',
    ],
    ['a length without a type', { minLength: 3 }, '`minLength` is held to only beside `type: string`'],
    [
      'a length of a number',
      { type: 'number', minLength: 3 },
      '`minLength` is held to only beside `type: string`',
    ],
    ['a bound that is text', { type: 'string', minLength: '3' }, '`minLength` is a count'],
    ['a bound below nothing', { type: 'string', maxLength: -1 }, '`maxLength` is a count'],
    [
      'a number of items without items',
      { type: 'array', minItems: 1 },
      '`minItems` is held to only beside `items`',
    ],
    [
      'a limit that is true',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      '`exclusiveMinimum` is a number',
    ],
    [
      'a type that is none',
      { type: 'strin' },
      '`type` is string, number, integer, boolean, null, array or object, or a list of these',
    ],
    [
      'no type of several',
      { type: [] },
      '`type` is string, number, integer, boolean, null, array or object, or a list of these',
    ],
    [
      'a type from a prototype',
      { type: 'constructor' },
      '`type` is string, number, integer, boolean, null, array or object, or a list of these',
    ],
    [
      'values of another type',
      { type: 'number', enum: ['a'] },
      '`enum` is a list of texts, numbers and booleans, of the `type`',
    ],
    [
      'values that are maps',
      { enum: [{ a: 1 }] },
      '`enum` is a list of texts, numbers and booleans, of the `type`',
    ],
    ['no values', { enum: [] }, '`enum` is a list of texts, numbers and booleans, of the `type`'],
    ['a value that is a list', { const: [1] }, '`const` is text, a number or a boolean, of the `type`'],
    [
      'a bound beside values',
      { type: 'string', enum: ['a'], maxLength: 3 },
      '`maxLength` would not be held to beside `enum`',
    ],
    ['values beside a value', { const: 'a', enum: ['b'] }, '`enum` would not be held to beside `const`'],
    [
      'a type beside a reference',
      object({ a: { $ref: '#/$defs/b', type: 'string' } }, { $defs: { b: true } }),
      '`type` would not be held to beside `$ref`',
    ],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/b' } }), '`$ref` is one of `#/$defs/…`'],
    [
      'a reference to a prototype',
      object({ a: { $ref: '#/$defs/constructor' } }, { $defs: {} }),
      '`$ref` is one of `#/$defs/…`',
    ],
    [
      'a reference into a definition',
      object({ a: { $ref: '#/$defs/b/properties/c' } }, { $defs: { b: object({ c: true }) } }),
      '`$ref` is one of `#/$defs/…`',
    ],
    ['a reference elsewhere', object({ a: { $ref: 'https://a.example/b' } }), '`$ref` is one of `#/$defs/…`'],
    ['a reference to the whole', object({ a: { $ref: '#' } }), '`$ref` is one of `#/$defs/…`'],
    ['definitions further down', object({ a: { $defs: { b: true } } }), '`$defs` belongs at the top'],
    ['older definitions', { type: 'object', definitions: { a: true } }, '`definitions` is not supported'],
    ['a dialect that is none', { $schema: 7, type: 'object' }, '`$schema` is text'],
    [
      'a format that nobody knows',
      { type: 'string', format: 'regex' },
      '`format` is email, uri, uuid, date-time, date, time, duration, hostname, ipv4 or ipv6',
    ],
    [
      'a default of another type',
      object({ a: { type: 'string', default: 5 } }),
      '`default` is a value of the `type`',
    ],
    ['a name that every object has', object({ toString: true }), '`toString` cannot be a name here'],
    ['properties that are text', { type: 'object', properties: 'a' }, '`properties` is a map of schemas'],
    ['a property that is nothing', object({ a: null }), 'a schema is a map, or true or false'],
    ['alternatives that are no list', { anyOf: { type: 'string' } }, '`anyOf` is a list of schemas'],
    ['no alternatives', { oneOf: [] }, '`oneOf` is a list of schemas'],
    ['an alternative that is text', { oneOf: ['string'] }, 'a schema is a map, or true or false'],
    [
      'items as a list',
      { type: 'array', items: [{ type: 'string' }] },
      'a schema is a map, or true or false',
    ],
    [
      'others beside parts',
      object({ a: true }, { additionalProperties: false, allOf: [object({ b: true })] }),
      '`additionalProperties` would not be held to beside `allOf`',
    ],
    [
      'others in parts',
      { allOf: [object({ a: true }, { additionalProperties: false })] },
      '`additionalProperties` would not be held to in `allOf`',
    ],
  ])('refuses %s', (_title, schema, problem) => {
    expect(problemOf(schema)).toBe(problem);
  });

  it.each<[string, JsonObject]>([
    ['itself', { b: { $ref: '#/$defs/b' } }],
    ['another that refers to it', { b: { anyOf: [{ $ref: '#/$defs/c' }] }, c: { $ref: '#/$defs/b' } }],
    ['itself further down', { b: object({ next: { $ref: '#/$defs/b' } }) }],
  ])('refuses a definition that refers to %s', (_title, $defs) => {
    expect(problemOf(object({ a: { $ref: '#/$defs/b' } }, { $defs }))).toBe('`$ref` goes in circles');
  });

  it('refuses a few lines that stand for more than anybody could check', () => {
    const doubled = (count: number): JsonObject => {
      const $defs: Record<string, JsonObject> = { d0: { type: 'string' } };
      for (let index = 1; index <= count; index += 1) {
        const half = { $ref: `#/$defs/d${index - 1}` };
        $defs[`d${index}`] = { allOf: [half, half] };
      }
      return object({ a: { $ref: `#/$defs/d${count}` } }, { $defs });
    };
    expect(accepts(doubled(10), { a: 'x' })).toBe(true);
    expect([13, 40, 2000].map((count) => problemOf(doubled(count)))).toEqual([
      'with its references put in, it is too large to be checked',
      'with its references put in, it is too large to be checked',
      'with its references put in, it is too large to be checked',
    ]);
  });

  it('refuses a value, instead of throwing, where the parts of a schema cannot be put together', () => {
    const part = (value: string) => object({ a: { type: 'string', default: value } });
    expect(made({ allOf: [part('x'), part('y')] }).parse({})).toMatchObject({ ok: false });
  });
});
