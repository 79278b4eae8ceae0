import { stillHolds } from '../asking/answer-validity.js';
import { type Attempt, type Keeper, sameCall } from '../asking/asked-call.js';
import { withEnded } from '../asking/asker.js';
import type { Asked } from '../asking/put/compose-question.js';
import { endedInWords } from '../asking/put/put-question.js';
import { approvalEvent, grantEvents } from '../asking/question.js';
import { isUndecidedAt, refusalOf, whyInWords } from '../asking/refusal.js';
import { tooLargeToJudge } from '../decide/bounds.js';
import { decide } from '../decide/decide.js';
import { admitsUnattended, answer, type Grant, isOpenQuestion } from '../decide/grant.js';
import type { CallDecision } from '../decide/judgement.js';
import { type Origin, originsOf } from '../decide/origin.js';
import type { Policy } from '../decide/policy.js';
import { createRequest, type Request } from '../decide/request.js';
import type { Described } from '../tool/describe-call.js';
import { plainRefusal, type Refusal, type RefusalCode, unrecorded } from '../tool/outcome.js';
import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import { equalJson, type Json } from '../words/json.js';
import { messageOf } from '../words/text.js';
import { type CallInProgress, grantsOf } from './authority.js';
import { compareGuarded } from './compare-guarded.js';
import type { LogEvent } from './log.js';
import { decisionEvent, type Observed, refusalEvents } from './record.js';

export type NextStep =
  | { readonly next: 'execute'; readonly decision: CallDecision }
  | { readonly next: 'refuse'; readonly refusal: Refusal; readonly isRecorded?: true }
  | { readonly next: 'halt'; readonly refusal: Refusal }
  | ({ readonly next: 'ask' } & Asked);

interface Decided {
  readonly step: NextStep;
  /** Resolves to whether the step is durable; null if it already is, or is not recorded. */
  readonly durable: Promise<boolean> | null;
}

/** Decides and permits in one step, which callers run in sequence. Records may become durable together. */
export async function judgeCall(
  call: CallInProgress,
  attempt: Attempt,
  described: Described & { ok: true },
): Promise<Decided> {
  const { run } = call.authority;
  const { watch, newer, keeper } = run.options;
  // A step without a wait is not awaited, which takes time.
  const halted = run.halted(call.signal) ?? (watch === undefined ? null : await compareGuarded(call));
  if (halted !== null) return { step: { next: 'halt', refusal: halted }, durable: null };
  if (newer !== undefined) await run.takeNewer();
  const tooLarge = tooLargeToJudge(described.capabilities, call.policies());
  if (tooLarge !== null)
    return { step: { next: 'halt', refusal: plainRefusal('unjudged', tooLarge) }, durable: null };
  const judged = judge(call, attempt, described);
  const kept = keeper === undefined ? none : await keptAnswers(call, attempt, { judged, keeper });
  const ended = run.options.mode === 'strict' ? await endedBefore(call, attempt, judged.decision) : null;
  const { step, events } = stepWithEvents(call, attempt, { judged, kept, cannot: described.cannot, ended });
  const isRecorded = step.next === 'refuse' && events.length > 0;
  // With the decision: one write for the call.
  const all = isRecorded ? [...events, ...refusalEvents(call, step.refusal, judged.request.now)] : events;
  const recording = run.options.log.inOrder === true ? run.recordInOrder(all) : null;
  if (recording === null && !(await run.record(all)))
    return { step: { next: 'refuse', refusal: unrecorded }, durable: null };
  // The next decision counts it, and is valid only if this one is durable.
  if (step.next === 'execute') run.permit(step.decision.capabilities);
  return { step: isRecorded ? { ...step, isRecorded } : step, durable: recording };
}

const none: readonly Grant[] = [];

