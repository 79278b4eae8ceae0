import {
  type Capability,
  createdPrefix,
  decidingRules,
  fileSetOf,
  isOpenQuestion,
  isWithin,
  type Judgement,
  membersOf,
  type NonEmpty,
  nonCanonicalFacts,
  vocabulary,
} from '@ambit/core';
import { hasMask } from '../../log/manifests/masked-keys.js';
import type { Current, Hindrance, JudgedCall } from './learning.js';
import { judgedBare, type PastCall } from './past-calls.js';
import type { Asked } from './proposed-rule.js';

/** The questions that permissions must answer for a call, or the reason why they cannot. */
type Answerable = { readonly questions: readonly Asked[] } | Hindrance;

/** Looks at an approved call as it is judged now. */
export function answerable(judged: JudgedCall, current: Current): Answerable {
  const { call, decision } = judged;
  if (decision.decision === 'blocked') return { obstacle: 'blocked_now', about: null };
  const open = openQuestions(judged);
  if (open.length === 0) return { obstacle: 'not_asked', about: null };
  const never = neverLearnt(decision.capabilities);
  if (never !== undefined) return { obstacle: 'never_permitted', about: never.name };
  if (call.wantedPerson || open.some(({ answer }) => answer === 'person'))
    return { obstacle: 'wants_person', about: rulesThatAsk(open)[0] ?? null };
  if (call.request.worker.startsWith(createdPrefix))
    return { obstacle: 'created_worker', about: call.request.worker };
  const hindrance = open.map((each) => hindranceOf(each, call, current)).find((one) => one !== null);
  if (hindrance) return hindrance;
  const asked = open.map(({ capability }) => decision.capabilities[capability] as Capability);
  const unknown = asked.find(isUnknown);
  if (asked.some((capability) => hasMask(capability))) return { obstacle: 'masked', about: null };
  if (unknown !== undefined) return { obstacle: 'facts_unknown', about: unknown.name };
  return { questions: open.flatMap((judgement) => askedOf(judged, judgement, current)) };
}

/** The questions of a call that permissions in the target could answer; null if something else also asks. */
export function exposed(judged: JudgedCall, current: Current): readonly Asked[] | null {
  if (judged.decision.decision !== 'needs_approval') return null;
  const open = openQuestions(judged);
  if (open.some((judgement) => hindranceOf(judgement, judged.call, current) !== null)) return null;
  return open.flatMap((judgement) => askedOf(judged, judgement, current));
}

function openQuestions({ call, decision }: JudgedCall): readonly Judgement[] {
  return [...decision.judgements, ...call.others].filter(isOpenQuestion);
}

/** Names whose calls are never learnt from; with all that is under them. */
const neverPermitted: readonly string[] = ['proc.exec.opaque', 'code', 'sys', 'secret'];

export function neverLearnt(capabilities: readonly Capability[]): Capability | undefined {
  return capabilities.find(({ name }) => neverPermitted.some((one) => isWithin(name, one)));
}

/** A file set is asked about member by member; an open one has unknown members, so it stays whole. */
function askedOf({ call, decision }: JudgedCall, judgement: Judgement, { base }: Current): readonly Asked[] {
  const { worker, tool } = call.request;
  const index = judgement.capability;
  const capability = decision.capabilities[index] as Capability;
  const path = Object.hasOwn(capability, 'path') ? capability.path : undefined;
  const set = path === undefined ? null : fileSetOf(path);
  if (set === null || set.open === true) return [{ worker, tool, capability }];
  const members = membersOf(capability);
  const asking = isAboutAll(judgement) ? members : askingOf(members);
  return asking.map((each) => ({ worker, tool, capability: each }));

  /** Finds the members that ask by judging the call with ever smaller parts of the set. */
  function askingOf(part: readonly Capability[]): readonly Capability[] {
    const [first] = part;
    if (first === undefined) return [];
    const paths = part.map((each) => each.path as string);
    const capabilities = decision.capabilities.map((each, at) =>
      at === index ? { ...first, path: { paths } } : each,
    ) as unknown as NonEmpty<Capability>;
    const { judgements } = judgedBare({ ...call, request: { ...call.request, capabilities } }, base.judge);
    const open = judgements.filter((each) => each.capability === index && isOpenQuestion(each));
    if (open.length === 0) return [];
    if (part.length === 1 || open.some(isAboutAll)) return part;
    const half = Math.ceil(part.length / 2);
    return [...askingOf(part.slice(0, half)), ...askingOf(part.slice(half))];
  }
}

function isAboutAll({ member }: Judgement): boolean {
  return member === undefined || member.count === member.of;
}

/** A permission replaces only a default. */
function hindranceOf(judgement: Judgement, call: PastCall, { options }: Current): Hindrance | null {
  const [rule] = rulesThatAsk([judgement]);
  if (call.others.includes(judgement)) return { obstacle: 'asked_by_worker', about: judgement.policy };
  if (rule !== undefined) return { obstacle: 'asked_by_rule', about: rule };
  return judgement.policy === options.target
    ? null
    : { obstacle: 'asked_elsewhere', about: judgement.policy };
}

function rulesThatAsk(open: readonly Judgement[]): readonly string[] {
  return open.flatMap(decidingRules).map(({ id, at }) => `${id} (${at})`);
}

/** A shared capability without a fact to fix except `by`, or with a fact that is not canonical. */
function isUnknown(capability: Capability): boolean {
  if (nonCanonicalFacts(capability).length > 0) return true;
  const known = vocabulary.find(({ name }) => name === capability.name);
  if (known === undefined) return false;
  return !Object.keys(known.facts).some((fact) => fact !== 'by' && Object.hasOwn(capability, fact));
}
