import type { CallDecision } from '../decide/judgement.js';
import { type Refusal, unrecorded } from '../tool/outcome.js';
import { parseArguments } from '../tool/tool.js';
import type { Json } from '../words/json.js';
import { type Answered, withPartsBefore } from './answer-validity.js';
import type { Reply } from './ask-approver.js';
import { type AskedCall, type Attempt, sameCall } from './asked-call.js';
import type { AskingRun } from './asking-run.js';
import { type Group, IdenticalCalls, type WaitingCall } from './identical-calls.js';
import { Memory } from './memory.js';
import {
  type Asked,
  type AskedPart,
  isAnsweredPart,
  partsOf,
  type QuestionPart,
} from './put/compose-question.js';
import { type Put, putQuestion } from './put/put-question.js';
import { type Answer, approvalEvent } from './question.js';
import { refusalOf } from './refusal.js';

/** The call to judge again with the answer, or the refusal. */
export type Next = Attempt | { readonly refusal: Refusal };

interface Waiting {
  readonly asked: Asked;
  readonly group: Group;
  readonly waiting: WaitingCall;
}

/** Asks people about the calls of a run. Identical calls share one question; one is open at a time. */
export class Asker {
  readonly memory: Memory;
  readonly #run: AskingRun;
  readonly identical = new IdenticalCalls();

  constructor(run: AskingRun) {
    this.#run = run;
    this.memory = new Memory(run.options.keeper, run.options.earlier);
  }

  /** Asks, records the answer, and says what is to be tried with it, or why the call is refused. */
  async ask(call: AskedCall, attempt: Attempt, asked: Asked): Promise<Next> {
    const { memory } = this;
    const { whileWaiting = (waiting) => waiting } = this.#run.options;
    const waiting = this.#waiting(call, attempt, asked);
    const group = this.identical.join(waiting);
    const kept = memory.answersKept;
    try {
      await group.turn(waiting, whileWaiting);
      const halted = this.#run.halted(call.signal);
      if (halted !== null) return { refusal: halted };
      const { decision } = asked;
      const judged = { decision, policies: call.policies() };
      const refusal = attempt.edited ? null : memory.refused.refuseAgain(waiting.same, judged);
      if (refusal !== null) return { refusal };
      // Once for each call, however often it is asked about.
      if (!attempt.edited && attempt.recorded === null) memory.refused.comeBack(waiting.same);
      // A kept answer may have arrived while it waited.
      if (memory.answersKept > kept) return { ...attempt, recorded: decision };
      return await this.#askInParts(call, attempt, { asked, group, waiting });
    } finally {
      group.leave(waiting);
    }
  }

