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
  'undecided',
  'inherit',
  'observe',
  'observed_since',
  'examples',
] as const;

export type RuleKey = (typeof capabilityRuleKeys)[number];

/** Keys of rules about capabilities that say nothing about a tool. */
export const capabilityOnlyKeys: readonly RuleKey[] = ['match', 'except', 'below'];

/** What a rule under `together:` may say. */
export const combinationKeys = [
  'decision',
  'id',
  'capabilities',
  'within',
  'when',
  'reason',
  'instead',
  'owner',
  'note',
  'answer',
  'undecided',
  'observe',
  'observed_since',
] as const;

/** Keys of other rules that have no meaning for a combination. */
export const misplacedInCombination = ['match', 'except', 'below', 'inherit', 'until', 'examples'] as const;

/** What each of `invariants:` may say. */
export const invariantKeys = ['id', 'capabilities', 'never', 'reason', 'owner', 'note'] as const;

/** What a policy may say. */
export const policyKeys = [
  'version',
  'extends',
  'default',
  'undecided',
  'capabilities',
  'tools',
  'carries',
  'workers',
  'grants',
  'together',
  'invariants',
] as const;
