import { createdPrefix, isRestriction, type Rule } from '@ambit/core';

/** Whether a rule speaks about calls of this chain. */
export function isForChain(rule: Rule, chain: readonly string[]): boolean {
  const worker = chain.at(-1);
  if (rule.worker === null || rule.worker === worker) return true;
  if (!isRestriction(rule)) return false;
  const heard = rule.inherit ? chain : chain.slice(-1);
  return heard.some((member) => restrictionNames(rule.worker, member));
}

/** Whether a rule that speaks about a call of this chain takes the place of the default there. */
export function isOwnOf(rule: Rule, chain: readonly string[]): boolean {
  const worker = chain.at(-1) ?? '';
  return (
    rule.about === 'capability' &&
    (rule.worker === null ||
      rule.worker === worker ||
      (rule.worker === 'created' && worker.startsWith(createdPrefix)))
  );
}

function restrictionNames(named: string | null, member: string): boolean {
  if (named === member) return true;
  if (!member.startsWith(createdPrefix)) return false;
  return named === 'created' || named === member.slice(createdPrefix.length);
}
