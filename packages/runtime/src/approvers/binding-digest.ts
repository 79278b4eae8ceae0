import type { Json, Judgement, Question } from '@ambit/core';
import { jsonDigest } from './json-digest.js';

/**
 * What an answer is bound to, in hex: the SHA-256 of the canonical JSON of who acts for whom, the tool, its arguments, what the
 * question shows that the call carries, which rules ask about what of it, the calls that it is about where they are several, whether they
 * had begun before the run was interrupted, and the digests of the policies, in any order.
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
