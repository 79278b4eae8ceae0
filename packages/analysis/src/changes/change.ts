import {
  type Capability,
  type Decision,
  isUnknownMember,
  type Json,
  type JsonObject,
  type NonEmpty,
  type Policy,
  type Request,
  type Rule,
} from '@ambit/core';
import { quote } from '@ambit/policy/internal';
import { withValueAt } from '../exact/formula/variable.js';
import { ruleInWords } from '../exact/rule-words.js';

/** A single change, and the decision after it. */
export type Change = CallChange | PolicyChange;

export interface CallChange {
  readonly of: 'call';
  readonly what: 'fact' | 'argument' | 'context' | 'worker' | 'chain';
  /** The index of the capability, for a fact. */
  readonly capability: number | null;
  /** `path`; `a.b` for deeper values. */
  readonly key: string;
  readonly missing: boolean;
  /** Null if it is missing. */
  readonly value: Json;
  /** The pattern that covers the value; null for other values. */
  readonly covered_by: string | null;
  readonly decision: Decision;
}

/** A rule that is missing or says something else. */
export interface PolicyChange {
  readonly of: 'policy';
  readonly what: 'without_rule' | 'other_decision';
  readonly policy: string;
  readonly id: string;
  /** `file:line:column` */
  readonly at: string;
  /** Null if the rule is removed. */
  readonly says: Decision | null;
  readonly decision: Decision;
}

/** The call with a change that was not tried yet. */
export function changedCall(
  { what, key, capability, missing, value }: Omit<CallChange, 'decision'>,
  request: Request,
): Request {
  if (what === 'worker') {
    const worker = value as string;
    return {
      ...request,
      worker,
      chain: [...request.chain.slice(0, -1), worker] as unknown as NonEmpty<string>,
    };
  }
  if (what === 'chain') return { ...request, chain: [request.worker] };
  const put = (of: JsonObject) => withValueAt(of, key.split('.'), missing ? undefined : value);
  if (what === 'argument') return { ...request, args: put(request.args) };
  if (what === 'context') return { ...request, context: put(request.context) };
  const capabilities = request.capabilities.map((each, index) => (index === capability ? put(each) : each));
  return { ...request, capabilities: capabilities as unknown as Request['capabilities'] };
}

/** The policies with a change that was not tried yet. */
export function changedPolicies(
  { policy: name, id, at, says }: Omit<PolicyChange, 'decision'>,
  policies: NonEmpty<Policy>,
): NonEmpty<Policy> {
  const changed = (rule: Rule): readonly Rule[] => {
    if (rule.id !== id || rule.at !== at) return [rule];
    if (says === null) return [];
    if (rule.about !== 'combination') return [{ ...rule, decision: says }];
    return says === 'pre_approved' ? [rule] : [{ ...rule, decision: says }];
  };
  return policies.map((policy) =>
    policy.name === name ? { ...policy, rules: policy.rules.flatMap(changed) } : policy,
  ) as unknown as NonEmpty<Policy>;
}

/** For a person; escaped. */
export function formatChanges(changes: readonly Change[], capabilities: readonly Capability[]): string {
  if (changes.length === 0) return 'found no single change that would alter this decision';
  return [
    'changes that would each alter this decision',
    ...changes.map((change) => `  ${conditionOf(change, capabilities)}: ${change.decision}`),
  ].join('\n');
}

/** `if path were /w/out/x, which /w/out/** covers` */
function conditionOf(change: Change, capabilities: readonly Capability[]): string {
  if (change.of === 'policy') {
    const rule = `the rule ${ruleInWords(change)}`;
    return change.says === null ? `without ${rule}` : `if ${rule} said ${change.says}`;
  }
  const value = valueInWords(change.value);
  if (change.what === 'worker') return `if the acting worker were ${value}`;
  if (change.what === 'chain') return `if ${value} acted for nobody else`;
  const what = `${subjects[change.what]}${quote(change.key)}${ofCapability(change.capability, capabilities)}`;
  if (change.missing) return `without ${what}`;
  const cover = change.covered_by === null ? '' : `, which ${quote(change.covered_by)} covers`;
  return `if ${what} were ${value}${cover}`;
}

/** An open set is what no person types. */
function valueInWords(value: Json): string {
  if (!isUnknownMember(value)) return quote(typeof value === 'string' ? value : JSON.stringify(value));
  const below = value.under === undefined ? '' : ` below ${quote(value.under)}`;
  return `files${below} that are not known before the call runs`;
}

const subjects = { fact: '', argument: 'the argument ', context: 'the context’s ' } as const;

function ofCapability(index: number | null, capabilities: readonly Capability[]): string {
  const capability = index === null ? undefined : capabilities[index];
  return capability === undefined || capabilities.length === 1
    ? ''
    : ` of ${capability.name} (${(index ?? 0) + 1})`;
}
