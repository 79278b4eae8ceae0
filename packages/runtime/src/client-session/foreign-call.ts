import {
  type Answer,
  answer,
  approvalEvent,
  type CallDecision,
  type Capability,
  createRequest,
  type DecisionEvent,
  decide,
  deferred,
  equalJson,
  isOpenQuestion,
  type Json,
  type JsonObject,
  type LogEvent,
  type NonEmpty,
  type Question,
  type Run,
  rankOf,
  type Tool,
} from '@ambit/core';
import { clock, newId } from '../host/clock.js';
import type { Recorded } from './recorded.js';
import type { MayRun, whyWait } from './running-calls.js';

/** A call that another program executes. */
export interface ForeignCall {
  /** The client's own id of the call; null if it has none. */
  readonly id: string | null;
  readonly chain: NonEmpty<string>;
  /** Whether a sub-agent at work may make the call instead of the last of the chain: the client does not say who does. */
  readonly hidesAgents?: boolean;
  readonly name: string;
  readonly args: JsonObject;
  readonly describe: () => Promise<readonly Capability[]>;
  /** A tool of ours: its schema and description are used instead. */
  readonly tool?: Tool;
  /** An answer counts in this folder only. */
  readonly folder?: string;
  /** Whether the client confines it to its described effects; false by default. */
  readonly confines?: boolean;
  /** Whether the client's user approved the open question of this call. */
  readonly isApproved?: boolean;
  /** By default, no other call is waited for. */
  readonly mayRun?: MayRun;
}

export type EndedCall = Pick<ForeignCall, 'id' | 'chain' | 'hidesAgents' | 'name' | 'args'>;

/** The judgement of this call that waits for the client's user, if any. */
export function openQuestionOf(
  { id, chain, name, args }: EndedCall,
  { open }: Recorded,
): { readonly decision: DecisionEvent; readonly events: readonly LogEvent[] } | null {
  const events = (id === null ? undefined : open.get(id)) ?? [];
  const decision = events.findLast((event) => event.event === 'decision');
  if (decision === undefined || decision.decision !== 'needs_approval') return null;
  if (events.some(({ event }) => event === 'approval')) return null;
  const isSame = equalJson([decision.chain, decision.tool, decision.args], [chain, name, args]);
  return isSame ? { decision, events } : null;
}

/** Only a person's own answer counts if a rule requires a person, calls are combined, or a rule is undecided. */
export function wantsPerson(of: DecisionEvent | CallDecision | Question): boolean {
  const asking =
    'asked_by' in of ? of.asked_by : of.decision === null ? [] : of.judgements.filter(isOpenQuestion);
  return (
    asking.length === 0 || asking.some(({ answer, undecided }) => answer === 'person' || undecided.length > 0)
  );
}

export function answerOfClient(call: string, client: string, approved: boolean): LogEvent {
  return approvalEvent({ call, now: clock.now(), how: 'client', who: client, approved });
}

/** The client's id if it is usable and new. */
export function callId(id: string | null, recorded: Recorded): string {
  const isUsable = id !== null && /^[A-Za-z0-9_-]{8,80}$/.test(id);
  return isUsable && !recorded.has(id) ? id : newId();
}

/**
 * Who makes a call whose client does not say whether the agent itself or one of its sub-agents does: of those at work, the one for
 * whom policies and kept answers decide most strictly. Of several, the sub-agent that began last.
 */
