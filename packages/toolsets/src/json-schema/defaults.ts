import type { Json, JsonObject } from '@ambit/core';
import { isMap } from './check.js';

/** The value with the `default` of missing properties. Follows `properties` only. */
export function withDefaults(schema: Json | undefined, value: Json): Json {
  if (!isMap(schema) || !isMap(schema.properties) || !isMap(value)) return value;
  const { properties } = schema;
  const own = Object.entries(value).map(([name, inner]) => {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, withDefaults(described, inner)] as const;
  });
  return Object.fromEntries([...own, ...missing(properties, value)]);
}

function missing(properties: JsonObject, value: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(properties).flatMap(([name, described]) => {
    if (Object.hasOwn(value, name) || !isMap(described) || !Object.hasOwn(described, 'default')) return [];
    return [[name, described.default as Json] as const];
  });
}
