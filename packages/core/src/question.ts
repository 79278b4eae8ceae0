import type { Answer, Question } from './approval.js';
import { ask, type Reply } from './ask.js';
import { policiesOf } from './authority.js';
import { type CallDecision, judgedBy } from './decide.js';
import { isNonEmpty } from './decision.js';
import { askedBefore, denied, refusedBefore } from './denial.js';
import { inTime } from './describe-call.js';
import { type Keeping, keepable } from './grant.js';
import { frozenCopy, type Json, type JsonObject } from './json.js';
import { parseArguments } from './parse-arguments.js';
import { type Attempt, haltOf, type Passage, sameCall } from './passage.js';
import { isAnsweredPart, partsOf, type QuestionPart } from './question-parts.js';
import { approvalEvent, record } from './record.js';
import { type Answered, narrowed, withPartsBefore } from './redeem.js';
import { plainRefusal, type Refusal, refusalOf, unrecorded } from './refusal.js';
import type { Ruling } from './ruling.js';
import type { Preview, Tool } from './tool.js';
import { inWords } from './words.js';

type Asked = Extract<Ruling, { next: 'ask' }>;

/** Asks, records the answer, and says what is to be tried with it, or why the call is refused. Of calls that are the same, about one at a time. */
export async function askAbout(
  passage: Passage,
  attempt: Attempt,
  asked: Asked,
): Promise<Attempt | { readonly refusal: Refusal }> {
  const { args, edited } = attempt;
  const { refused } = passage.authority.run;
  const call = sameCall(passage, args, asked.decision.capabilities);
  return refused.inTurn(call, passage.signal, async () => {
    const refusal = edited ? null : refusedBefore(passage, args, asked.decision);
    if (refusal !== null) return { refusal };
    // Once for each call, however often it is asked about.
    const before = edited || attempt.recorded !== null ? null : refused.comeBack(call);
    const again = attempt.again ?? (before === null ? null : askedBefore(before));
    return askInParts(passage, { ...attempt, again }, asked);
  });
}

/** Until all parts are answered, or one is refused or changes the call. */
async function askInParts(
  passage: Passage,
  attempt: Attempt,
  asked: Asked,
): Promise<Attempt | { readonly refusal: Refusal }> {
  const { decision, questions } = asked;
  const all = partsOf(decision, questions, policiesOf(passage.authority));
  const parts = attempt.isUnknown ? [whole(asked)] : all;
  const isDone = (part: QuestionPart) => all.length > 1 && isAnsweredPart(attempt.answered, part, decision);
  let next = attempt;
  for (const part of parts.filter((each) => !isDone(each))) {
    const answered = await askNow(passage, next, { ...asked, part });
    if ('refusal' in answered || answered.answered === null || answered.args !== next.args) return answered;
    next = answered;
  }
  return next;
}

function whole({ decision: { capabilities }, questions }: Asked): QuestionPart {
  if (!isNonEmpty(capabilities)) throw new TypeError('a call carries at least one capability');
  return { capabilities, questions, number: 1, of: 1, about: null };
}

type AskedPart = Asked & { readonly part: QuestionPart };

async function askNow(
  passage: Passage,
  attempt: Attempt,
  asked: AskedPart,
): Promise<Attempt | { readonly refusal: Refusal }> {
  const { approver, clock, answerLimit, newId } = passage.authority.run.options;
  const question = await questionAbout(passage, attempt, asked);
  const reply = await ask(question, { approver, clock, limit: answerLimit, signal: passage.signal });
  const approval = newId();
  const keep = reply.how === 'person' ? kept(reply.answer, question) : null;
  const event = approvalEvent({
    call: passage.call,
    now: clock.now(),
    how: reply.how,
    ...(reply.how === 'person'
      ? spoken(reply.answer, approval)
      : { who: null, approved: false, note: reply.why }),
    keep,
    question,
  });
  if (!(await record(passage, [event]))) return { refusal: unrecorded };
  if (reply.how !== 'person') return { refusal: unanswered(passage, asked.decision, reply) };
  if (reply.answer.answer !== 'approve') {
    const { decision } = asked;
    return { refusal: denied(passage, attempt, { decision, given: reply.answer }) };
  }
  return approved(passage, attempt, { asked, approval, keep, given: reply.answer });
}

