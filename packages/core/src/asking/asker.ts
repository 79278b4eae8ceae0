import type { CallDecision } from '../decide/decide.js';
import { policiesOf } from '../guard/authority.js';
import { type Attempt, haltOf, type Passage, sameCall } from '../guard/call-in-progress.js';
import { approvalEvent, record } from '../guard/record.js';
import { parseArguments } from '../tool/parse-arguments.js';
import { isNonEmpty } from '../words/decision.js';
import type { Json } from '../words/json.js';
import { type Answered, withPartsBefore } from './answer-validity.js';
import type { Reply } from './ask-approver.js';
import type { Asked, AskedPart } from './compose-question.js';
import { denied, refusedBefore } from './denial.js';
import type { Group, WaitingCall } from './equal-calls.js';
import { type Put, putQuestion } from './put-question.js';
import type { Answer } from './question.js';
import { isAnsweredPart, partsOf, type QuestionPart } from './question-parts.js';
import { plainRefusal, type Refusal, refusalOf, unrecorded } from './refusal.js';

type Next = Attempt | { readonly refusal: Refusal };

/**
 * Asks, records the answer, and returns the next attempt or a refusal. Identical calls share one question;
 * one is open at a time.
 */
export async function askAbout(passage: Passage, attempt: Attempt, asked: Asked): Promise<Next> {
  const { run } = passage.authority;
  const call = waiting(passage, attempt, asked);
  const group = run.equalCalls.join(call, run.arrivals);
  const kept = run.answersKept;
  try {
    await group.turn(call, run.options.whileWaiting ?? ((waiting) => waiting));
    const halt = haltOf(passage);
    if (halt !== null) return { refusal: { ...plainRefusal(halt.code), reason: halt.why } };
    const refusal = attempt.edited ? null : refusedBefore(passage, attempt.args, asked.decision);
    if (refusal !== null) return { refusal };
    // Once for each call, also if it is asked about again.
    if (!attempt.edited && attempt.recorded === null) run.refused.comeBack(call.same);
    // An answer that was kept meanwhile may cover this call.
    if (run.answersKept > kept) return { ...attempt, recorded: asked.decision };
    return await askInParts(passage, attempt, { asked, group, call });
  } finally {
    group.leave(call);
  }
}

function waiting(passage: Passage, attempt: Attempt, { decision, questions }: Asked): WaitingCall {
  const { asked, edited, answered, again, isUnknown, learnt = null, replaced } = attempt;
  const yes = answered === null ? null : { shown: answered.shown, questions: answered.questions };
  const model = replaced?.args ?? null;
  const { shown = [] } = passage.authority.run.options.earlier ?? {};
  const together = shown.findLast((calls) => calls.includes(passage.call)) ?? null;
  return {
    id: passage.call,
    signal: passage.signal,
    same: sameCall(passage, attempt.args, decision.capabilities),
    decision,
    questions,
    story: { asked, edited, again, isUnknown, learnt, yes, model, together } as unknown as Json,
  };
}

interface Together {
  readonly asked: Asked;
  readonly group: Group;
  readonly call: WaitingCall;
}

/** Until all parts are answered, or one is refused or changes the call. */
async function askInParts(passage: Passage, attempt: Attempt, together: Together): Promise<Next> {
  const { decision, questions } = together.asked;
  const all = partsOf(decision, questions, policiesOf(passage.authority));
  const parts = attempt.isUnknown ? [whole(together.asked)] : all;
  const isDone = (part: QuestionPart) => all.length > 1 && isAnsweredPart(attempt.answered, part, decision);
  let next = attempt;
  for (const part of parts.filter((each) => !isDone(each))) {
    const answered = await askPart(passage, next, { ...together, asked: { ...together.asked, part } });
    if ('refusal' in answered || answered.answered === null || answered.args !== next.args) return answered;
    next = answered;
  }
  return next;
}

function whole({ decision: { capabilities }, questions }: Asked): QuestionPart {
  if (!isNonEmpty(capabilities)) throw new TypeError('a call carries at least one capability');
  return { capabilities, questions, number: 1, of: 1, about: null };
}

async function askPart(
  passage: Passage,
  attempt: Attempt,
  { asked, group, call }: Together & { readonly asked: AskedPart },
): Promise<Next> {
  const { decision, part } = asked;
  const put = await group.once(part.number, call, () => putQuestion(passage, attempt, { asked, group }));
  const approval = put?.approvals.get(passage.call);
  if (put === null || approval === undefined) return cancelled(passage, decision, group);
  const { reply } = put;
  if (!put.isRecorded) return { refusal: unrecorded };
  if (reply.how !== 'person') return { refusal: asked.otherwise ?? unanswered(passage, decision, reply) };
  const { answer: given } = reply;
  return given.answer === 'approve'
    ? approved(passage, attempt, { asked, approval, put, given })
    : { refusal: denied(passage, attempt, { decision, given }) };
}

function approved(
  passage: Passage,
  attempt: Attempt,
  of: {
    readonly asked: AskedPart;
    readonly approval: string;
    readonly put: Put;
    readonly given: Extract<Answer, { answer: 'approve' }>;
  },
): Attempt {
  const { decision, part } = of.asked;
  const { args } = of.given;
  const { capabilities: shown, questions } = part;
  // An answer that is kept for equal calls also answers this one.
  const { kept } = of.put;
  const approvals = [of.approval, ...(kept === null || kept === of.approval ? [] : [kept])] as const;
  const answered: Answered = { approvals, shown, questions, edited: args !== undefined };
  const asked = attempt.asked + 1;
  if (args === undefined) {
    const all = part.number === 1 ? answered : withPartsBefore(attempt.answered, answered);
    return { ...attempt, answered: all, recorded: decision, asked, again: null };
  }
  const parsed = parseArguments(passage.tool, args);
  if (!parsed.ok) {
    const again = `the edited arguments do not fit: ${parsed.problem}`;
    return { ...attempt, answered: null, recorded: decision, asked, again };
  }
  return {
    args: parsed.value,
    edited: true,
    answered,
    recorded: null,
    again: null,
    replaced: attempt.replaced ?? sameCall(passage, attempt.args, decision.capabilities),
    asked,
    isUnknown: false,
  };
}

/** A call that no longer waits; identical calls may still wait. */
async function cancelled(passage: Passage, decision: CallDecision, { shown }: Group): Promise<Next> {
  const reply = { how: 'error', why: 'cancelled' } as const;
  const { call, authority } = passage;
  const now = authority.run.options.clock.now();
  const { how, why: note } = reply;
  const event = approvalEvent({ call, now, how, who: null, approved: false, note, question: shown });
  if (shown !== null && !(await record(passage, [event]))) return { refusal: unrecorded };
  return { refusal: unanswered(passage, decision, reply) };
}

function unanswered(
  passage: Passage,
  decision: CallDecision,
  reply: Exclude<Reply, { how: 'person' }>,
): Refusal {
  const halt = haltOf(passage);
  if (halt !== null) return { ...plainRefusal(halt.code), reason: halt.why };
  const refusal = refusalOf('unanswered', decision, {
    policies: policiesOf(passage.authority),
    fallback: reply.why,
  });
  return { ...refusal, reason: reply.why };
}
