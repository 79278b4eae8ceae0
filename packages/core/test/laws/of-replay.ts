import { type Capability, createRequest, type DecisionEvent, equalJson, type Json } from '../../src/index.js';
import { type Case, someCase } from '../arbitrary/case.js';
import { decisionOn, type Engine } from '../engine.js';
import { playing } from '../guard/playing.js';
import { type Law, law } from './law.js';

/** As far as core goes: nothing is masked here, so nothing is `unknown`. */
export const lawsOfReplay: readonly Law[] = [
  law(
    'replaying a log under the policies that wrote it gives the decisions that it recorded, or says `unknown` where a rule reads what was masked or a manifest that is missing',
    someCase(),
    async (engine, given) => {
      const { log } = await playing(given, { mode: 'approve_all', times: 2 });
      const events = log.of('decision');
      const permitted = [...given.request.history, ...events.flatMap((event) => carriedBy(event))];
      return events.length > 0 && events.every((event) => isReplayed(engine, event, { ...given, permitted }));
    },
  ),
];

/** What a permit added to the history: an event names it, and the decision that permitted it has the facts. */
function carriedBy(event: DecisionEvent): readonly Capability[] {
  return event.decision === null ? [] : event.capabilities;
}

function isReplayed(
  engine: Engine,
  event: DecisionEvent,
  { policies, permitted }: Case & { readonly permitted: readonly Capability[] },
): boolean {
  if (event.decision === null) return false;
  const request = createRequest({
    tool: event.tool,
    chain: event.chain,
    args: event.args as Case['request']['args'],
    capabilities: event.capabilities,
    context: event.context,
    history: permitted.slice(0, event.history.length),
    now: event.now,
  });
  const { decision, capabilities, judgements, reason, instead } = event;
  const replayed = decisionOn(engine, { request, policies, grants: event.grants });
  return isEqual(replayed, { decision, capabilities, judgements, reason, instead });
}

function isEqual(one: object, other: object): boolean {
  return equalJson(one as Json, other as Json);
}