function approved(
  passage: Passage,
  attempt: Attempt,
  of: {
    asked: AskedPart;
    approval: string;
    keep: Keeping | null;
    given: Extract<Answer, { answer: 'approve' }>;
  },
): Attempt {
  const { authority, name, tool } = passage;
  const { decision, part } = of.asked;
  const { person, args } = of.given;
  const { approval } = of;
  const { capabilities: shown, questions } = part;
  const answered: Answered = { approvals: [approval], shown, questions, edited: args !== undefined };
  if (args !== undefined) {
    const parsed = parseArguments(tool, args);
    const replaced = attempt.replaced ?? sameCall(passage, attempt.args, decision.capabilities);
    if (parsed.ok)
      return {
        args: parsed.value,
        edited: true,
        answered,
        recorded: null,
        again: null,
        replaced,
        asked: attempt.asked + 1,
        isUnknown: false,
      };
    return {
      ...attempt,
      answered: null,
      recorded: decision,
      asked: attempt.asked + 1,
      again: `the edited arguments do not fit: ${parsed.problem}`,
    };
  }
  if (of.keep !== null) {
    authority.run.keep({
      source: 'kept',
      approval,
      person,
      chain: authority.chain,
      tool: name,
      args: attempt.args,
      shown,
      policies: judgedBy(decision),
      ...of.keep,
    });
  }
  return {
    ...attempt,
    answered: part.number === 1 ? answered : withPartsBefore(attempt.answered, answered),
    recorded: decision,
    asked: attempt.asked + 1,
    again: null,
  };
}

async function questionAbout(
  passage: Passage,
  attempt: Attempt,
  { decision, part }: AskedPart,
): Promise<Question> {
  const { authority, toolset } = passage;
  const { questions, about } = part;
  const capabilities = part.capabilities.map((capability) => ({
    capability,
    words: inWords(capability, toolset.capabilities),
  }));
  if (!isNonEmpty(capabilities)) throw new TypeError('a call carries at least one capability');
  const question: Question = {
    id: `${passage.call}.${attempt.asked + 1}`,
    call: passage.call,
    chain: authority.chain,
    tool: passage.name,
    summary: about === null ? summaryOf(passage.tool, attempt.args) : inWords(about, toolset.capabilities),
    args: attempt.args,
    capabilities,
    asked_by: questions,
    ...(part.of === 1 ? {} : { part: { number: part.number, of: part.of } }),
    reason: decision.reason,
    instead: decision.instead,
    // Whether to do it again is asked for this once; and an answer to a part, which shows more than it is about, is kept for nothing.
    keep: attempt.isUnknown || part.of > 1 ? null : keepable(questions, policiesOf(authority)),
    preview: await previewOf(passage, attempt.args),
    again: attempt.again ?? (part.number === 1 ? changed(attempt) : null),
  };
  // What is recorded, and what the answer is held against, is what was asked: nobody changes it meanwhile.
  return frozenCopy(question as unknown as Json) as unknown as Question;
}

function changed({ answered }: Attempt): string | null {
  if (answered === null) return null;
  return answered.edited
    ? 'the edited call carries what was not shown before'
    : 'the call changed while it waited';
}

/** The question stands without a summary that fails; a long one is cut, and says so. */
function summaryOf(tool: Tool, args: JsonObject): string | null {
  try {
    const given: unknown = tool.summary?.(args);
    if (typeof given !== 'string' || given === '') return null;
    return given.length <= longestSummary ? given : `${given.slice(0, longestSummary)}…`;
  } catch {
    return null;
  }
}

const longestSummary = 1000;

/** A preview is a help for the eye: the question stands without one that fails, takes too long or is none. */
async function previewOf(passage: Passage, args: JsonObject): Promise<Preview | null> {
  const { tool } = passage;
  try {
    const given = await inTime((context) => tool.preview?.(args, context), passage);
    const { path, before, after } = given as Record<keyof Preview, unknown>;
    return typeof path === 'string' && isTextOrNull(before) && isTextOrNull(after)
      ? { path, before, after }
      : null;
  } catch {
    return null;
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function kept(given: Answer, question: Question): Keeping | null {
  // Edited arguments are not what the question showed, so their answer holds for this call alone.
  return given.answer === 'approve' && given.args === undefined ? narrowed(given.keep, question.keep) : null;
}

function spoken(given: Answer, approval: string) {
  return {
    who: { person: given.person, approval },
    approved: given.answer === 'approve',
    edited: given.answer === 'approve' && given.args !== undefined,
    note: given.answer === 'approve' ? null : (given.note ?? null),
    ...(given.answer === 'refuse' && given.ask_again === true ? { ask_again: true } : {}),
    ...(given.answer === 'approve' && given.args !== undefined ? { args: given.args } : {}),
  };
}

function unanswered(
  passage: Passage,
  decision: CallDecision,
  reply: Exclude<Reply, { how: 'person' }>,
): Refusal {
  const halt = haltOf(passage);
  if (halt !== null) return { ...plainRefusal(halt.code), reason: halt.why };
  return { ...refusalOf('unanswered', decision, ''), reason: reply.why };
}
