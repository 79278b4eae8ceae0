import type { Capability } from '../words/capability.js';
import { grouped } from '../words/files/files-in-words.js';
import type { Policy } from './policy.js';

/** The most capabilities of one call. A file set counts as one: the limit of listings bounds its members. */
export const mostCapabilities = 10_000;

/** The most pairs of a capability and a rule in one decision. */
export const mostPairs = 10_000_000;

/** Why a call is too large to be judged in reasonable time, and what to do instead; null if it is not. */
export function tooLargeToJudge(
  capabilities: readonly Capability[],
  policies: readonly Policy[],
): string | null {
  const count = capabilities.length;
  const rules = policies.reduce((sum, policy) => sum + policy.rules.length, 0);
  if (count <= mostCapabilities && count * rules <= mostPairs) return null;
  const most = Math.min(mostCapabilities, Math.floor(mostPairs / Math.max(rules, 1)));
  return `the call carries ${grouped(count)} capabilities, and at most ${grouped(most)} are judged by ${grouped(rules)} ${rules === 1 ? 'rule' : 'rules'}: split the call, or describe its files as one file set`;
}
