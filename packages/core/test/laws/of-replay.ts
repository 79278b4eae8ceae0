import {
  createRequest,
  type DecisionEvent,
  defineTool,
  defineToolset,
  entryAuthority,
  equalJson,
  forReference,
  guard,
  type Json,
  type JsonObject,
  type Parsed,
  Run,
} from '../../src/index.js';
import { type Case, someCase } from '../arbitrary/case.js';
import { decisionOn, type Engine } from '../engine.js';
import { ArrayLog } from '../guard/array-log.js';
import { ManualClock } from '../guard/manual-clock.js';
import { type Law, law } from './law.js';

/** As far as core goes: nothing is masked here, so nothing is `unknown`. */
export const lawsOfReplay: readonly Law[] = [
  law(
    'replaying a log under the policies that wrote it gives the decisions that it recorded, or says `unknown` where a rule reads what was masked',
    someCase(),
    async (engine, given) => {
      const events = await recorded(given);
      return events.length > 0 && events.every((event) => isReplayed(engine, event, given));
    },
  ),
];

/** The decisions of a run in which the call of the case is made, twice. */
async function recorded({ request, policies, grants }: Case): Promise<readonly DecisionEvent[]> {
  const log = new ArrayLog();
  const clock = new ManualClock();
  clock.pass(request.now - clock.now());
  const run = new Run({
    policies,
    open: true,
    mode: 'approve_all',
    approver: null,
    log,
    context: request.context,
    clock,
    newId: () => 'id',
  });
  run.permit(request.history);
  for (const grant of grants) if (grant.source === 'kept') run.keep(grant);
  const tool = defineTool({
    name: request.tool.slice(request.toolset.length + 1),
    description: '',
    input: {
      json: {},
      parse: (value: Json): Parsed<JsonObject> => ({ ok: true, value: value as JsonObject }),
    },
    describe: () => ({ capabilities: request.capabilities }),
    execute: () => null,
  });
  const authority = forReference(
    { ...entryAuthority(run, request.worker), chain: request.chain },
    { layers: [], grants: grants.filter((grant) => grant.source === 'reference') },
  );
  const toolset = guard(defineToolset({ name: request.toolset, tools: [tool] }), authority);
  await toolset.call({ tool: tool.name, args: request.args });
  await toolset.call({ tool: tool.name, args: request.args });
  return log.of('decision');
}

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
