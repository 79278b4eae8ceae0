import type { Capability } from '../words/capability.js';
import type { Decision, NonEmpty } from '../words/decision.js';
import { toolsetOf } from '../words/name.js';
import { always } from './condition.js';
import type { Reach } from './reach.js';
import { type AnswerableBy, type CapabilityRule, isRestriction, type Rule } from './rule.js';

/** Rules and a default, from one file. Several judge a call together. */
export interface Policy {
  /** Unique in a run. */
  readonly name: string;
  readonly default: { readonly decision: Decision; readonly answer: AnswerableBy };
  /** In the order of the file. The order decides nothing. */
  readonly rules: readonly Rule[];
  readonly carries: readonly Carried[];
  readonly admits: Admission;
}

export interface Carried {
  /** `toolset.tool`, or `toolset.*`. */
  readonly tool: string;
  readonly capability: Capability;
  /** `file:line:column`, if it is from a file. */
  readonly at?: string;
}

export const remembers = ['call', 'run', 'always'] as const;
export type Remember = (typeof remembers)[number];

export interface Admission {
  /** All, none, or those for these tools (full names). */
  readonly workers: boolean | readonly string[];
  readonly remember: Remember;
  readonly reach: Reach;
  /** Whether the mode `approve_all` counts as an answer. */
  readonly unattended: boolean;
}

export const defaultAdmission: Admission = Object.freeze({
  workers: false,
  remember: 'run',
  reach: 'folder',
  unattended: true,
});

/** Whether a `tools:` or `carries:` key, `toolset.tool` or `toolset.*`, names this tool. */
export function namesTool(key: string, tool: string): boolean {
  return key === tool || key === `${toolsetOf(tool)}.*`;
}

/** The capabilities that a policy adds to the calls of this tool. */
export function carriedCapabilities(
  { carries }: Pick<Policy, 'carries'>,
  tool: string,
): readonly Capability[] {
  return carries.filter((carried) => namesTool(carried.tool, tool)).map(({ capability }) => capability);
}

/** What a rule of a program has besides its subject and its decision: it is about every call of every worker. */
export const plainRule = Object.freeze({
  answer: 'any',
  reason: null,
  instead: null,
  worker: null,
  inherit: true,
  observe: false,
  condition: always,
} as const);

/** A policy that says nothing about other calls. */
export function silentPolicy(name: string, rules: readonly Rule[]): Policy {
  return Object.freeze({
    name,
    default: Object.freeze({ decision: 'pre_approved', answer: 'any' }),
    rules: Object.freeze(rules),
    carries: Object.freeze([]),
    admits: defaultAdmission,
  });
}

const guardRule: CapabilityRule = Object.freeze({
  ...plainRule,
  about: 'capability',
  name: 'sys.guard',
  below: false,
  id: 'sys.guard',
  at: 'built-in',
  decision: 'blocked',
  reason: 'what judges, answers or records a run is not changed from within it',
  instead: 'leave out what is guarded, or ask the person who started the run to make the change',
});

/** The first layer of every decision: blocks `sys.guard` and decides nothing else. */
export const builtIn: Policy = Object.freeze({
  ...silentPolicy('built-in', [guardRule]),
  admits: Object.freeze({ workers: false, remember: 'call', reach: 'call', unattended: false }),
});

/** Whether every policy has `default: pre_approved`. Such a set must be requested by name. */
export function isOpen(policies: NonEmpty<Policy>): boolean {
  return policies.every((policy) => policy.default.decision === 'pre_approved');
}

export const policies = {
  /** Permits everything except `sys.guard`. For tests and harmless experiments. */
  allowAll: (): Policy => allowAll,
};

const allowAll = silentPolicy('allow-all', []);

/** Whether it is only `policies.allowAll()`; a file of that name does not count. */
export function isAskedFor(given: NonEmpty<Policy>): boolean {
  return given.every((policy) => policy === allowAll);
}

/** The capability that stands for everything unknown about a program. */
export const opaque = 'proc.exec.opaque';

/** Whether a capability stands for what is unknown about a program. */
export function isOpaque(name: string): boolean {
  return name === opaque || name.startsWith(`${opaque}.`);
}

/** The implied rule of a permissive policy that restricts something: an opaque program could do that. */
export const impliedRule: CapabilityRule = Object.freeze({
  ...plainRule,
  about: 'capability',
  name: opaque,
  below: false,
  id: 'implied.proc.exec.opaque',
  at: 'implied',
  decision: 'needs_approval',
  reason: 'what this program does is unknown, and it could do what this policy restricts',
});

/** Whether a policy judges opaque programs by the implied rule. */
export function impliesOpacity(policy: Policy): boolean {
  if (policy === builtIn || policy.default.decision !== 'pre_approved') return false;
  const heard = policy.rules.filter((rule) => !rule.observe);
  return heard.some(isRestriction) && !heard.some(decidesOpacity);
}

/** Its rules and the implied one. */
export function rulesOf(policy: Policy): readonly Rule[] {
  return impliesOpacity(policy) ? [...policy.rules, impliedRule] : policy.rules;
}

/** A rule for one worker says nothing about the programs of others. */
export function decidesOpacity(rule: Pick<Rule, 'about' | 'worker'> & { readonly name?: unknown }): boolean {
  return rule.about === 'capability' && rule.name === opaque && rule.worker === null;
}
