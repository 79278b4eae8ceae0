import { escapeText } from '@ambit/policy';
import type { Finding } from './explore.js';
import { type Variable, variableInWords, variableKey } from './formula/variable.js';
import { type CallSlots, ruleTruth, type Workspace } from './policy-formula.js';
import { type RuleName, ruleInWords } from './rule-words.js';
import type { AnalysedPolicy } from './subject-policy.js';
import type { CutVariable } from './witness/cells.js';
import { tooMuchAsked, type Work } from './witness/work.js';

/** An open question, and the rules that cause it. */
export interface Unsettled {
  readonly capability: string;
  readonly rules: readonly RuleName[];
  readonly why: string;
}

/** What was explored, and the policies whose rules were read. */
interface Explored {
  readonly findings: readonly Finding[];
  readonly variables: readonly CutVariable[];
  readonly tooMuch: string | null;
  readonly policies: readonly AnalysedPolicy[];
  readonly slots: CallSlots;
  readonly workspace: Workspace;
}

/** Null if nothing is open. */
export function openQuestion(capability: string, of: Explored): Unsettled | null {
  const opaque = of.findings.flatMap(({ assignment }) =>
    assignment.flatMap(([variable]) => (variable.kind === 'opaque' ? [variable] : [])),
  );
  const gaps = of.variables.filter(({ gap }) => gap !== null);
  const reasons = [
    ...(of.tooMuch === null ? [] : [of.tooMuch]),
    ...gaps.map(({ variable, gap }) => `${variableInWords(variable)}: ${gap}`),
    ...(opaque.length === 0
      ? []
      : ['a condition cannot be split into questions about single facts, so its value is unknown']),
  ];
  if (reasons.length === 0) return null;
  const variables = [...opaque, ...gaps.map(({ variable }) => variable)];
  return { capability, rules: rulesReading(variables, of), why: reasons.join('; ') };
}

/** The open question if the limit of work was reached before some situations. */
export function notLookedAt(situations: number): Unsettled {
  return { capability: `${situations} more kinds of calls`, rules: [], why: tooMuchAsked };
}

/** The situations until the limit of work is reached. The rest is added to what is unknown. */
export function* withinWork<Situation>(
  situations: readonly Situation[],
  work: Work,
  unknown: Unsettled[],
): Iterable<Situation> {
  for (const [index, situation] of situations.entries()) {
    if (work.isDone) return void unknown.push(notLookedAt(situations.length - index));
    yield situation;
  }
}

export function unsettledInWords({ capability, why, rules }: Unsettled): readonly string[] {
  return [
    `  ${escapeText(capability)}: ${escapeText(why)}`,
    ...rules.map((rule) => `    because of ${ruleInWords(rule)}`),
  ];
}

function rulesReading(
  variables: readonly Variable[],
  { policies, slots, workspace }: Explored,
): Unsettled['rules'] {
  const keys = new Set(variables.map(variableKey));
  const { atoms } = workspace;
  const reading = policies.flatMap(({ rules }) =>
    rules.filter((rule) => {
      const truths = slots.call.map((slot) => ruleTruth(rule, slot, { slots, workspace }));
      return atoms.variablesOf(atoms.formulas.any(truths).isNotFalse).some((key) => keys.has(key));
    }),
  );
  const distinct = new Map(
    reading.map(({ rule }) => [`${rule.at} ${rule.id}`, { id: rule.id, at: rule.at }]),
  );
  return [...distinct.values()];
}
