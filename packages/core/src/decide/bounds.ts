import type { Capability } from '../words/capability.js';
import { withSpaces } from '../words/files/files-in-words.js';
import type { Policy } from './policy.js';

/** A file set counts as one. */
export const mostCapabilities = 10_000;

/** Pairs of a capability and a rule. */
export const mostPairs = 10_000_000;

/** Null if the call can be judged. */
export function tooLargeToJudge(
  capabilities: readonly Capability[],
  policies: readonly Policy[],
): string | null {
  const count = capabilities.length;
  const rules = policies.reduce((sum, policy) => sum + policy.rules.length, 0);
  if (count <= mostCapabilities && count * rules <= mostPairs) return null;
  const most = Math.min(mostCapabilities, Math.floor(mostPairs / Math.max(rules, 1)));
  return `the call carries ${withSpaces(count)} capabilities, and at most ${withSpaces(most)} are judged by ${withSpaces(rules)} ${rules === 1 ? 'rule' : 'rules'}: split the call, or describe its files as one file set`;
}
