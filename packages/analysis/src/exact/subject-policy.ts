import {
  builtIn,
  type CombinationRule,
  impliedRule,
  impliesOpacity,
  type Policy,
  type Rule,
} from '@ambit/core';
import type { Match, WrittenCondition, WrittenPolicy, WrittenRule } from '@ambit/policy';

/** A rule with its source. Observed rules decide nothing and are left out. */
export interface AnalysedRule {
  readonly rule: Rule;
  readonly match: Match | null;
  readonly except: Match | null;
  readonly when: WrittenCondition | null;
  readonly until: number | null;
  readonly members: readonly AnalysedMember[];
}

export interface AnalysedMember {
  readonly name: string;
  readonly match: Match | null;
  readonly except: Match | null;
}

export interface AnalysedPolicy {
  readonly policy: Policy;
  readonly rules: readonly AnalysedRule[];
}

/** The built-in policy first. */
export function analysedPolicies(policies: readonly WrittenPolicy[]): readonly AnalysedPolicy[] {
  return [{ policy: builtIn, rules: builtIn.rules.map(unconditional) }, ...policies.map(analysePolicy)];
}

function analysePolicy(policy: WrittenPolicy): AnalysedPolicy {
  const rules = policy.rules.map((rule, index) =>
    analysedRule(rule, policy.document.rules[index] as WrittenRule),
  );
  const implied = impliesOpacity(policy) ? [unconditional(impliedRule)] : [];
  return { policy, rules: [...rules.filter(({ rule }) => !rule.observe), ...implied] };
}

function analysedRule(rule: Rule, written: WrittenRule): AnalysedRule {
  if (rule.id !== written.id) throw new Error('a rule and its source have different places');
  return written.about === 'combination'
    ? { ...unconditional(rule), when: written.when, members: written.members }
    : {
        ...unconditional(rule),
        match: written.match,
        except: written.except,
        when: written.when,
        until: written.until,
      };
}

function unconditional(rule: Rule): AnalysedRule {
  return { rule, match: null, except: null, when: null, until: null, members: [] };
}

export function isCombination(
  analysedRule: AnalysedRule,
): analysedRule is AnalysedRule & { readonly rule: CombinationRule } {
  return analysedRule.rule.about === 'combination';
}
