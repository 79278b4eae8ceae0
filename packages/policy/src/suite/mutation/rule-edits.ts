import {
  type CombinationRule,
  decisions,
  isNonEmpty,
  isRestriction,
  type Restricting,
  type Rule,
} from '@ambit/core';
import type { WrittenCombination, WrittenMember, WrittenRule } from '../../document/document.js';
import { type RuleParts, ruleCondition } from '../../document/rule-condition.js';
import { quote } from '../../text/escape.js';
import { conditionEdits } from './condition-edits.js';

/** Null removes the rule. */
export interface RuleEdit {
  readonly words: string;
  readonly apply: (rule: Rule, written: WrittenRule) => Rule | null;
}

/** Every small change of a rule that a call could reveal. A rule that is only observed has none. */
export function ruleEdits(rule: Rule, written: WrittenRule): readonly RuleEdit[] {
  if (rule.observe) return [];
  return [
    { words: 'without the rule', apply: () => null },
    ...decisionEdits(rule),
    ...flagEdits(rule),
    ...(written.about === 'combination' ? combinationEdits(written) : []),
    ...conditionEdits(allParts(written)).map(({ words, apply }) => ({
      words,
      apply: (given: Rule, source: WrittenRule) => ({
        ...given,
        condition: ruleCondition(apply(allParts(source))),
      }),
    })),
  ];
}

function decisionEdits(rule: Rule): readonly RuleEdit[] {
  return decisions
    .filter((decision) => decision !== rule.decision)
    .filter((decision) => rule.about !== 'combination' || decision !== 'pre_approved')
    .map((decision) => ({
      words: `${decision} instead of ${rule.decision}`,
      apply: (given) =>
        given.about === 'combination'
          ? { ...given, decision: decision as Restricting }
          : { ...given, decision },
    }));
}

function flagEdits(rule: Rule): readonly RuleEdit[] {
  const isPermission = !isRestriction(rule);
  return [
    ...(rule.about === 'capability' && isPermission
      ? [
          {
            words: `\`below: ${!rule.below}\` instead of \`below: ${rule.below}\``,
            apply: (given: Rule) =>
              given.about === 'capability' ? { ...given, below: !given.below } : given,
          },
        ]
      : []),
    ...(rule.worker !== null && !isPermission
      ? [
          {
            words: `\`inherit: ${!rule.inherit}\` instead of \`inherit: ${rule.inherit}\``,
            apply: (given: Rule) => ({ ...given, inherit: !given.inherit }),
          },
        ]
      : []),
    ...(rule.decision === 'needs_approval'
      ? [
          {
            words: `\`answer: ${otherAnswer(rule)}\` instead of \`answer: ${rule.answer}\``,
            apply: (given: Rule) => ({ ...given, answer: otherAnswer(given) }),
          },
        ]
      : []),
  ];
}

function otherAnswer({ answer }: Rule): Rule['answer'] {
  return answer === 'person' ? 'any' : 'person';
}

function combinationEdits({ members, within }: WrittenCombination): readonly RuleEdit[] {
  const other = within === 'run' ? 'call' : 'run';
  return [
    {
      words: `\`within: ${other}\` instead of \`within: ${within}\``,
      apply: (given) => (given.about === 'combination' ? { ...given, within: other } : given),
    },
    ...members.flatMap((member, index) => [
      ...(members.length === 1
        ? []
        : [
            {
              words: `without ${quote(member.name)}`,
              apply: (given: Rule) => (given.about === 'combination' ? withoutMember(given, index) : given),
            },
          ]),
      ...memberEdits(member, index),
    ]),
  ];
}

function withoutMember(rule: CombinationRule, index: number): Rule {
  const members = rule.members.filter((_, at) => at !== index);
  return isNonEmpty(members) ? { ...rule, members } : rule;
}

function memberEdits(member: WrittenMember, index: number): readonly RuleEdit[] {
  return conditionEdits(allParts(member)).map(({ words, apply }) => ({
    words: `${quote(member.name)}: ${words}`,
    apply: (given, source) => {
      const written = source.about === 'combination' ? source.members[index] : undefined;
      if (given.about !== 'combination' || written === undefined) return given;
      const condition = ruleCondition(apply(allParts(written)));
      const members = given.members.map((each, at) => (at === index ? { ...each, condition } : each));
      return isNonEmpty(members) ? { ...given, members } : given;
    },
  }));
}

/** The parts of a condition, null where a kind of rule has none. */
function allParts(of: Partial<RuleParts>): RuleParts {
  return {
    match: of.match ?? null,
    except: of.except ?? null,
    when: of.when ?? null,
    until: of.until ?? null,
  };
}
