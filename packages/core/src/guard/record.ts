import type { CallDecision } from '../decide/judgement.js';
import { type Origin, withOrigins } from '../decide/origin.js';
import type { Request } from '../decide/request.js';
import { type CallOutcome, type Refusal, unrecorded } from '../tool/outcome.js';
import type { Capability } from '../words/capability.js';
import { jsonCopy } from '../words/json.js';
import type { IncomingCall } from './authority.js';
import type { DecisionEvent, LogEvent } from './log.js';
import type { Run } from './run.js';

export type Observed = Pick<DecisionEvent, 'observed' | 'observed_why'>;

export function decisionEvent(
  { id: call, authority, name, parent }: IncomingCall,
  of: {
    request: Request;
    decision: CallDecision;
    origins: readonly Origin[];
    cannot: string | null;
    grants: DecisionEvent['grants'];
    observed: Observed;
  },
): DecisionEvent {
  const event = {
    now: of.request.now,
    event: 'decision',
    call,
    ...(parent === null ? null : { parent: parent.id }),
    chain: authority.chain,
    tool: name,
    args: of.request.args,
    context: of.request.context,
    grants: of.grants,
    ...(of.cannot === null ? null : { code: 'cannot' as const, why: of.cannot }),
    ...withOrigins(of.decision, of.origins),
    ...of.observed,
  } as const;
  return withHistory(event, authority.run);
}

/** A call that is refused before it is judged. */
function unjudgedEvent(
  { id: call, authority, name, parent }: IncomingCall,
  args: unknown,
  { code, reason: why }: Refusal,
): DecisionEvent {
  const { run, chain } = authority;
  const event = {
    now: run.options.clock.now(),
    event: 'decision',
    call,
    ...(parent === null ? null : { parent: parent.id }),
    chain,
    tool: name,
    // A copy: the log may write it later.
    args: jsonCopy(args) ?? null,
    context: run.options.context,
    grants: [],
    decision: null,
    code,
    why,
  } as const;
  return withHistory(event, run);
}

const before = Symbol('the history before');

/** The history before an event: a growing list, and its length at that time. */
interface Before {
  readonly [before]: { readonly history: readonly Capability[]; readonly count: number };
}

/** Copied only when needed: a long run has a long history. */
function withHistory<Event>(event: Event, { history }: Run): Event & Pick<DecisionEvent, 'history'> {
  Object.defineProperty(event, before, { value: { history, count: history.length } });
  return Object.defineProperty(event, 'history', names) as Event & Pick<DecisionEvent, 'history'>;
}

/** The permits before a decision: the first `count` of a list that only grows, a new one for an event of a host. */
export function permitsBefore(event: DecisionEvent): Before[typeof before] {
  if (before in event) return (event as unknown as Before)[before];
  return { history: event.history.map((name) => ({ name })), count: event.history.length };
}

export function withoutHistory<Event extends LogEvent>(event: Event): Omit<Event, 'history'> {
  const names = Object.keys(event).filter((name) => name !== 'history') as (keyof Event)[];
  return Object.fromEntries(names.map((name) => [name, event[name]])) as Omit<Event, 'history'>;
}

const names = {
  enumerable: true,
  get(this: Before): readonly string[] {
    const { history, count } = this[before];
    return history.slice(0, count).map(({ name }) => name);
  },
};

/** Records a refusal and returns it. */
export async function refuse(call: IncomingCall, refusal: Refusal): Promise<CallOutcome> {
  const { run } = call.authority;
  await run.record(refusalEvents(call, refusal, run.options.clock.now()));
  return { status: 'refused', call: call.id, refusal };
}

/** Empty if the log itself failed. */
export function refusalEvents(
  { id: call }: Pick<IncomingCall, 'id'>,
  { code, reason, came_back }: Refusal,
  now: number,
): readonly LogEvent[] {
  const returned = came_back === undefined ? {} : { came_back };
  return code === 'unrecorded'
    ? []
    : [{ now, event: 'outcome', call, outcome: 'refused', code, reason, ...returned }];
}

/** Records and refuses a call that cannot be judged. */
export async function refuseUnjudged(
  call: IncomingCall,
  args: unknown,
  refusal: Refusal,
): Promise<CallOutcome> {
  const isRecorded = await call.authority.run.record([unjudgedEvent(call, args, refusal)]);
  return refuse(call, isRecorded ? refusal : unrecorded);
}
