import { type Capability, createRequest, decide, type NonEmpty, type Run, rankOf } from '@ambit/core';
import { clock } from '../host/clock.js';
import type { ForeignCall } from './foreign-call.js';
import type { Recorded } from './recorded.js';

/**
 * Who makes a call whose client does not say whether the agent itself or one of its sub-agents does: of those at work, the one for
 * whom the policies decide most strictly. Of several, the sub-agent that began last.
 */
export function strictestChain(
  run: Run,
  { open }: Recorded,
  { chain, name: tool, args }: ForeignCall,
  capabilities: readonly Capability[],
): NonEmpty<string> {
  const begun = [...open.values()].flatMap((events) =>
    events.flatMap((event) =>
      event.event === 'decision' && event.decision !== null ? event.capabilities : [],
    ),
  );
  const atWork = begun.filter(({ name }) => name === 'worker.call').map(({ worker }) => worker);
  const names = new Set(atWork.map((name) => (typeof name === 'string' ? name : 'agent')));
  const chains = [...[...names].reverse().map((name): NonEmpty<string> => [...chain, name]), chain];
  const { context, decide: judging = decide } = run.options;
  const rank = (of: NonEmpty<string>) => {
    const call = { tool, chain: of, args, capabilities, context, history: run.history, now: clock.now() };
    return rankOf(judging(createRequest(call), run.policies).decision);
  };
  return names.size === 0 ? chain : chains.reduce((one, other) => (rank(other) > rank(one) ? other : one));
}
