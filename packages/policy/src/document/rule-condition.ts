import {
  always,
  both,
  type CallView,
  type Capability,
  type CapabilityView,
  type Condition,
  type Json,
  negation,
  type Truth,
} from '@ambit/core';
import { evaluate } from '../condition/evaluate.js';
import type { Expression } from '../condition/expression.js';
import { matches } from '../condition/match.js';
import { quickTruth } from '../condition/quick-truth.js';
import type { WrittenNamedRule } from './document.js';

export type RuleParts = Pick<WrittenNamedRule, 'match' | 'except' | 'when' | 'until'>;

/** All parts of a statement that allows only some of them. */
export function partsOf({
  match = null,
  except = null,
  when = null,
  until = null,
}: Partial<RuleParts>): RuleParts {
  return { match, except, when, until };
}

/** All parts must apply. */
export function ruleCondition(parts: RuleParts): Condition<CallView | CapabilityView> {
  const { match, except, when, until } = parts;
  if (match === null && except === null && when === null && until === null) return always;
  const condition = (view: CallView | CapabilityView) =>
    both(partTruths(parts, view).map(({ truth }) => truth));
  written.set(condition, parts);
  return condition;
}

/** The source of a condition; null if it was not compiled from a policy file. */
export function partsBehind(condition: Condition<never>): RuleParts | null {
  return written.get(condition) ?? null;
}

const written = new WeakMap<Condition<never>, RuleParts>();

export interface PartTruth {
  readonly part: 'match' | 'except' | 'when' | 'until';
  /** Whether this part lets the rule apply: false if `except` holds. */
  readonly truth: Truth;
}

export function partTruths(
  { match, except, when, until }: RuleParts,
  view: CallView | CapabilityView,
): readonly PartTruth[] {
  const known = 'capability' in view ? view.capability : null;
  const capability: Capability = known ?? { name: 'tool.call' };
  return [
    ...(until === null ? [] : [{ part: 'until' as const, truth: view.now < until }]),
    ...(match === null ? [] : [{ part: 'match' as const, truth: matches(match, capability) }]),
    ...(except === null ? [] : [{ part: 'except' as const, truth: negation(matches(except, capability)) }]),
    ...(when === null
      ? []
      : [{ part: 'when' as const, truth: evaluate(when.expression, seenBy(view, known)).condition }]),
  ];
}

export function seenBy(call: CallView, capability: Capability | null): Json {
  const { args, tool, toolset, worker, chain, context } = call;
  return capability === null
    ? { args, tool, toolset, worker, chain, context }
    : { capability, args, tool, toolset, worker, chain, context };
}

/** Decides a condition as the plain evaluation does, quicker for usual conditions. */
export function compileWhen(expression: Expression) {
  const quick = quickTruth(expression);
  return (capability: Capability | null, { request }: { readonly request: CallView }): Truth =>
    quick(capability, request) ?? evaluate(expression, seenBy(request, capability)).condition;
}
