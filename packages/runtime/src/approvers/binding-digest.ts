import { createHash } from 'node:crypto';
import { canonicalJson } from '@ambit/audit';
import type { Json, JsonObject, Judgement, Question } from '@ambit/core';

/**
 * The binding of an answer, in hex: the SHA-256 of the canonical JSON of the chain, the tool, its arguments,
 * the shown capabilities, the rules that ask with their subjects, the calls if there are several, whether
 * they had begun before an interruption, and the policies' digests in any order.
 */
export function bindingDigest(question: Question, policies: readonly string[]): string {
  const { chain, tool, args, capabilities, calls = null, part = null, begun = false } = question;
  return jsonDigest({
    chain,
    tool,
    args,
    capabilities: capabilities.map(({ capability }) => capability as Json),
    asked_by: question.asked_by.map(whoAsks),
    calls,
    part,
    begun,
    policies: [...new Set(policies)].sort(),
  });
}

/** As `isAnswered` of core tells one question from another. */
function whoAsks({ capability, policy, answer, rules, undecided }: Judgement): Json {
  return { capability, policy, answer, rules: [...rules, ...undecided].map(({ id }) => id) };
}

/** The SHA-256, in hex, of the canonical JSON of a value. */
export function jsonDigest(value: JsonObject): string {
  return createHash('sha256').update(unambiguous(value)).digest('hex');
}

/**
 * A value with a lone surrogate has no canonical form. With its text escaped and a mark it has a unique one.
 */
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
