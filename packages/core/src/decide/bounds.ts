import { type Capability, isWithin } from '../words/capability.js';
import { fileSetOf } from '../words/files/file-set.js';
import { withSpaces } from '../words/files/files-in-words.js';
import type { Policy } from './policy.js';

/** A file set counts as one. */
const mostCapabilities = 10_000;

/** Pairs of a capability and a rule. */
const mostPairs = 10_000_000;

/** Pairs of a file in a set and a rule about its capability. */
const mostFilePairs = 25_000_000;

/** Null if the call can be judged. */
export function tooLargeToJudge(
  capabilities: readonly Capability[],
  policies: readonly Policy[],
): string | null {
  const count = capabilities.length;
  const rules = policies.reduce((sum, policy) => sum + policy.rules.length, 0);
  if (count <= mostCapabilities && count * rules <= mostPairs) return tooManyFiles(capabilities, policies);
  const most = Math.min(mostCapabilities, Math.floor(mostPairs / Math.max(rules, 1)));
  return `the call carries ${withSpaces(count)} capabilities, and at most ${withSpaces(most)} are judged by ${withSpaces(rules)} ${rules === 1 ? 'rule' : 'rules'}: split the call, or describe its files as one file set`;
}

function tooManyFiles(capabilities: readonly Capability[], policies: readonly Policy[]): string | null {
  let pairs = 0;
  for (const { name, path } of capabilities) {
    const files = fileSetOf(path)?.paths.length ?? 0;
    const about = files === 0 ? 0 : policies.reduce((sum, policy) => sum + rulesAbout(name, policy), 0);
    pairs += files * about;
    if (pairs > mostFilePairs)
      return `the call carries ${name} for ${withSpaces(files)} files, and ${withSpaces(about)} rules are about it: name fewer files or folders`;
  }
  return null;
}

function rulesAbout(name: string, { rules }: Policy): number {
  const isAbout = (rule: { readonly name: string }) => isWithin(name, rule.name);
  return rules.filter((rule) =>
    rule.about === 'combination' ? rule.members.some(isAbout) : rule.about === 'tool' || isAbout(rule),
  ).length;
}
