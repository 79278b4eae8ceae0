import {
  type CombinationMember,
  type CombinationRule,
  decisions,
  isNonEmpty,
  isRestriction,
  type Rule,
} from '@ambit/core';
import type { WrittenCombination, WrittenMember, WrittenRule } from '../../document/document.js';
import { partsOf, ruleCondition } from '../../document/rule-condition.js';
import { quote } from '../../text/escape.js';
import { conditionEdits } from './condition-edits.js';

/** Null removes the rule. */
export interface RuleEdit {
  readonly words: string;
  readonly apply: (rule: Rule, written: WrittenRule) => Rule | null;
}

type Edits = Generator<RuleEdit, void, undefined>;

/** Every small change of a rule that a call could reveal. A rule that is only observed has none. */
export function* ruleEdits(rule: Rule, written: WrittenRule): Edits {
  if (rule.observe) return;
  yield { words: 'without the rule', apply: () => null };
  for (const decision of decisions)
    if (decision !== rule.decision && (rule.about !== 'combination' || decision !== 'pre_approved'))
      yield {
        words: `${decision} instead of ${rule.decision}`,
        apply: (given) => ({ ...given, decision }) as Rule,
      };
  yield* flagEdits(rule);
  if (rule.about === 'combination' && written.about === 'combination') yield* combinationEdits(rule, written);
  for (const { words, apply } of conditionEdits(partsOf(written)))
    yield {
      words,
      apply: (given, source) => ({ ...given, condition: ruleCondition(apply(partsOf(source))) }),
    };
}

function* flagEdits(rule: Rule): Edits {
  const isPermission = !isRestriction(rule);
  if (rule.about === 'capability' && isPermission)
    yield { words: insteadOf('below', rule.below, !rule.below), apply: withKey('below', !rule.below) };
  if (rule.worker !== null && !isPermission)
    yield {
      words: insteadOf('inherit', rule.inherit, !rule.inherit),
      apply: withKey('inherit', !rule.inherit),
    };
  const answer = rule.answer === 'person' ? 'any' : 'person';
  if (rule.decision === 'needs_approval')
    yield { words: insteadOf('answer', rule.answer, answer), apply: withKey('answer', answer) };
}

function* combinationEdits(rule: CombinationRule, { members }: WrittenCombination): Edits {
  const other = rule.within === 'run' ? 'call' : 'run';
  yield { words: insteadOf('within', rule.within, other), apply: withKey('within', other) };
  for (const [index, member] of members.entries()) {
    if (members.length > 1)
      yield {
        words: `without ${quote(member.name)}`,
        apply: (given) => withMembers(given, (all) => all.filter((_, at) => at !== index)),
      };
    yield* memberEdits(member, index);
  }
}

function* memberEdits(member: WrittenMember, index: number): Edits {
  for (const { words, apply } of conditionEdits(partsOf(member)))
    yield {
      words: `${quote(member.name)}: ${words}`,
      apply: (given, source) => {
        const written = source.about === 'combination' ? source.members[index] : undefined;
        if (written === undefined) return given;
        const condition = ruleCondition(apply(partsOf(written)));
        return withMembers(given, (all) =>
          all.map((each, at) => (at === index ? { ...each, condition } : each)),
        );
      },
    };
}

function insteadOf(key: string, old: string | boolean, now: string | boolean): string {
  return `\`${key}: ${now}\` instead of \`${key}: ${old}\``;
}

function withKey(key: string, value: unknown): RuleEdit['apply'] {
  return (given) => ({ ...given, [key]: value });
}

/** Other rules, and a combination that would have no members, stay as they are. */
function withMembers(
  rule: Rule,
  edit: (members: readonly CombinationMember[]) => readonly CombinationMember[],
): Rule {
  const members = rule.about === 'combination' ? edit(rule.members) : [];
  return rule.about === 'combination' && isNonEmpty(members) ? { ...rule, members } : rule;
}
