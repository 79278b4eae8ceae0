import { isObject, type Json, type JsonObject, orNull, ownMember } from '@ambit/core';
import fc from 'fast-check';
import { resolveReference } from '../json-schema/references.js';

/** Arguments that a schema most likely accepts: ordinary values, and values that have fooled tools before. */
export function argumentsOf(schema: JsonObject): fc.Arbitrary<Json> {
  return valueFor(schema, { root: schema, depth: 0 });
}

interface Place {
  /** Where `$ref` looks. */
  readonly root: JsonObject;
  readonly depth: number;
}

const deepest = 6;

function valueFor(schema: Json | undefined, place: Place): fc.Arbitrary<Json> {
  if (!isObject(schema)) return anything;
  if (place.depth > deepest) return fc.constantFrom<Json>(null, '', 0, {}, []);
  const within = { root: place.root, depth: place.depth + 1 };
  const { $ref: reference, const: constant, enum: listed, anyOf, oneOf, allOf, ...rest } = schema;
  if (typeof reference === 'string')
    return valueFor(orNull(() => resolveReference(place.root, reference)) ?? undefined, within);
  if (constant !== undefined) return fc.constant(constant);
  if (Array.isArray(listed) && listed.length > 0) return fc.constantFrom<Json>(...listed);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices) && choices.length > 0)
    return fc.oneof(...choices.map((choice) => valueFor(merged(schema, choice), within)));
  if (Array.isArray(allOf)) return valueFor(allOf.reduce<Json>(merged, rest), within);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => ofType(type, schema, within)));
}

function ofType(type: Json | undefined, schema: JsonObject, place: Place): fc.Arbitrary<Json> {
  const known = typeof type === 'string' ? ownMember(byType, type) : undefined;
  if (known !== undefined) return known(schema, place);
  return isObject(schema.properties) ? arbitraryObject(schema, place) : anything;
}

const byType: Readonly<Record<string, (schema: JsonObject, place: Place) => fc.Arbitrary<Json>>> = {
  string: arbitraryText,
  integer: (schema) => fc.integer(boundsOf(schema)),
  number: (schema) =>
    fc.oneof(
      fc.integer(boundsOf(schema)),
      fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true }),
    ),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: arbitraryList,
  object: arbitraryObject,
};

function arbitraryList(schema: JsonObject, place: Place): fc.Arbitrary<Json> {
  const least = numberOr(schema.minItems, 0);
  return fc.array(valueFor(schema.items, place), {
    minLength: least,
    maxLength: numberOr(schema.maxItems, Math.max(4, least)),
  });
}

function arbitraryObject(schema: JsonObject, place: Place): fc.Arbitrary<Json> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(properties).map(([key, value]) =>
    required.includes(key)
      ? fc.tuple(fc.constant(key), valueFor(value, place))
      : fc.option(fc.tuple(fc.constant(key), valueFor(value, place)), { nil: null }),
  );
  const more = isObject(schema.additionalProperties)
    ? fc.array(fc.tuple(fc.string({ maxLength: 12 }), valueFor(schema.additionalProperties, place)), {
        maxLength: 3,
      })
    : fc.constant([]);
  return fc.tuple(fc.tuple(...entries), more).map(([known, others]) =>
    // fromEntries defines own properties, whatever their names.
    Object.fromEntries([...known.filter((entry) => entry !== null), ...others]),
  );
}

const odd = [
  ...`| |.|..|/|~|../../etc/passwd|/etc/passwd|a/../b|a//b/|a b|'; rm -rf /; '|$(id)|-rf`.split('|'),
  ...'ｅｘａｍｐｌｅ.com|EXAMPLE.com.|127.1|[::1]|http://user@localhost:80/|__proto__|constructor'.split('|'),
  ...'\u0000|\u202etxt.exe|\ud800|é|e\u0301'.split('|'),
];

function arbitraryText(schema: JsonObject): fc.Arbitrary<Json> {
  const { pattern, format } = schema;
  const minLength = numberOr(schema.minLength, 0);
  const maxLength = numberOr(schema.maxLength, Math.max(40, minLength));
  const isInBounds = (text: string) => text.length >= minLength && text.length <= maxLength;
  const plain = fc.string({ minLength, maxLength });
  const oddities = odd.filter(isInBounds);
  const shaped = byFormat[typeof format === 'string' ? format : ''];
  const matching =
    typeof pattern === 'string' ? orNull(() => fc.stringMatching(new RegExp(pattern, 'u'))) : null;
  const arbitraries: fc.Arbitrary<string>[] = [
    plain,
    ...(oddities.length > 0 ? [fc.constantFrom(...oddities)] : []),
    ...(shaped === undefined ? [] : [shaped]),
    ...(matching === null ? [] : [matching]),
  ];
  return fc.oneof(...arbitraries);
}

const byFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uri: fc.webUrl(),
  email: fc.emailAddress(),
  uuid: fc.uuid(),
  hostname: fc.domain(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
};

const anything = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject) {
  const min = numberOr(minimum, numberOr(exclusiveMinimum, -1000 - 1) + 1);
  const max = numberOr(maximum, numberOr(exclusiveMaximum, Math.max(min, 0) + 1000 + 1) - 1);
  const whole = { min: Math.ceil(Math.max(min, -(2 ** 31))), max: Math.floor(Math.min(max, 2 ** 31 - 1)) };
  return whole.min <= whole.max ? whole : { min: 0, max: 0 };
}

/** Joins properties and required names. */
function merged(one: Json, other: Json): Json {
  if (!isObject(one) || !isObject(other)) return isObject(other) ? other : one;
  const { anyOf: _, oneOf: __, ...rest } = one;
  const properties = {
    ...(isObject(one.properties) ? one.properties : {}),
    ...(isObject(other.properties) ? other.properties : {}),
  };
  const required = [one.required, other.required].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    ...rest,
    ...other,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}
