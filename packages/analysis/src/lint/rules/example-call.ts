import { type Capability, createRequest, type Json, type NonEmpty, type Request } from '@ambit/core';
import type { WrittenNamedRule } from '@ambit/policy';
import { withValue } from '../../changes/call-value.js';
import { samplesOf } from '../../changes/sample.js';
import { valuesIn } from '../../changes/values-in-condition.js';

/** What a call to look for is made from. */
export interface CallSketch {
  readonly tool: string;
  readonly chain: NonEmpty<string>;
  /** The capability that it carries, before facts are put in. */
  readonly capability: Capability;
  /** Whose conditions say what is worth trying. */
  readonly rules: readonly WrittenNamedRule[];
  readonly now: number;
  /** Shared by all that look for calls. */
  readonly budget: Budget;
}

/** How many calls may still be tried. */
export interface Budget {
  left: number;
}

const mostCalls = 300;

/** A call of which something holds, made from what conditions turn on; null where none of those that were tried is one. */
export function findCall(sketch: CallSketch, holds: (request: Request) => boolean): Request | null {
  const { tool, chain, capability, now, budget } = sketch;
  if (budget.left <= 0) return null;
  const bare = createRequest({
    tool,
    chain,
    args: {},
    capabilities: [capability],
    context: {},
    history: [],
    now,
  });
  let requests: readonly Request[] = [bare];
  for (const [key, values] of choicesIn(sketch.rules)) {
    const next = [...values].flatMap((value) =>
      requests.map((request) => withValue(request, { key, value, capability: 0 }) ?? request),
    );
    if (next.length > mostCalls) break;
    requests = next;
  }
  return (
    requests.find((request) => {
      budget.left -= 1;
      return budget.left >= 0 && holds(request);
    }) ?? null
  );
}

function choicesIn(rules: readonly WrittenNamedRule[]): ReadonlyMap<string, ReadonlySet<Json | undefined>> {
  const choices = new Map<string, Set<Json | undefined>>();
  const add = (key: string, value: Json | undefined) =>
    choices.set(key, (choices.get(key) ?? new Set()).add(value));
  for (const { match, when } of rules) {
    for (const letter of ['x', 'y'])
      for (const { fact, value } of samplesOf(match, letter)) add(`capability.${fact}`, value);
    if (when !== null) for (const { key, value } of valuesIn(when.expression)) add(key, value);
  }
  return choices;
}
