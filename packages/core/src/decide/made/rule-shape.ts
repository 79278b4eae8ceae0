import { isCapabilityName } from '../../words/capability.js';
import { decisions } from '../../words/decision.js';
import { isSimpleName, isToolName, isWorkerName } from '../../words/name.js';
import type { Condition } from '../condition.js';
import type { CapabilityRule, CombinationMember, CombinationRule, Rule, ToolRule } from '../rule.js';
import type { Told } from './own-data.js';
import { claim, type Fields, listOf, record, type Shape, text, that, word } from './shape.js';

export const decision = word(decisions, 'a decision');

export const answerable = word(['any', 'person'], 'who may answer');

export const filled: Shape<string> = that(
  (value) => typeof value === 'string' && value.trim() !== '',
  'a text with something in it',
);

/** `toolset.tool`, or `toolset.*`. */
export const toolKey: Shape<string> = that(
  (value) => typeof value === 'string' && (isToolName(value) || isAllOf(value)),
  'a tool',
  '`toolset.tool`, or `toolset.*` for all tools of a toolset',
);

const capabilityName: Shape<string> = that(
  (value) => typeof value === 'string' && isCapabilityName(value),
  'a capability name',
  'lower-case words of letters, digits and `_`, with dots between',
);

const worker: Shape<string | null> = that(
  (value) => value === null || (typeof value === 'string' && isWorkerName(value)),
  'a worker name',
  '[a-z][a-z0-9_-]*, `created:NAME`, or null for all workers',
);

const words: Shape<string | null> = that(
  (value) => value === null || typeof value === 'string',
  'a text or null',
);

const condition: Shape<Condition<unknown>> = that(
  (value) => typeof value === 'function',
  'a function',
  'a condition gives true, false or `{ undecided: why }`',
);

const common = {
  id: { shape: filled },
  at: { shape: text },
  decision: { shape: decision },
  answer: { shape: answerable },
  reason: { shape: words },
  instead: { shape: words },
  worker: { shape: worker },
  inherit: { shape: claim },
  observe: { shape: claim },
  apart: { shape: claim, isOptional: true },
  undecided: { shape: word(['needs_approval'], 'what an undecided block says'), isOptional: true },
  condition: { shape: condition },
} as const;

const aboutCapability: Shape<CapabilityRule> = record<CapabilityRule>({
  about: { shape: word(['capability'], 'what a rule is about') },
  ...common,
  name: { shape: capabilityName },
  below: { shape: claim },
} as Fields<CapabilityRule>);

const aboutTool: Shape<ToolRule> = record<ToolRule>({
  about: { shape: word(['tool'], 'what a rule is about') },
  ...common,
  name: { shape: toolKey },
} as Fields<ToolRule>);

const aboutCombination: Shape<CombinationRule> = record<CombinationRule>({
  about: { shape: word(['combination'], 'what a rule is about') },
  ...common,
  decision: { shape: word(['needs_approval', 'blocked'], 'a decision of a combination') },
  members: {
    shape: nonEmpty(
      listOf(record<CombinationMember>({ name: { shape: capabilityName }, condition: { shape: condition } })),
    ),
  },
  within: { shape: word(['call', 'run'], 'where a combination is looked for') },
} as Fields<CombinationRule>);

const kinds: Readonly<Record<Rule['about'], Shape<Rule>>> = {
  capability: aboutCapability,
  tool: aboutTool,
  combination: aboutCombination,
};

export function rule(value: unknown, at: string, told: Told): Rule | undefined {
  const about = typeof value === 'object' && value !== null ? (value as { about?: unknown }).about : null;
  const kind = word(['capability', 'tool', 'combination'] as const, 'what a rule is about');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return record<Rule>({} as Fields<Rule>)(value, at, told);
  const known = kind(about, `${at}.about`, told);
  const read = known === undefined ? undefined : kinds[known](value, at, told);
  if (read?.undecided !== undefined && read.decision !== 'blocked') {
    const message = '`undecided` is for rules that say `blocked`';
    told({ at: `${at}.undecided`, message, help: 'leave it out' });
  }
  return read;
}

function isAllOf(value: string): boolean {
  return value.endsWith('.*') && isSimpleName(value.slice(0, -2));
}

function nonEmpty<T>(shape: Shape<readonly T[]>): Shape<readonly T[]> {
  return (value, at, told) => {
    const read = shape(value, at, told);
    if (read?.length === 0) told({ at, message: 'this list is empty', help: 'give at least one' });
    return read;
  };
}
