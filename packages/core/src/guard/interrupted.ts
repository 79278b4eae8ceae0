import { type Answered, withPartsBefore } from '../asking/answer-validity.js';
import type { Attempt } from '../asking/asked-call.js';
import { type EarlierAnswers, type GivenAnswer, givenAnswer } from '../asking/memory.js';
import type { ApprovalEvent, Question } from '../asking/question.js';
import type { SameCall } from '../asking/refused-calls.js';
import type { KeptAnswer } from '../decide/grant.js';
import { type CallDecision, judgedBy } from '../decide/judgement.js';
import type { Capability } from '../words/capability.js';
import { isNonEmpty } from '../words/decision.js';
import { isJsonObject, type JsonObject, objectOf } from '../words/json.js';
import type { DecisionEvent, LogEvent } from './log.js';

export interface Interrupted extends Pick<Attempt, 'recorded' | 'timesAsked' | 'answered' | 'isUnknown'> {
  readonly edited: JsonObject | null;
  readonly replaced: SameCall | null;
  /** Only the outcome is missing from the log. */
  readonly refused: { readonly code: 'denied' | 'unanswered'; readonly why: string } | null;
}

/** The state of an interrupted run, for `RunOptions.earlier`. */
export interface EarlierRun extends EarlierAnswers {
  readonly history: readonly Capability[];
}

/** Reads one call from its events in order. An answer is used up once the call has begun to execute. */
export function interruptedCall(events: readonly LogEvent[], isUnknown: boolean): Interrupted {
  let call: Interrupted = {
    recorded: null,
    timesAsked: 0,
    answered: null,
    edited: null,
    replaced: null,
    refused: null,
    isUnknown,
  };
  let latest: DecisionEvent | null = null;
  for (const event of events) {
    if (event.event === 'decision') {
      latest = event;
      call = { ...call, recorded: decisionIn(event) };
    }
    if (event.event !== 'approval' || event.question === null) continue;
    call = { ...call, timesAsked: call.timesAsked + 1, ...answeredBy(event, call, latest) };
  }
  return isUnknown ? { ...call, answered: null } : call;
}

function answeredBy(
  event: ApprovalEvent,
  { edited, replaced, answered: before }: Interrupted,
  latest: DecisionEvent | null,
): Partial<Interrupted> {
  if (!event.approved) {
    const { who, note } = event;
    const person = wordIn(who, 'person');
    const said = note === null || note === '' ? '' : `: ${note}`;
    return person === null
      ? { answered: null, refused: { code: 'unanswered', why: note ?? 'no answer' } }
      : { answered: null, refused: { code: 'denied', why: `${person} refused this call${said}` } };
  }
  const answered = answeredIn(event, before);
  if (!event.edited || event.args === undefined || !isJsonObject(event.args)) return { answered };
  const model = latest === null || !isJsonObject(latest.args) ? null : sameCallIn(latest, latest.args);
  return { answered, edited: event.args, replaced: edited === null ? model : replaced };
}

/** Reads a run from all its events in order. */
export function earlierRun(events: readonly LogEvent[]): EarlierRun {
  const latest = new Map<string, DecisionEvent>();
  const history: Capability[] = [];
  const kept: KeptAnswer[] = [];
  const refused: EarlierRun['refused'][number][] = [];
  const answers: GivenAnswer[] = [];
  // The model's arguments by call, if a person edited them.
  const replaced = new Map<string, SameCall>();
  for (const event of events) {
    if (event.event === 'decision') {
      latest.set(event.call, event);
      // This may add to what was permitted, which never loosens.
      if (event.decision === 'pre_approved' && event.code === undefined) history.push(...event.capabilities);
    }
    if (event.event !== 'approval') continue;
    const decision = latest.get(event.call);
    if (decision === undefined || decision.decision === null) continue;
    if (event.approved && decision.decision === 'needs_approval') history.push(...decision.capabilities);
    const answer = keptIn(event, decision);
    if (answer !== null) kept.push(answer);
    const person = wordIn(event.who, 'person');
    if (person !== null && event.question !== null)
      answers.push(givenAnswer(event.question, { ...event, person, at: event.now }));
    if (person === null || event.question === null || !isJsonObject(decision.args)) continue;
    const call = sameCallIn(decision, decision.args);
    const model = replaced.get(event.call);
    if (event.approved) {
      if (event.edited && model === undefined) replaced.set(event.call, call);
      continue;
    }
    const { note, ask_again: askAgain = false } = event;
    for (const each of model === undefined ? [call] : [call, model])
      refused.push({ ...each, person, note, askAgain });
  }
  return { history, kept, refused, answers };
}

function keptIn({ keep, who, question }: ApprovalEvent, event: DecisionEvent): KeptAnswer | null {
  const [person, approval] = [wordIn(who, 'person'), wordIn(who, 'approval')];
  if (keep === null || question === null || person === null || approval === null) return null;
  const [shown, policies] = [shownIn(question), event.decision === null ? [] : judgedBy(event)];
  const { chain, tool } = event;
  return { source: 'kept', approval, person, chain, tool, args: question.args, shown, policies, ...keep };
}

function answeredIn({ who, question, edited }: ApprovalEvent, before: Answered | null): Answered | null {
  const approval = wordIn(who, 'approval');
  if (approval === null || question === null) return null;
  const shown = shownIn(question);
  if (!isNonEmpty(shown)) return null;
  const answered = { approvals: [approval], shown, questions: question.asked_by, edited } as const;
  return !edited && (question.part?.number ?? 1) > 1 ? withPartsBefore(before, answered) : answered;
}

function shownIn({ capabilities }: Question): readonly Capability[] {
  return capabilities.map(({ capability }) => capability);
}

function sameCallIn({ chain, tool, ...event }: DecisionEvent, args: JsonObject): SameCall {
  return { chain, tool, args, capabilities: event.decision === null ? [] : event.capabilities };
}

function decisionIn(event: DecisionEvent): CallDecision | null {
  if (event.decision === null) return null;
  const { decision, capabilities, judgements, reason, instead } = event;
  return { decision, capabilities, judgements, reason, instead };
}

function wordIn(who: ApprovalEvent['who'], key: 'person' | 'approval'): string | null {
  const word = objectOf(who)[key];
  return typeof word === 'string' ? word : null;
}
