import { decisions, type Policy } from '@ambit/core';
import type { WrittenPolicy } from '../../document/document.js';
import { quote } from '../../text/escape.js';
import { placeText } from '../../text/place.js';
import { ruleEdits } from './rule-edits.js';

export interface Mutant {
  /** `file:line:column` of the change. */
  readonly at: string;
  /** The changed rule; null for the rest of the policy. */
  readonly rule: string | null;
  /** Escaped. */
  readonly change: string;
  readonly apply: (policy: WrittenPolicy) => Policy;
}

/** All mutants of a policy, in the order of its file. */
export function mutantsOf(policy: WrittenPolicy): readonly Mutant[] {
  return [...defaultMutants(policy), ...carriesMutants(policy), ...ruleMutants(policy)];
}

function defaultMutants({ name, default: standard, document }: WrittenPolicy): readonly Mutant[] {
  const at = `${name}:${placeText(document.default.place)}`;
  const changed = (change: string, to: Partial<typeof standard>): Mutant => ({
    at,
    rule: null,
    change,
    apply: (policy) => ({ ...policy, default: { ...standard, ...to } }),
  });
  const found = decisions
    .filter((decision) => decision !== standard.decision)
    .map((decision) => changed(`the default is ${decision} instead of ${standard.decision}`, { decision }));
  if (standard.decision !== 'needs_approval') return found;
  const answer = standard.answer === 'person' ? 'any' : 'person';
  const words = `the default says \`answer: ${answer}\` instead of \`answer: ${standard.answer}\``;
  return [...found, changed(words, { answer })];
}

function carriesMutants({ name, carries }: WrittenPolicy): readonly Mutant[] {
  return carries.map(({ tool, capability }, index) => ({
    at: `${name}:1:1`,
    rule: null,
    change: `\`carries\` of ${quote(tool)} without ${quote(capability.name)}`,
    apply: (policy) => ({ ...policy, carries: policy.carries.filter((_, at) => at !== index) }),
  }));
}

function ruleMutants({ rules, document }: WrittenPolicy): readonly Mutant[] {
  return rules.flatMap((rule, index) => {
    const written = document.rules[index];
    if (written === undefined) throw new Error('a rule has no source');
    return Array.from(ruleEdits(rule, written), ({ words, apply }) => ({
      at: rule.at,
      rule: rule.id,
      change: words,
      apply: (policy: WrittenPolicy) => ({
        ...policy,
        rules: policy.rules.flatMap((each, at) => {
          const source = policy.document.rules[at];
          const changed = at === index && source !== undefined ? apply(each, source) : each;
          return changed === null ? [] : [changed];
        }),
      }),
    }));
  });
}
