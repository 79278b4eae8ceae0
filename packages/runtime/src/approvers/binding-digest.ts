import type { Json, Judgement, Question } from '@ambit/core';
import { jsonDigest } from './json-digest.js';

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