export async function strictestChain(
  run: Run,
  { open }: Recorded,
  { chain, name, args, describe, tool }: ForeignCall & { readonly tool: Tool },
): Promise<NonEmpty<string>> {
  const begun = [...open.values()].flatMap((events) => decidedIn(events)?.capabilities ?? []);
  const atWork = begun.filter(({ name }) => name === 'worker.call').map(({ worker }) => worker);
  const names = new Set(atWork.map((name) => (typeof name === 'string' ? name : 'agent')));
  // What cannot be described does not run.
  const capabilities = names.size === 0 ? null : await describe().catch(() => null);
  if (capabilities === null) return chain;
  // The guard takes them before it judges.
  await run.takeNewer();
  const chains = [...[...names].reverse().map((name): NonEmpty<string> => [...chain, name]), chain];
  const { policies, history } = run;
  const { context, decide: judging = decide, keeper } = run.options;
  const rank = async (of: NonEmpty<string>) => {
    const call = { tool: name, chain: of, args, capabilities, context, history, now: clock.now() };
    const request = createRequest(call);
    const kept = await keeper?.kept({ chain: of, name, tool, policies: () => policies });
    const grants = [...run.asker.memory.kept, ...(kept ?? [])];
    const decision = answer(judging(request, policies), { request, policies, grants });
    return 2 * rankOf(decision.decision) + Number(wantsPerson(decision));
  };
  const ranks = await Promise.all(chains.map(rank));
  return chains[ranks.indexOf(Math.max(...ranks))] ?? chain;
}

/** Closes the open call that equals this one, because a client may repeat an id. If the client asked, its user answered. */
export function endOf(
  { id, chain, hidesAgents = false, args, name }: EndedCall,
  error: string | null,
  recorded: Recorded,
): readonly LogEvent[] {
  const isLike = (of: DecisionEvent | undefined) =>
    of !== undefined &&
    equalJson(
      [hidesAgents ? of.chain.slice(0, chain.length) : of.chain, of.tool, of.args],
      [chain, name, args],
    );
  const own = id === null ? undefined : decidedIn(recorded.open.get(id));
  // Many calls may be open: the others are looked at only if one of them may be meant.
  const mayBeOther = id === null || (recorded.has(id) && !isLike(own));
  const found = (mayBeOther ? [...recorded.open.values()].map(decidedIn).findLast(isLike) : null) ?? own;
  if (found === undefined) return [];
  const { call } = found;
  const now = clock.now();
  const isAnswered = recorded.open.get(call)?.some(({ event }) => event === 'approval') === true;
  const byClient = answerOfClient(call, chain[0], true);
  const outcome: LogEvent =
    error === null
      ? { now, event: 'outcome', call, outcome: 'completed' }
      : { now, event: 'outcome', call, outcome: 'failed', error };
  return found.decision === 'needs_approval' && !isAnswered ? [byClient, outcome] : [outcome];
}

function decidedIn(events: readonly LogEvent[] = []) {
  return events.findLast((event) => event.event === 'decision' && event.decision !== null);
}

/** A tool that is known only by what this call does. */
export function undescribedTool(
  name: string,
  { describe, confines }: Pick<ForeignCall, 'describe' | 'confines'>,
): Tool {
  return {
    name,
    description: 'executed by another agent',
    input: { json: {}, parse: (value) => ({ ok: true, value: value as JsonObject }) },
    confines: confines === true,
    describe: async () => ({ capabilities: await describe() }),
    execute: () => null,
  };
}

/**
 * A tool that is executed elsewhere: what would execute it here says that it may run, and never ends. `whyNot`: why a
 * call with these effects cannot be made now.
 */
export function handedOver(tool: Tool, whyNot: ReturnType<typeof whyWait>) {
  const { promise: begun, resolve } = deferred();
  const describe: Tool['describe'] = async (args, context) => {
    const description = await tool.describe(args, context);
    const cannot = description.cannot ?? whyNot({ args, capabilities: description.capabilities });
    return cannot === null ? description : { ...description, cannot };
  };
  const execute: Tool['execute'] = () => {
    resolve();
    return deferred<Json>().promise;
  };
  return { tool: { ...tool, describe, execute }, begun };
}

export type Waiting = ReturnType<typeof createWaiting>;

/** Hands over each question to its call. */
export function createWaiting() {
  const listening = new Map<string, (question: Question) => void>();
  let hasAsked = false;
  return {
    /** The question about this call, if one comes. */
    question: (call: string) => new Promise<Question>((resolve) => listening.set(call, resolve)),
    /** No question about this call is waited for any more. */
    forget: (call: string) => void listening.delete(call),
    hasAsked: () => hasAsked,
    /** Nobody answers it here. */
    asked(given: Question): Promise<Answer> {
      hasAsked = true;
      listening.get(given.call)?.(given);
      return deferred<Answer>().promise;
    },
  };
}
