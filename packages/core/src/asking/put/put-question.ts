import type { Keeping, KeptAnswer } from '../../decide/grant.js';
import { judgedBy } from '../../decide/judgement.js';
import { type Capability, filesOfAnswer } from '../../words/capability.js';
import { equalJson, frozenCopy, type Json } from '../../words/json.js';
import { jsonText, messageOf } from '../../words/text.js';
import { narrow } from '../answer-validity.js';
import { ask, type Reply } from '../ask-approver.js';
import { type AskedCall, type Attempt, type Keeper, sameCall } from '../asked-call.js';
import type { AskingOptions, AskingRun } from '../asking-run.js';
import type { Group } from '../identical-calls.js';
import { givenAnswer, type Memory } from '../memory.js';
import { type Answer, type Approver, approvalEvent, type Question } from '../question.js';
import { type AskedPart, composeQuestion } from './compose-question.js';

export interface Put {
  readonly reply: Reply;
  /** For each call that was not cancelled. */
  readonly approvals: ReadonlyMap<string, string>;
  /** The approval that is kept; null if none is. */
  readonly kept: string | null;
  /** Why an earlier answer does not count; null if there was none. */
  readonly ended: string | null;
  readonly isRecorded: boolean;
}

interface Putting {
  readonly asked: AskedPart;
  readonly group: Group;
  readonly memory: Memory;
  readonly run: AskingRun;
}

/** Records an answer for each of the identical calls, and keeps it if the person chose that. */
export async function putQuestion(
  call: AskedCall,
  attempt: Attempt,
  { asked, group, memory, run }: Putting,
): Promise<Put> {
  const { options } = run;
  const { clock, answerLimit, newId } = options;
  const approver = approverOf(options);
  const draft = await composeQuestion(call, attempt, { asked, options });
  const { capabilities } = asked.part;
  const ended = await endedInWords(call, attempt, { capabilities, memory, keeper: options.keeper });
  // In the order of the calls, also if describing or composing one takes longer.
  await group.inOrder();
  const question = group.show((calls): Question => {
    const question: Question = {
      id: `${calls[0]}.${attempt.timesAsked + 1}`,
      call: calls[0],
      ...(calls.length === 1 ? {} : { calls }),
      ...draft,
      again: draft.again ?? cameBack(call, attempt, { asked, memory }) ?? ended,
      ...memory.answers.of(draft),
    };
    // The recorded question is the asked one, so it is frozen.
    return frozenCopy(question as unknown as Json) as unknown as Question;
  });
  const reply = await ask(question, { approver, clock, limit: answerLimit, signal: group.signal });
  const now = clock.now();
  const approvals = new Map(group.answer(asked.part.number).map((call) => [call, newId()]));
  const keeping = reply.how === 'person' ? keepingOf(reply.answer, question) : null;
  // No person was asked, so nothing is recorded.
  if (asked.otherwise !== undefined && reply.how !== 'person')
    return { reply, approvals, kept: null, ended, isRecorded: true };
  const events = [...approvals].map(([call, approval]) => {
    // Once for all calls.
    const keep = call === question.call ? keeping : null;
    return approvalEvent({ call, now, how: reply.how, ...replyFields(reply, approval), keep, question });
  });
  const put = { reply, approvals, kept: null, ended, isRecorded: await run.record(events) };
  const approval = approvals.get(question.call);
  if (!put.isRecorded || reply.how !== 'person' || approval === undefined) return put;
  memory.answers.add(givenAnswer(question, { at: now, ...answerFields(reply.answer) }));
  if (keeping === null) return put;
  const answer: KeptAnswer = {
    source: 'kept',
    approval,
    person: reply.answer.person,
    chain: question.chain,
    tool: question.tool,
    args: question.args,
    shown: asked.part.capabilities,
    policies: judgedBy(asked.decision),
    ...keeping,
  };
  await keep(call, answer, { memory, run });
  return { ...put, kept: approval };
}

/** Who answers: without an approver, the earlier answers do. */
function approverOf({ mode, approver, given }: AskingOptions): Approver | null {
  if (mode === 'interactive' || given === undefined) return approver;
  return { ask: async (question) => (await given(question)) ?? Promise.reject(new Error('no answer')) };
}

/** A failure stops the run, because the log says that it is kept. If a policy changed, it is kept for the run. */
async function keep(
  call: AskedCall,
  given: KeptAnswer,
  { memory, run }: Pick<Putting, 'memory' | 'run'>,
): Promise<void> {
  const isOfAll = call.policies().every(({ name }) => given.policies.includes(name));
  const answer: KeptAnswer = isOfAll ? given : { ...given, remember: 'run' };
  try {
    if (answer.remember === 'always') await run.options.keeper?.keep(answer, call);
    memory.keep(answer);
  } catch (error) {
    run.stop(`the answer cannot be kept: ${messageOf(error)}`);
  }
}

function keepingOf(given: Answer, question: Question): Keeping | null {
  // Edited arguments are not what the question showed, so their answer holds for this call alone.
  return given.answer === 'approve' && given.args === undefined ? narrow(given.keep, question.keep) : null;
}

function replyFields(reply: Reply, approval: string) {
  if (reply.how !== 'person') return { who: null, approved: false, note: reply.why };
  const { answer: given } = reply;
  const { person, approved, edited, note } = answerFields(given);
  return {
    who: { person, approval },
    approved,
    edited,
    note,
    ...(given.answer === 'refuse' && given.ask_again === true ? { ask_again: true } : {}),
    ...(given.answer === 'approve' && given.args !== undefined ? { args: given.args } : {}),
  };
}

function answerFields(given: Answer) {
  const { person } = given;
  return given.answer === 'approve'
    ? { person, approved: true, edited: given.args !== undefined, note: null }
    : { person, approved: false, edited: false, note: given.note ?? null };
}

function cameBack(
  call: AskedCall,
  { args, edited, timesAsked }: Attempt,
  { asked, memory }: Pick<Putting, 'asked' | 'memory'>,
): string | null {
  if (edited || timesAsked > 0) return null;
  return memory.refused.inWords(sameCall(call, args, asked.decision.capabilities));
}

/** Null unless an answer for this call ended because a file changed. */
export async function endedInWords(
  call: AskedCall,
  { args }: Attempt,
  {
    capabilities,
    memory,
    keeper,
  }: {
    readonly capabilities: readonly Capability[];
    readonly memory: Memory;
    readonly keeper: Keeper | undefined;
  },
): Promise<string | null> {
  const now = filesIn(capabilities);
  if (now.size === 0) return null;
  // This only informs: if kept answers cannot be read, the question is still asked.
  const longer = (await keeper?.kept(call).catch(() => [])) ?? [];
  const equal = [...memory.kept, ...longer].filter(
    (kept) => kept.tool === call.name && equalJson(kept.chain, call.chain) && equalJson(kept.args, args),
  );
  for (const { person, shown } of equal.reverse()) {
    const before = filesIn(shown);
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (path) => before.get(path) !== now.get(path),
    );
    if (before.size > 0 && changed.length > 0)
      return `the answer that ${person} kept for this call ended when ${changed.join(', ')} changed`;
  }
  return null;
}

/** By path; each with its content as JSON. */
function filesIn(capabilities: readonly Capability[]): ReadonlyMap<string, string> {
  return new Map(filesOfAnswer(capabilities).map((file) => [file.path, jsonText(file)]));
}