  #waiting(call: AskedCall, attempt: Attempt, { decision, questions }: Asked): WaitingCall {
    const { timesAsked, edited, answered, again, isUnknown, learnt = null, replaced } = attempt;
    const yes = answered === null ? null : { shown: answered.shown, questions: answered.questions };
    const model = replaced?.args ?? null;
    const { shown = [] } = this.#run.options.earlier ?? {};
    const together = shown.findLast((calls) => calls.includes(call.id)) ?? null;
    return {
      id: call.id,
      number: call.number,
      signal: call.signal,
      same: sameCall(call, attempt.args, decision.capabilities),
      decision,
      questions,
      story: { timesAsked, edited, again, isUnknown, learnt, yes, model, together } as unknown as Json,
    };
  }

  /** Ends when all parts are answered, or one changes or refuses the call. */
  async #askInParts(call: AskedCall, attempt: Attempt, waiting: Waiting): Promise<Next> {
    const { decision, questions } = waiting.asked;
    const all = partsOf(decision, questions, call.policies());
    const parts = attempt.isUnknown ? partsOf(decision, questions, []) : all;
    const isDone = (part: QuestionPart) => all.length > 1 && isAnsweredPart(attempt.answered, part, decision);
    let next = attempt;
    for (const part of parts.filter((each) => !isDone(each))) {
      const asked = { ...waiting.asked, part };
      const answered = await this.#askPart(call, next, { ...waiting, asked });
      if ('refusal' in answered || answered.answered === null || answered.args !== next.args) return answered;
      next = answered;
    }
    return next;
  }

  async #askPart(
    call: AskedCall,
    attempt: Attempt,
    { asked, group, waiting }: Waiting & { readonly asked: AskedPart },
  ): Promise<Next> {
    const { memory } = this;
    const run = this.#run;
    const put = await group.once(asked.part.number, waiting, () =>
      putQuestion(call, attempt, { asked, group, memory, run }),
    );
    const approval = put?.approvals.get(call.id);
    if (put === null || approval === undefined) return this.#cancelled(call, asked.decision, group);
    const { reply } = put;
    if (!put.isRecorded) return { refusal: unrecorded };
    if (reply.how === 'person') {
      const given = reply.answer;
      return given.answer === 'approve'
        ? attemptAfter(call, attempt, { asked, approval, put, given })
        : { refusal: this.#denied(call, attempt, { asked, given }) };
    }
    const refusal = this.#unanswered(call, asked.decision, reply);
    return { refusal: asked.otherwise ?? withEnded(refusal, put.ended) };
  }

  #denied(
    call: AskedCall,
    { args, replaced }: Attempt,
    of: { readonly asked: Asked; readonly given: Exclude<Answer, { answer: 'approve' }> },
  ): Refusal {
    const { given } = of;
    const { decision } = of.asked;
    if (given.answer === 'stop') this.#run.stop(`stopped by ${given.person}`);
    return this.memory.refused.refuse({
      call: sameCall(call, args, decision.capabilities),
      replaced,
      judged: { decision, policies: call.policies() },
      refused: {
        person: given.person,
        note: given.note === undefined || given.note === '' ? null : given.note,
        askAgain: given.answer === 'refuse' && given.ask_again === true,
      },
    });
  }

  /** Ends the wait of one call; identical ones may go on waiting. */
  async #cancelled(call: AskedCall, decision: CallDecision, { shown }: Group): Promise<Next> {
    const reply = { how: 'error', why: 'cancelled' } as const;
    const event = approvalEvent({
      call: call.id,
      now: this.#run.options.clock.now(),
      how: reply.how,
      who: null,
      approved: false,
      note: reply.why,
      question: shown,
    });
    if (shown !== null && !(await this.#run.record([event]))) return { refusal: unrecorded };
    return { refusal: this.#unanswered(call, decision, reply) };
  }

  #unanswered(call: AskedCall, decision: CallDecision, reply: Exclude<Reply, { how: 'person' }>): Refusal {
    const policies = call.policies();
    return (
      this.#run.halted(call.signal) ?? {
        ...refusalOf('unanswered', decision, { policies, fallback: reply.why }),
        reason: reply.why,
      }
    );
  }
}

/** Also says why an earlier answer does not count. */
export function withEnded(refusal: Refusal, ended: string | null): Refusal {
  return ended === null ? refusal : { ...refusal, reason: `${refusal.reason}; ${ended}` };
}

function attemptAfter(
  call: AskedCall,
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
  // An answer that is kept for identical calls also answers this one.
  const { kept } = of.put;
  const approvals = [of.approval, ...(kept === null || kept === of.approval ? [] : [kept])] as const;
  const answered: Answered = { approvals, shown, questions, edited: args !== undefined };
  const timesAsked = attempt.timesAsked + 1;
  if (args === undefined) {
    const all = part.number === 1 ? answered : withPartsBefore(attempt.answered, answered);
    return { ...attempt, answered: all, recorded: decision, timesAsked, again: null };
  }
  const parsed = parseArguments(call.tool, args);
  if (!parsed.ok) {
    const again = `the edited arguments are invalid: ${parsed.problem}`;
    return { ...attempt, answered: null, recorded: decision, timesAsked, again };
  }
  return {
    args: parsed.value,
    edited: true,
    answered,
    recorded: null,
    again: null,
    replaced: attempt.replaced ?? sameCall(call, attempt.args, decision.capabilities),
    timesAsked,
    isUnknown: false,
  };
}
