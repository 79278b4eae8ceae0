import { createRequest, type DecisionEvent, equalJson, type Json } from '../../src/index.js';
import { type Case, someCase } from '../arbitrary/case.js';
import { decisionOn, type Engine } from '../engine.js';
import { playing } from '../guard/playing.js';
import { type Law, law } from './law.js';

/** As far as core goes: nothing is masked here, so nothing is `unknown`. */
export const lawsOfReplay: readonly Law[] = [
  law(
    'replaying a log under the policies that wrote it gives the decisions that it recorded, or says `unknown` where a rule reads what was masked',
    someCase(),
    async (engine, given) => {
      const { log } = await playing(given, { mode: 'approve_all', times: 2 });
      const events = log.of('decision');
      return events.length > 0 && events.every((event) => isReplayed(engine, event, given));
    },
  ),
];

function isReplayed(engine: Engine, event: DecisionEvent, { policies }: Case): boolean {
  if (event.decision === null) return false;
  const request = createRequest({
    tool: event.tool,
    chain: event.chain,
    args: event.args as Case['request']['args'],
    capabilities: event.capabilities,
    context: event.context,
    history: event.history.map((name) => ({ name })),
    now: event.now,
  });
  const { decision, capabilities, judgements, reason, instead } = event;
  const replayed = decisionOn(engine, { request, policies, grants: event.grants });
  return isEqual(replayed, { decision, capabilities, judgements, reason, instead });
}

function isEqual(one: object, other: object): boolean {
  return equalJson(one as Json, other as Json);
}
