import { isObject, type Json } from '@ambit/core';

/**
 * The headers in which a server without sessions expects arguments of a call, besides the body. A property of the
 * schema names its header in `x-mcp-header`. They are made from the judged arguments.
 */
export function argumentHeaders(schema: Json, args: Json): Record<string, string> {
  const { 'x-mcp-header': name, properties = null } = isObject(schema) ? schema : {};
  if (typeof name === 'string') return headerOf(name, args);
  if (!isObject(properties) || !isObject(args)) return {};
  const inner = Object.entries(properties).map(([key, each]) =>
    Object.hasOwn(args, key) ? argumentHeaders(each, args[key] ?? null) : {},
  );
  return Object.assign({}, ...inner);
}

function headerOf(name: string, value: Json): Record<string, string> {
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || isWhole(value);
  return isPlain && /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? { [`Mcp-Param-${name}`]: encoded(`${value}`) } : {};
}

function isWhole(value: Json): value is number {
  return Number.isSafeInteger(value);
}

/** Anything except plain ASCII is sent as Base64. */
function encoded(value: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(value) && !/^=\?base64\?.*\?=$/i.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
