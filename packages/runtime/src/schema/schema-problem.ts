import { isJsonObject, type Json, type JsonObject } from '@ambit/core';
import { nearest, oneOf, quote } from '@ambit/policy/yaml';

/** Keywords that describe a schema without checking. */
const annotations = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
];
const compositions = ['anyOf', 'oneOf', 'allOf'];
const atTheTop = ['$schema', '$id', '$defs'];
const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The keywords that hold values of a type to something. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format'],
  number: numeric,
  integer: numeric,
  boolean: [],
  null: [],
  array: [
    'items',
    'prefixItems',
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
  ],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ],
};

const formats = ['email', 'uri', 'uuid', 'date-time', 'date', 'time', 'duration', 'hostname', 'ipv4', 'ipv6'];
const known = [
  ...new Set(['type', 'enum', 'const', '$ref', ...annotations, ...compositions, ...atTheTop]),
  ...new Set(Object.values(keywordsOf).flat()),
];

/** The enclosing schema. */
interface Surroundings {
  readonly definitions: readonly string[];
  readonly isTop: boolean;
}

/**
 * Why a JSON Schema cannot be used; null if all of it is checked. The checker ignores unknown keywords, those
 * beside a `$ref` or without their `type`, and required names without a schema: such a file would let
 * anything pass.
 */
export function schemaProblem(schema: JsonObject): string | null {
  const definitions = isJsonObject(schema.$defs) ? Object.keys(schema.$defs) : [];
  return problemIn(schema, { definitions, isTop: true });
}

function problemIn(schema: Json | undefined, within: Surroundings): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isJsonObject(schema)) return 'a schema is a map, or true or false';
  const keys = Object.keys(schema);
  const types = typesOf(schema);
  if (types === null) return `\`type\` is ${oneOf(Object.keys(keywordsOf))}, or a list of these`;
  const stray = keys.find((key) => !belongs(key, types, within));
  if (stray !== undefined) return strayProblem(stray);
  const lonely = onlyWith(schema, keys);
  if (lonely !== null) return lonely;
  const inside = { ...within, isTop: false };
  return firstProblem(keys, (key) => {
    const wrong = valueProblem(key, schema[key] as Json, { schema, types, within });
    return wrong ?? firstProblem(schemasUnder(key, schema[key] as Json), (inner) => problemIn(inner, inside));
  });
}

function typesOf({ type }: JsonObject): readonly string[] | null {
  const types = type === undefined ? [] : Array.isArray(type) ? (type as readonly Json[]) : [type];
  const isKnown = types.every((each) => typeof each === 'string' && Object.hasOwn(keywordsOf, each));
  return !isKnown || (type !== undefined && types.length === 0) ? null : (types as readonly string[]);
}

function belongs(key: string, types: readonly string[], { isTop }: Surroundings): boolean {
  if (['type', 'enum', 'const', '$ref', ...annotations, ...compositions].includes(key)) return true;
  if (atTheTop.includes(key)) return isTop;
  return types.some((type) => keywordsOf[type]?.includes(key));
}

function strayProblem(key: string): string {
  if (['pattern', 'patternProperties'].includes(key)) {
    return `\`${key}\` is not supported, since a regular expression can take too long`;
  }
  if (atTheTop.includes(key)) return `\`${key}\` belongs at the top`;
  const owners = Object.keys(keywordsOf).filter((type) => keywordsOf[type]?.includes(key));
  if (owners.length > 0) return `\`${key}\` is held to only beside \`type: ${owners.join('` or `type: ')}\``;
  const near = nearest(key, known);
  return `${quote(key)} is not supported${near === null ? '' : `: did you mean \`${near}\`?`}`;
}

/** Keywords that have others passed over. */
function onlyWith(schema: JsonObject, keys: readonly string[]): string | null {
  const alone = ['$ref', 'const', 'enum'].find((key) => Object.hasOwn(schema, key));
  if (alone === undefined) {
    const parts = compositions.find((key) => Object.hasOwn(schema, key));
    if (parts !== undefined && 'additionalProperties' in schema)
      return `\`additionalProperties\` would not be held to beside \`${parts}\``;
    const bounds = keys.find((key) => key === 'minItems' || key === 'maxItems');
    if (bounds === undefined || 'items' in schema || 'prefixItems' in schema) return null;
    return `\`${bounds}\` is held to only beside \`items\``;
  }
  const allowed = [
    alone,
    ...annotations,
    ...atTheTop,
    ...(alone === '$ref' ? [] : ['type', ...compositions]),
  ];
  const other = keys.find((key) => !allowed.includes(key));
  return other === undefined ? null : `\`${other}\` would not be held to beside \`${alone}\``;
}

