import type { CallDecision } from '../decide/decide.js';
import { type Origin, withOrigins } from '../decide/origin.js';
import type { Request } from '../decide/request.js';
import { isNonEmpty } from '../words/decision.js';
import { isJson } from '../words/json.js';
import { messageOf } from '../words/message-of.js';
import type { Entrance, Halt } from './call-in-progress.js';
import type { ApprovalEvent, DecisionEvent, LogEvent } from './log.js';

/** The recorded result of observing policies. */
export type Observed = Pick<DecisionEvent, 'observed' | 'observed_why'>;

/**
 * Records events and returns whether they are durable. If not, the run stops: every effect must be recorded
 * first.
 */
export async function record(
  { authority: { run } }: Entrance,
  events: readonly LogEvent[],
): Promise<boolean> {
  if (!isNonEmpty(events)) return true;
  try {
    await run.options.log.append(events);
    return true;
  } catch (error) {
    const why = messageOf(error);
    // Our own log reports it already.
    run.stop(why.includes('log cannot be written') ? why : `the log cannot be written: ${why}`);
    return false;
  }
}

/** Records a judged call, with the tool's own `cannot` if there is one. */
export function decisionEvent(
  { call, authority, name, parent }: Entrance,
  of: {
    request: Request;
    decision: CallDecision;
    origins: readonly Origin[];
    cannot: string | null;
    grants: DecisionEvent['grants'];
    observed: Observed;
  },
): DecisionEvent {
  return {
    now: of.request.now,
    event: 'decision',
    call,
    ...(parent === null ? {} : { parent: parent.call }),
    chain: authority.chain,
    tool: name,
    args: of.request.args,
    context: of.request.context,
    history: of.request.history.map((capability) => capability.name),
    grants: of.grants,
    ...(of.cannot === null ? {} : { code: 'cannot' as const, why: of.cannot }),
    ...withOrigins(of.decision, of.origins),
    ...of.observed,
  };
}

/** A call that is refused before it is judged. */
export function unjudgedEvent(
  { call, authority, name, parent }: Entrance,
  args: unknown,
  { code, why }: Halt,
): DecisionEvent {
  const { run, chain } = authority;
  return {
    now: run.options.clock.now(),
    event: 'decision',
    call,
    ...(parent === null ? {} : { parent: parent.call }),
    chain,
    tool: name,
    args: isJson(args) ? args : null,
    context: run.options.context,
    history: run.history.map((capability) => capability.name),
    grants: [],
    decision: null,
    code,
    why,
  };
}

/** Records who answered, if grants answered every question of a call. */
export function grantEvents(of: {
  readonly call: string;
  readonly now: number;
  readonly decision: CallDecision;
}): ApprovalEvent[] {
  const credits = of.decision.judgements.flatMap(({ answered_by }) =>
    answered_by === null ? [] : [answered_by],
  );
  if (of.decision.decision !== 'pre_approved' || credits.length === 0) return [];
  return [approvalEvent({ call: of.call, now: of.now, how: 'grant', who: credits, approved: true })];
}

export function approvalEvent(
  event: Pick<ApprovalEvent, 'call' | 'now' | 'how' | 'who' | 'approved'> & Partial<ApprovalEvent>,
): ApprovalEvent {
  return { keep: null, edited: false, note: null, question: null, ...event, event: 'approval' };
}
