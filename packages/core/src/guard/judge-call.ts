import { stillHolds } from '../asking/answer-validity.js';
import { refusedBefore } from '../asking/denial.js';
import { isUndecided } from '../asking/narrower-call.js';
import {
  inStableOrder,
  plainRefusal,
  type Refusal,
  type RefusalCode,
  refusalOf,
  unrecorded,
} from '../asking/refusal.js';
import { type CallDecision, decide, type Judgement } from '../decide/decide.js';
import { memberWithin } from '../decide/deciding-member.js';
import { admitsUnattended, answer, type Grant, isOpenQuestion } from '../decide/grant.js';
import { type Origin, originsOf } from '../decide/origin.js';
import { createRequest, type Request } from '../decide/request.js';
import type { Described } from '../tool/describe-call.js';
import type { Capability } from '../words/capability.js';
import { equalJson, type Json } from '../words/json.js';
import { messageOf } from '../words/message-of.js';
import { grantsOf, policiesOf } from './authority.js';
import { type Attempt, type Halt, haltOf, type Passage } from './call-in-progress.js';
import { compareGuarded } from './compare-guarded.js';
import type { LogEvent } from './log.js';
import { approvalEvent, decisionEvent, grantEvents, type Observed, record } from './record.js';

/** What happens to a judged call. */
export type Ruling =
  | { readonly next: 'execute'; readonly decision: CallDecision }
  | { readonly next: 'refuse'; readonly refusal: Refusal }
  | { readonly next: 'halt'; readonly halt: Halt }
  | {
      readonly next: 'ask';
      readonly decision: CallDecision;
      readonly questions: readonly Judgement[];
      /** Origins of the decision's capabilities, in their order. */
      readonly origins: readonly Origin[];
      /** Without a question: the result if there is no earlier answer. */
      readonly otherwise?: Refusal;
    };

/** Decides, records and permits in one step. The caller runs these steps in sequence. */
export async function rule(
  passage: Passage,
  attempt: Attempt,
  described: Described & { ok: true },
): Promise<Ruling> {
  const { authority, call, name } = passage;
  const { run } = authority;
  const halt = haltOf(passage);
  if (halt !== null) return { next: 'halt', halt };
  const changed = await compareGuarded(passage);
  if (changed !== null) return { next: 'halt', halt: changed };
  await run.takeNewer();
  const now = run.options.clock.now();
  const [policies, own] = [policiesOf(authority), grantsFor(passage, attempt)];
  const request = createRequest({
    tool: name,
    chain: authority.chain,
    args: attempt.args,
    capabilities: described.capabilities,
    mapped: described.mapped,
    context: run.options.context,
    history: run.history,
    now,
  });
  const judge = run.options.decide ?? decide;
  const given = answer(judge(request, policies), { request, policies, grants: own });
  const grants = [...own, ...(await keptLonger(passage, attempt, given))];
  const decision = grants.length === own.length ? given : answer(given, { request, policies, grants });
  // A blocked call does not learn what the tool found out, unless the tool does not know which file it is.
  const cannot = decision.decision === 'blocked' && !isPlaceUnknown(decision) ? null : described.cannot;
  const origins = originsOf(decision.capabilities, { request, policies });
  const ruling = rulingOn(passage, attempt, { decision, origins, cannot });
  const events: LogEvent[] = isSame(decision, attempt.recorded)
    ? []
    : [
        decisionEvent(passage, {
          request,
          decision,
          origins,
          cannot,
          grants,
          observed: observe(passage, request, grants),
        }),
        ...(ruling.next === 'execute' ? grantEvents({ call, now, decision }) : []),
      ];
  if (ruling.next === 'execute' && decision.decision === 'needs_approval' && attempt.answered === null) {
    events.push(approvalEvent({ call, now, how: 'mode', who: run.options.mode, approved: true }));
  }
  if (!(await record(passage, events))) return { next: 'refuse', refusal: unrecorded };
  if (ruling.next === 'execute') run.permit(decision.capabilities);
  return ruling;
}

