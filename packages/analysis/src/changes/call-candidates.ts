import { isWorkerName, type Json, type Request } from '@ambit/core';
import type { Match, Pattern, WrittenRule } from '@ambit/policy';
import { hear, patternText } from '@ambit/policy/internal';
import { valueAt } from './call-value.js';
import type { CallChange } from './change.js';
import { samplesOf } from './sample.js';
import { valuesIn } from './values-in-condition.js';

/** A change of a call that is worth trying. */
export type CallCandidate = Omit<CallChange, 'decision'>;

/** Changes of a call that may turn one of these rules on or off, each once: what most likely says something first. */
export function callCandidates(
  rules: readonly WrittenRule[],
  request: Request,
  most: number,
): readonly CallCandidate[] {
  const found = new Map<string, CallCandidate>();
  const add = (candidate: CallCandidate) => {
    const key = JSON.stringify([
      candidate.what,
      candidate.capability,
      candidate.key,
      candidate.missing,
      candidate.value,
    ]);
    if (found.size < most * 4 && !isAsItIs(candidate, request) && !found.has(key)) found.set(key, candidate);
  };
  const workers = new Set<string>();
  for (const rule of rules) {
    if (rule.observe) continue;
    for (const [index, capability] of request.capabilities.entries()) {
      if (hear(rule, capability.name, request) === null) continue;
      for (const candidate of candidatesOf(rule, index)) add(candidate);
      if (rule.worker !== null) workers.add(rule.worker);
    }
  }
  for (const worker of workers)
    if (isWorkerName(worker) && worker !== 'created') add(ofWorker('worker', worker));
  if (workers.size > 0 || rules.some(({ when }) => when !== null)) add(ofWorker('chain', request.worker));
  return [...found.values()].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, most);
}

function candidatesOf(rule: WrittenRule, capability: number): readonly CallCandidate[] {
  const parts = rule.about === 'combination' ? rule.members : [rule];
  const fromMatches = parts.flatMap(({ match, except }) => [
    ...ofMatch(match, capability),
    ...ofMatch(except, capability),
  ]);
  const fromCondition = rule.when === null ? [] : valuesIn(rule.when.expression);
  return [...fromMatches, ...fromCondition.flatMap((read) => ofKey(read.key, read.value, capability))];
}

function ofMatch(match: Match | null, capability: number): readonly CallCandidate[] {
  return (match ?? []).flatMap(({ fact, patterns }) => {
    const base = { of: 'call', what: 'fact', capability, key: fact, missing: false } as const;
    return [
      ...samplesOf([{ fact, patterns }]).map(({ value, pattern }) => ({
        ...base,
        value,
        covered_by: pattern.kind === 'glob' || pattern.kind === 'range' ? patternText(pattern) : null,
      })),
      ...patterns.slice(0, 1).map((pattern) => ({ ...base, value: besides(pattern), covered_by: null })),
      { ...base, missing: true, value: null, covered_by: null },
    ];
  });
}

/** A value of the same kind that the pattern most likely does not cover. */
function besides(pattern: Pattern): Json {
  switch (pattern.kind) {
    case 'glob':
      return { path: '/elsewhere/x', host: 'elsewhere.invalid', text: 'something else' }[pattern.glob.kind];
    case 'number':
      return pattern.value + 1;
    case 'range':
      return pattern.to === null ? (pattern.from ?? 0) - 1 : pattern.to + 1;
    case 'boolean':
      return !pattern.value;
  }
}

function ofKey(key: string, value: Json | undefined, capability: number): readonly CallCandidate[] {
  if (key === 'worker')
    return typeof value === 'string' && isWorkerName(value) ? [ofWorker('worker', value)] : [];
  const [root, ...path] = key.split('.');
  const what = ({ capability: 'fact', args: 'argument', context: 'context' } as const)[root ?? ''];
  if (what === undefined || path.length === 0 || path[0] === 'name') return [];
  const of = what === 'fact' ? capability : null;
  const rest = { key: path.join('.'), missing: value === undefined, value: value ?? null, covered_by: null };
  return [{ of: 'call', what, capability: of, ...rest }];
}

function ofWorker(what: 'worker' | 'chain', value: string): CallCandidate {
  return { of: 'call', what, capability: null, key: what, missing: false, value, covered_by: null };
}

function isAsItIs({ what, key, capability, missing, value }: CallCandidate, request: Request): boolean {
  if (what === 'worker') return value === request.worker;
  if (what === 'chain') return request.chain.length === 1;
  const root = { fact: 'capability', argument: 'args', context: 'context' }[what];
  const now = valueAt(request, `${root}.${key}`, capability ?? 0);
  return missing ? now === undefined : JSON.stringify(now) === JSON.stringify(value);
}

function rankOf({ what, covered_by: covered, missing }: CallCandidate): number {
  const order = ['fact', 'context', 'argument', 'worker', 'chain'].indexOf(what);
  return (covered === null ? 10 : 0) + (missing ? 5 : 0) + order;
}
