import { hash } from 'node:crypto';
import { canonicalJson } from '@ambit/audit';
import type { Json, JsonObject, Judgement, Question } from '@ambit/core';

/** SHA-256, in hex, of everything that an answer depends on: the call, the shown question, and the judging policies. */
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

/** As core's `isAnswered` compares questions. */
function whoAsks({ capability, policy, answer, rules, undecided }: Judgement): Json {
  return { capability, policy, answer, rules: [...rules, ...undecided].map(({ id }) => id) };
}

/** SHA-256, in hex, of canonical JSON. */
export function jsonDigest(value: JsonObject): string {
  return hash('sha256', unambiguous(value));
}

/** A lone surrogate has no canonical form: its text is escaped and marked. */
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