/** Why an earlier answer does not count for this call; null if there was none, or nobody would be asked. */
async function endedBefore(
  call: CallInProgress,
  attempt: Attempt,
  { decision, capabilities }: CallDecision,
): Promise<string | null> {
  const { options, asker } = call.authority.run;
  const { memory } = asker;
  return decision === 'needs_approval'
    ? endedInWords(call, attempt, { capabilities, memory, keeper: options.keeper })
    : null;
}

interface Judged {
  readonly request: Request;
  readonly policies: NonEmpty<Policy>;
  readonly grants: readonly Grant[];
  /** With the answers of these grants. */
  readonly decision: CallDecision;
}

function judge(
  call: CallInProgress,
  attempt: Attempt,
  { capabilities, mapped }: Described & { ok: true },
): Judged {
  const { options, history } = call.authority.run;
  const policies = call.policies();
  const request = createRequest({
    tool: call.name,
    chain: call.chain,
    args: attempt.args,
    capabilities,
    mapped,
    context: options.context,
    history,
    now: options.clock.now(),
  });
  // A kept answer is not a grant for its own call.
  const grants = grantsOf(call.authority, call.name).filter((grant) => !isOwnAnswer(grant, attempt));
  const decision = (options.decide ?? decide)(request, policies);
  return { request, policies, grants, decision: answer(decision, { request, policies, grants }) };
}

/** What happens to the call, and what is recorded before. */
function stepWithEvents(
  call: CallInProgress,
  attempt: Attempt,
  of: {
    readonly judged: Judged;
    readonly kept: readonly Grant[];
    readonly cannot: string | null;
    readonly ended: string | null;
  },
): { readonly step: NextStep; readonly events: readonly LogEvent[] } {
  const { judged, kept } = of;
  const { request, policies } = judged;
  const { run } = call.authority;
  const grants = kept.length === 0 ? judged.grants : [...judged.grants, ...kept];
  const decision =
    kept.length === 0 ? judged.decision : answer(judged.decision, { request, policies, grants });
  // A blocked call gets no findings of the tool, unless the tool does not know the file.
  const cannot = decision.decision === 'blocked' && !isPlaceUnknown(decision) ? null : of.cannot;
  const origins = originsOf(decision.capabilities, judged);
  const step = stepAfter(call, attempt, { decision, origins, cannot, ended: of.ended });
  const events: LogEvent[] = [];
  if (!isSameDecision(decision, attempt.recorded)) {
    const observed = observe(call, request, grants);
    events.push(decisionEvent(call, { request, decision, origins, cannot, grants, observed }));
    if (step.next === 'execute') events.push(...grantEvents({ call: call.id, now: request.now, decision }));
  }
  if (step.next === 'execute' && decision.decision === 'needs_approval' && attempt.answered === null) {
    const { mode: who } = run.options;
    events.push(approvalEvent({ call: call.id, now: request.now, how: 'mode', who, approved: true }));
  }
  return { step, events };
}

