import { createHash } from 'node:crypto';
import { canonicalJson } from '@ambit/audit';
import type { Json, JsonObject, Question } from '@ambit/core';

/**
 * What an answer is bound to, in hex: the SHA-256 of the canonical JSON of who acts for whom, the tool, its arguments, what the
 * question shows that the call carries, and the digests of the policies, in any order.
 */
export function bindingDigest(question: Question, policies: readonly string[]): string {
  const { chain, tool, args, capabilities } = question;
  const bound: JsonObject = {
    chain,
    tool,
    args,
    capabilities: capabilities.map(({ capability }) => capability as Json),
    policies: [...new Set(policies)].sort(),
  };
  return createHash('sha256').update(unambiguous(bound)).digest('hex');
}

/** A value with a lone surrogate has no canonical form. With all of its texts escaped it has one, and is marked as no other value is. */
function unambiguous(value: JsonObject): string {
  try {
    return canonicalJson(value);
  } catch {
    return `escaped ${canonicalJson(escaped(value))}`;
  }
}

function escaped(value: Json): Json {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(escaped);
  // fromEntries defines own properties, so a key called "__proto__" stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [JSON.stringify(key), escaped(item)]));
}
