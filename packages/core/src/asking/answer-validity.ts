import type { Keeping } from '../decide/grant.js';
import type { CallDecision, Judgement } from '../decide/judgement.js';
import { remembers } from '../decide/policy.js';
import { reaches } from '../decide/reach.js';
import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import { equalJson, type Json } from '../words/json.js';
import type { Question } from './question.js';

export interface Answered {
  /** Their ids in the log: one for each part of the question. */
  readonly approvals: NonEmpty<string>;
  readonly shown: NonEmpty<Capability>;
  readonly questions: readonly Judgement[];
  /** Whether the person edited the model's arguments. */
  readonly edited: boolean;
}

/** Whether an answer still applies: the call carries and asks nothing new. */
export function stillHolds(
  answered: Answered | null,
  now: { readonly decision: CallDecision; readonly questions: readonly Judgement[] },
): boolean {
  if (answered === null) return false;
  const { capabilities } = now.decision;
  const isShown = (capability: Capability) =>
    answered.shown.some((shown) => isSameFor(answered, capability, shown));
  return (
    capabilities.every(isShown) &&
    now.questions.every((question) => isAnswered(answered, question, capabilities))
  );
}

/** Whether this question about one of these capabilities was answered. */
export function isAnswered(
  answered: Answered,
  question: Judgement,
  capabilities: readonly Capability[],
): boolean {
  return answered.questions.some((asked) => {
    const [capability, shown] = [capabilities[question.capability], answered.shown[asked.capability]];
    return (
      capability !== undefined &&
      shown !== undefined &&
      isSameFor(answered, capability, shown) &&
      question.policy === asked.policy &&
      question.answer === asked.answer &&
      sameRules(question, asked)
    );
  });
}

/** Joins the approvals of earlier parts. */
export function withPartsBefore(
  before: Answered | null,
  { approvals, shown, questions }: Answered,
): Answered {
  if (before === null) return { approvals, shown, questions, edited: false };
  const moved = questions.map((question) => ({
    ...question,
    capability: question.capability + before.shown.length,
  }));
  return {
    approvals: [...before.approvals, ...approvals],
    shown: [...before.shown, ...shown],
    questions: [...before.questions, ...moved],
    edited: false,
  };
}

/** Limited to what every asking policy admits. */
export function narrow(wanted: Keeping | undefined, most: Question['keep']): Keeping | null {
  if (wanted === undefined || most === null) return null;
  const remember =
    remembers.indexOf(wanted.remember) < remembers.indexOf(most.remember) ? wanted.remember : most.remember;
  const reach = reaches.indexOf(wanted.reach) < reaches.indexOf(most.reach) ? wanted.reach : most.reach;
  return { remember, reach, ...(wanted.until === undefined ? {} : { until: wanted.until }) };
}

/** After an edit, only `bytes` may differ. */
function isSameFor({ edited }: Answered, capability: Capability, shown: Capability): boolean {
  return equalJson(capability, shown) || (edited && equalJson(withoutBytes(capability), withoutBytes(shown)));
}

function withoutBytes(capability: Capability): Json {
  return Object.fromEntries(Object.entries(capability).filter(([fact]) => fact !== 'bytes'));
}

function sameRules(one: Judgement, other: Judgement): boolean {
  const ids = ({ rules, undecided }: Judgement) => [...rules, ...undecided].map((rule) => rule.id);
  return equalJson(ids(one), ids(other));
}
