import {
  type CallDecision,
  type Capability,
  createdPrefix,
  fileSetOf,
  isNonEmpty,
  isOpenQuestion,
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
  | 'secret'
  | 'masked'
  | 'created_worker'
  /** A fact is unknown, so there is no value to fix. */
  | 'facts_unknown'
  /** It asks about files in too many folders for a few rules. */
  | 'too_many'
  /** A rule for it would permit a call that a person refused. */
  | 'refused_too'
  | 'dropped';

export interface Hindrance {
  readonly obstacle: Obstacle;
  /** The rule, the policy or the capability that it is about. */
  readonly about: string | null;
}

/** The questions that permissions must answer for a call, or the reason why they cannot. */
type Answerable = { readonly questions: readonly Asked[] } | Hindrance;

/** The current policies, under which calls are judged again. */
export interface Current {
  /** The name of the policy to edit. */
  readonly target: string;
  /** Judges a call under them. */
  readonly judged: (call: PastCall) => CallDecision;
}

/** Looks at an approved call as it is judged now. */
export function answerable(call: PastCall, decision: CallDecision, current: Current): Answerable {
  if (decision.decision === 'blocked') return { obstacle: 'blocked_now', about: null };
  const open = [...decision.judgements, ...call.others].filter(isOpenQuestion);
  if (open.length === 0) return { obstacle: 'not_asked', about: null };
  const never = decision.capabilities.find(({ name }) => neverPermitted.some((one) => isWithin(name, one)));
  if (never !== undefined) return { obstacle: 'never_permitted', about: never.name };
  if (call.wantedPerson || open.some(({ answer }) => answer === 'person'))
    return { obstacle: 'wants_person', about: rulesThatAsk(open)[0] ?? null };
  if (call.request.worker.startsWith(createdPrefix))
    return { obstacle: 'created_worker', about: call.request.worker };
  const hindrance = open
    .map((judgement) => hindranceOf(judgement, call, current.target))
    .find((one) => one !== null);
  if (hindrance) return hindrance;
  const asked = open.map(({ capability }) => decision.capabilities[capability] as Capability);
  const unknown = asked.find(isUnknown);
  if (asked.some((capability) => hasMask(capability))) return { obstacle: 'masked', about: null };
  if (unknown !== undefined) return { obstacle: 'facts_unknown', about: unknown.name };
  return { questions: open.flatMap((judgement) => askedOf(call, judgement, { decision, current })) };
}

/** The questions of a call that permissions in the target could answer; null if something else also asks. */
export function exposed(call: PastCall, decision: CallDecision, current: Current): readonly Asked[] | null {
  if (decision.decision !== 'needs_approval') return null;
  const open = [...decision.judgements, ...call.others].filter(isOpenQuestion);
  if (open.some((judgement) => hindranceOf(judgement, call, current.target) !== null)) return null;
  return open.flatMap((judgement) => askedOf(call, judgement, { decision, current }));
}

/** Names whose calls are never learnt from; with all that is under them. */
const neverPermitted: readonly string[] = ['proc.exec.opaque', 'code', 'sys', 'secret'];

export function carriesNeverPermitted(call: PastCall): boolean {
  return call.request.capabilities.some(({ name }) => neverPermitted.some((one) => isWithin(name, one)));
}

/** A file set is asked about member by member; an open one has unknown members, so it stays whole. */
function askedOf(
  call: PastCall,
  { capability: index, member }: Judgement,
  { decision, current }: { readonly decision: CallDecision; readonly current: Current },
): readonly Asked[] {
  const { worker, tool } = call.request;
  const capability = decision.capabilities[index] as Capability;
  const path = Object.hasOwn(capability, 'path') ? capability.path : undefined;
  const set = path === undefined ? null : fileSetOf(path);
  if (set === null || set.open === true) return [{ worker, tool, capability }];
  const members = membersOf(capability);
  const asking =
    member === undefined || member.count === member.of
      ? members
      : askingOf(members, { call, index, decision, current });
  return asking.map((each) => ({ worker, tool, capability: each }));
}

interface AskedSet {
  readonly call: PastCall;
  readonly index: number;
  readonly decision: CallDecision;
  readonly current: Current;
}

/** Finds the members that ask by judging the call with ever smaller parts of the set. */
function askingOf(members: readonly Capability[], of: AskedSet): readonly Capability[] {
  const { call, index, decision, current } = of;
  const [first] = members;
  if (first === undefined) return [];
  const part: Capability = { ...first, path: { paths: members.map(({ path }) => path as string) } };
  const capabilities = decision.capabilities.map((each, at) => (at === index ? part : each));
  if (!isNonEmpty(capabilities)) return [];
  const { judgements } = current.judged({ ...call, request: { ...call.request, capabilities } });
  const open = judgements.filter((judgement) => judgement.capability === index && isOpenQuestion(judgement));
  if (open.length === 0) return [];
  const isAll = open.some(({ member }) => member === undefined || member.count === member.of);
  if (isAll || members.length === 1) return members;
  const half = Math.ceil(members.length / 2);
  return [...askingOf(members.slice(0, half), of), ...askingOf(members.slice(half), of)];
}

/** A permission replaces only a default. */
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
  if (known === undefined) return false;
  return !Object.keys(known.facts).some((fact) => fact !== 'by' && Object.hasOwn(capability, fact));
}
