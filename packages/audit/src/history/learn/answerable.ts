import {
  type CallDecision,
  type Capability,
  createdPrefix,
  fileSetOf,
  isWithin,
  type Judgement,
  membersOf,
  nonCanonicalFacts,
  vocabulary,
} from '@ambit/core';
import { hasMask } from '../../log/manifests/masked-keys.js';
import type { PastCall } from './past-calls.js';
import type { Asked } from './proposed-rule.js';

/** Why no rule is proposed that would have answered a call. */
export type Obstacle =
  /** The policies no longer ask about it. */
  | 'not_asked'
  | 'blocked_now'
  /** A rule asks, which a permission cannot loosen. */
  | 'asked_by_rule'
  /** A worker file, or a program, asks. */
  | 'asked_by_worker'
  /** The default of a policy that is not the one to be edited. */
  | 'asked_elsewhere'
  | 'wants_person'
  /** It carries a capability that is never learned: `proc.exec.opaque`, `code`, `sys`. */
  | 'never_permitted'
  /** It is about a well-known secret. */
  | 'secret'
  | 'masked'
  | 'created_worker'
  /** A fact is unknown, so there is no value to fix. */
  | 'facts_unknown'
  /** A rule for it would permit a call that a person refused. */
  | 'refused_too'
  /** The rules that would have answered it were dropped. */
  | 'dropped';

export interface Hindrance {
  readonly obstacle: Obstacle;
  /** The rule, the policy or the capability that it is about. */
  readonly about: string | null;
}

/** The questions that permissions must answer for a call, or the reason why they cannot. */
type Answerable = { readonly questions: readonly Asked[] } | Hindrance;

/** Looks at an approved call as it is judged now. `target` is the name of the policy that is to be edited. */
export function answerable(call: PastCall, decision: CallDecision, target: string): Answerable {
  const said = [...decision.judgements, ...call.others];
  if (decision.decision === 'blocked') return { obstacle: 'blocked_now', about: null };
  const open = said.filter(isOpen);
  if (open.length === 0) return { obstacle: 'not_asked', about: null };
  const never = decision.capabilities.find(({ name }) => neverPermitted.some((one) => isWithin(name, one)));
  if (never !== undefined) return { obstacle: 'never_permitted', about: never.name };
  if (call.wantedPerson || open.some(({ answer }) => answer === 'person'))
    return { obstacle: 'wants_person', about: rulesThatAsk(open)[0] ?? null };
  if (call.request.worker.startsWith(createdPrefix))
    return { obstacle: 'created_worker', about: call.request.worker };
  const hindrance = open.map((judgement) => hindranceOf(judgement, call, target)).find((one) => one !== null);
  if (hindrance !== undefined && hindrance !== null) return hindrance;
  const asked = open.map(({ capability }) => decision.capabilities[capability] as Capability);
  const unknown = asked.find(isUnknown);
  if (asked.some((capability) => hasMask(capability))) return { obstacle: 'masked', about: null };
  if (unknown !== undefined) return { obstacle: 'facts_unknown', about: unknown.name };
  return { questions: asked.flatMap((capability) => askedOf(call, capability)) };
}

/**
 * The questions of a call that must stay strict and that permissions in the target could answer; null if
 * something else keeps it strict.
 */
export function exposed(call: PastCall, decision: CallDecision, target: string): readonly Asked[] | null {
  if (decision.decision !== 'needs_approval') return null;
  const open = [...decision.judgements, ...call.others].filter(isOpen);
  if (open.some((judgement) => hindranceOf(judgement, call, target) !== null)) return null;
  return open.flatMap(({ capability }) => askedOf(call, decision.capabilities[capability] as Capability));
}

/** Names whose calls are never learnt from; with all that is under them. */
const neverPermitted: readonly string[] = ['proc.exec.opaque', 'code', 'sys', 'secret'];

export function carriesNeverPermitted(call: PastCall): boolean {
  return call.request.capabilities.some(({ name }) => neverPermitted.some((one) => isWithin(name, one)));
}

/** A file set is asked about member by member; an open one has unknown members. */
function askedOf({ request }: PastCall, capability: Capability): readonly Asked[] {
  const { worker, tool } = request;
  const path = Object.hasOwn(capability, 'path') ? capability.path : undefined;
  const set = path === undefined ? null : fileSetOf(path);
  const members = set === null || set.open === true ? [capability] : membersOf(capability);
  return members.map((member) => ({ worker, tool, capability: member }));
}

function isOpen({ decision, answered_by }: Judgement): boolean {
  return decision === 'needs_approval' && answered_by === null;
}

/** Only a default gives way to a permission. */
function hindranceOf(judgement: Judgement, call: PastCall, target: string): Hindrance | null {
  const [rule] = rulesThatAsk([judgement]);
  if (call.others.includes(judgement)) return { obstacle: 'asked_by_worker', about: judgement.policy };
  if (rule !== undefined) return { obstacle: 'asked_by_rule', about: rule };
  return judgement.policy === target ? null : { obstacle: 'asked_elsewhere', about: judgement.policy };
}

function rulesThatAsk(judgements: readonly Judgement[]): readonly string[] {
  return judgements.flatMap(({ rules, undecided }) =>
    [...rules, ...undecided]
      .filter(({ decision }) => decision === 'needs_approval')
      .map(({ id, at }) => `${id} (${at})`),
  );
}

/** A shared capability without a fact to fix except `by`, or with a fact that is not canonical. */
function isUnknown(capability: Capability): boolean {
  if (nonCanonicalFacts(capability).length > 0) return true;
  const known = vocabulary.find(({ name }) => name === capability.name);
  const said =
    known === undefined
      ? []
      : Object.keys(known.facts).filter((fact) => fact !== 'by' && Object.hasOwn(capability, fact));
  return known !== undefined && said.length === 0;
}
