/** What a rule under `capabilities:` may say. */
export const capabilityRuleKeys = [
  'decision',
  'id',
  'match',
  'except',
  'when',
  'below',
  'reason',
  'instead',
  'owner',
  'note',
  'until',
  'answer',
  'inherit',
  'observe',
  'examples',
] as const;

export type RuleKey = (typeof capabilityRuleKeys)[number];

/** Keys of rules about capabilities that say nothing about a tool. */
export const capabilityOnlyKeys: readonly RuleKey[] = ['match', 'except', 'below'];

/** What comes with a later version. */
export const laterKeys = { policy: ['together', 'invariants'], rule: ['observe'] } as const;

/** What a policy may say. */
export const policyKeys = [
  'version',
  'extends',
  'default',
  'capabilities',
  'tools',
  'carries',
  'workers',
  'grants',
  'together',
  'invariants',
] as const;
