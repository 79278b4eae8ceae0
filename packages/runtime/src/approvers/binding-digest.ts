import type { Json, Question } from '@ambit/core';
import { jsonDigest } from './json-digest.js';

/**
 * What an answer is bound to, in hex: the SHA-256 of the canonical JSON of who acts for whom, the tool, its arguments, what the
 * question shows that the call carries, the calls that it is about where they are several, and the digests of the policies, in any order.
 */
export function bindingDigest(question: Question, policies: readonly string[]): string {
  const { chain, tool, args, capabilities, calls = null, part = null } = question;
  return jsonDigest({
    chain,
    tool,
    args,
    capabilities: capabilities.map(({ capability }) => capability as Json),
    calls,
    part,
    policies: [...new Set(policies)].sort(),
  });
}