function rulingOn(
  passage: Passage,
  attempt: Attempt,
  of: { decision: CallDecision; origins: readonly Origin[]; cannot: string | null },
): Ruling {
  const { decision, origins, cannot } = of;
  const { mode } = passage.authority.run.options;
  const policies = policiesOf(passage.authority);
  const refuseFor = (code: RefusalCode, fallback: string): Ruling => ({
    next: 'refuse',
    refusal: refusalOf(code, decision, { policies, fallback }),
  });
  const questions = decision.judgements.filter(isOpenQuestion);
  // A person may have answered before the run resumed in this mode.
  const answeredBefore = (refusal: Refusal): Ruling =>
    wasShown(passage)
      ? { next: 'ask', decision, origins, questions, otherwise: refusal }
      : { next: 'refuse', refusal };
  if (cannot !== null) return { next: 'refuse', refusal: { ...plainRefusal('cannot'), reason: cannot } };
  // An unknown decision blocks.
  if (
    decision.decision !== 'pre_approved' &&
    (decision.decision !== 'needs_approval' || questions.length === 0)
  )
    return refuseFor('blocked', whyInWords(decision));
  if (stillHolds(attempt.answered, { decision, questions })) return { next: 'execute', decision };
  if (attempt.isUnknown && !canBeRepeated(decision.capabilities)) {
    if (mode === 'interactive') return { next: 'ask', decision, origins, questions };
    return answeredBefore({
      ...plainRefusal('unknown_outcome'),
      reason: `${attempt.again ?? ''}: look what is done before you go on`,
    });
  }
  // Arguments edited by a person do not count as a repetition.
  const refusal = attempt.edited ? null : refusedBefore(passage, attempt.args, decision);
  if (refusal !== null) return { next: 'refuse', refusal };
  if (decision.decision === 'pre_approved') return { next: 'execute', decision };
  if (mode === 'interactive') return { next: 'ask', decision, origins, questions };
  if (mode !== 'approve_all')
    return answeredBefore(refusalOf('strict', decision, { policies, fallback: whyInWords(decision) }));
  if (questions.every((question) => admitsUnattended(question, policies)))
    return { next: 'execute', decision };
  return refuseFor('wants_person', `a person has to answer this: ${whyInWords(decision)}`);
}

/** Whether a question about this call was shown before the run resumed, with answers to look up. */
function wasShown({ call, authority: { run } }: Passage): boolean {
  const { mode, given, earlier } = run.options;
  return (
    mode === 'strict' && given !== undefined && earlier?.shown?.some((calls) => calls.includes(call)) === true
  );
}

/** The decision of observing policies, under the same grants. It does not affect the ruling. */
function observe({ authority }: Passage, request: Request, grants: readonly Grant[]): Observed {
  const { observing: policies, decide: judge = decide } = authority.run.options;
  if (policies === undefined) return {};
  try {
    return { observed: answer(judge(request, policies), { request, policies, grants }) };
  } catch (error) {
    return { observed: null, observed_why: `observing failed: ${messageOf(error)}` };
  }
}

/** A kept answer is not a grant for its own call. */
function grantsFor({ authority, name }: Passage, attempt: Attempt): readonly Grant[] {
  return grantsOf(authority, name).filter((grant) => !isOwn(grant, attempt));
}

/** Only if needed, and each time, because an answer may be revoked. */
async function keptLonger(
  passage: Passage,
  attempt: Attempt,
  { judgements }: CallDecision,
): Promise<readonly Grant[]> {
  const { keeper } = passage.authority.run.options;
  const isNeeded = judgements.some((judgement) => isOpenQuestion(judgement) && judgement.answer === 'any');
  if (keeper === undefined || !isNeeded) return [];
  const kept = await keeper.kept(passage);
  return kept.filter((grant) => grant.tool === passage.name && !isOwn(grant, attempt));
}

function isOwn(grant: Grant, { answered }: Attempt): boolean {
  return grant.source === 'kept' && (answered?.approvals.includes(grant.approval) ?? false);
}

/** Whether all that blocks it is undecided, and about files without a path. */
function isPlaceUnknown({ judgements, capabilities }: CallDecision): boolean {
  return judgements
    .filter(({ decision }) => decision === 'blocked')
    .every((judgement) => {
      const capability = capabilities[judgement.capability];
      const isPlaceless = capability?.name.startsWith('fs.') === true && !Object.hasOwn(capability, 'path');
      return isPlaceless && isUndecided(judgement, 'blocked');
    });
}

/** Whether a call only reads, so repeating it is harmless. */
function canBeRepeated(capabilities: readonly Capability[]): boolean {
  const others = capabilities.filter(({ name }) => !harmlessTwice.includes(name));
  // The source of a text does not say how it is read.
  return others.length < capabilities.length && others.every(({ name }) => name === 'content.untrusted');
}

const harmlessTwice = ['fs.read', 'fs.read.outside', 'fs.list', 'fs.list.outside', 'secret.read', 'env.read'];

function whyInWords({ decision, capabilities, judgements }: CallDecision): string {
  const first = inStableOrder(judgements, capabilities).find(
    (judgement) => judgement.decision === decision && judgement.answered_by === null,
  );
  const capability = first && capabilities[first.capability];
  if (first === undefined || capability === undefined) return decision;
  const by = [...first.rules, ...first.undecided].find((candidate) => candidate.decision === decision);
  const verb = decision === 'blocked' ? 'is blocked' : 'needs approval';
  const { member } = first;
  const what =
    member === undefined ? capability.name : `${capability.name} of ${memberWithin(member, capability.path)}`;
  if (by !== undefined) return `${what} ${verb} by the rule ${by.id} (${by.at})`;
  const open = first.undecided.map(({ id, at, why }) => `${id} (${at}: ${why})`).join(', ');
  const none = `no rule of ${first.policy} ${open === '' ? 'speaks about it' : `applies to it for certain, ${open} not either`}`;
  return `${what} ${verb}: ${none}, and this is its default`;
}

function isSame(decision: CallDecision, before: CallDecision | null): boolean {
  return before !== null && equalJson(decision as unknown as Json, before as unknown as Json);
}