function stepAfter(
  call: CallInProgress,
  attempt: Attempt,
  of: { decision: CallDecision; origins: readonly Origin[]; cannot: string | null; ended: string | null },
): NextStep {
  const { decision, origins, cannot, ended } = of;
  const { run } = call.authority;
  const { mode } = run.options;
  const policies = call.policies();
  const refuseFor = (code: RefusalCode, fallback: string): NextStep => ({
    next: 'refuse',
    refusal: refusalOf(code, decision, { policies, fallback }),
  });
  const questions = decision.judgements.filter(isOpenQuestion);
  // A person may have answered before the run resumed in this mode.
  const answeredBefore = (refusal: Refusal): NextStep =>
    wasShown(call)
      ? { next: 'ask', decision, origins, questions, otherwise: refusal }
      : { next: 'refuse', refusal };
  if (cannot !== null) return { next: 'refuse', refusal: plainRefusal('cannot', cannot) };
  // An unknown decision blocks.
  if (
    decision.decision !== 'pre_approved' &&
    (decision.decision !== 'needs_approval' || questions.length === 0)
  )
    return refuseFor('blocked', whyInWords(decision));
  if (stillHolds(attempt.answered, { decision, questions })) return { next: 'execute', decision };
  if (attempt.isUnknown && !canBeRepeated(decision.capabilities)) {
    if (mode === 'interactive') return { next: 'ask', decision, origins, questions };
    const why = `${attempt.again ?? ''}: check what was done before you continue`;
    return answeredBefore(plainRefusal('unknown_outcome', why));
  }
  // Arguments edited by a person do not count as a repetition.
  const same = sameCall(call, attempt.args, decision.capabilities);
  const refusal = attempt.edited ? null : run.asker.memory.refused.refuseAgain(same, { decision, policies });
  if (refusal !== null) return { next: 'refuse', refusal };
  if (decision.decision === 'pre_approved') return { next: 'execute', decision };
  if (mode === 'interactive') return { next: 'ask', decision, origins, questions };
  if (mode !== 'approve_all') {
    const strict = refusalOf('strict', decision, { policies, fallback: whyInWords(decision) });
    return answeredBefore(withEnded(strict, ended));
  }
  if (questions.every((question) => admitsUnattended(question, policies)))
    return { next: 'execute', decision };
  return refuseFor('wants_person', `a person has to answer this: ${whyInWords(decision)}`);
}

/** Whether a question about this call was shown before the run resumed, with answers to look up. */
function wasShown({ id, authority: { run } }: CallInProgress): boolean {
  const { mode, given, earlier } = run.options;
  return (
    mode === 'strict' && given !== undefined && earlier?.shown?.some((calls) => calls.includes(id)) === true
  );
}

/** Changes nothing for the call. */
function observe({ authority }: CallInProgress, request: Request, grants: readonly Grant[]): Observed {
  const { observing: policies, decide: judging = decide } = authority.run.options;
  if (policies === undefined) return {};
  try {
    return { observed: answer(judging(request, policies), { request, policies, grants }) };
  } catch (error) {
    return { observed: null, observed_why: `observing failed: ${messageOf(error)}` };
  }
}

/** The answers that a keeper has. It is asked only if needed, and each time, because an answer may be revoked. */
async function keptAnswers(
  call: CallInProgress,
  attempt: Attempt,
  { judged, keeper }: { readonly judged: Judged; readonly keeper: Keeper },
): Promise<readonly Grant[]> {
  const isNeeded = judged.decision.judgements.some(
    (judgement) => isOpenQuestion(judgement) && judgement.answer === 'any',
  );
  const kept = isNeeded ? await keeper.kept(call) : [];
  return kept.filter((grant) => grant.tool === call.name && !isOwnAnswer(grant, attempt));
}

function isOwnAnswer(grant: Grant, { answered }: Attempt): boolean {
  return grant.source === 'kept' && (answered?.approvals.includes(grant.approval) ?? false);
}

/** Whether all that blocks it is undecided, and about files without a path. */
function isPlaceUnknown({ judgements, capabilities }: CallDecision): boolean {
  return judgements
    .filter(({ decision }) => decision === 'blocked')
    .every((judgement) => {
      const capability = capabilities[judgement.capability];
      const isPlaceless = capability?.name.startsWith('fs.') === true && !Object.hasOwn(capability, 'path');
      return isPlaceless && isUndecidedAt(judgement, 'blocked');
    });
}

/** Whether a call only reads, so repeating it is harmless. */
function canBeRepeated(capabilities: readonly Capability[]): boolean {
  const others = capabilities.filter(({ name }) => !harmlessTwice.includes(name));
  // The source of a text does not say how it is read.
  return others.length < capabilities.length && others.every(({ name }) => name === 'content.untrusted');
}

const harmlessTwice = ['fs.read', 'fs.read.outside', 'fs.list', 'fs.list.outside', 'secret.read', 'env.read'];

function isSameDecision(decision: CallDecision, before: CallDecision | null): boolean {
  return before !== null && equalJson(decision as unknown as Json, before as unknown as Json);
}