interface Beside {
  readonly schema: JsonObject;
  readonly types: readonly string[];
  readonly within: Surroundings;
}

function valueProblem(key: string, value: Json, { schema, types, within }: Beside): string | null {
  const wants = (isOne: boolean, what: string) => (isOne ? null : `\`${key}\` is ${what}`);
  if (/^(min|max)[A-Z]/.test(key)) return wants(Number.isSafeInteger(value) && Number(value) >= 0, 'a count');
  if (numeric.includes(key)) return wants(typeof value === 'number', 'a number');
  const list: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [];
  switch (key) {
    case 'uniqueItems':
      return wants(typeof value === 'boolean', 'true or false');
    case 'format':
      return wants(typeof value === 'string' && formats.includes(value), oneOf(formats));
    case 'default':
      return wants(isOfType(value, types), 'a value of the `type`');
    case 'const':
      return wants(isScalar(value) && isOfType(value, types), 'text, a number or a boolean, of the `type`');
    case 'enum': {
      const isFine = list.length > 0 && list.every((each) => isScalar(each) && isOfType(each, types));
      return wants(isFine, 'a list of texts, numbers and booleans, of the `type`');
    }
    case '$ref': {
      const name =
        typeof value === 'string' && value.startsWith('#/$defs/') ? value.slice('#/$defs/'.length) : '';
      return wants(within.definitions.includes(name), 'one of `#/$defs/…`');
    }
    case '$schema':
      // Every accepted keyword means the same in every draft.
      return wants(typeof value === 'string', 'text');
    case 'allOf':
      // Each part would accept what another part defines.
      if (list.some((part) => isJsonObject(part) && 'additionalProperties' in part))
        return '`additionalProperties` would not be held to in `allOf`';
      return wants(list.length > 0, 'a list of schemas');
    case 'prefixItems':
    case 'anyOf':
    case 'oneOf':
      return wants(list.length > 0, 'a list of schemas');
    case 'properties':
    case '$defs': {
      if (!isJsonObject(value)) return wants(false, 'a map of schemas');
      // The checker would find these on every object.
      const odd = Object.keys(value).find((name) => name in Object.prototype || /[~/%]/.test(name));
      return odd === undefined ? null : `${quote(odd)} cannot be a name here`;
    }
    case 'required': {
      const { properties } = schema;
      const names = isJsonObject(properties) ? Object.keys(properties) : [];
      const odd = list.find((name) => typeof name !== 'string' || !names.includes(name));
      if (odd !== undefined)
        return `\`required\` speaks of ${quote(typeof odd === 'string' ? odd : JSON.stringify(odd))}, which is not under \`properties\``;
      return wants(Array.isArray(value), 'a list of names');
    }
    default:
      return null;
  }
}

/** The schemas directly under a keyword. */
export function schemasUnder(key: string, value: Json): readonly Json[] {
  if (['items', 'contains', 'additionalProperties', 'propertyNames'].includes(key)) return [value];
  if (['prefixItems', ...compositions].includes(key)) return value as readonly Json[];
  return ['properties', '$defs'].includes(key) ? Object.values(value as JsonObject) : [];
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function isOfType(value: Json, types: readonly string[]): boolean {
  if (types.length === 0) return true;
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.includes(type) || (Number.isInteger(value) && types.includes('integer'));
}

function firstProblem<T>(items: readonly T[], problemOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}
