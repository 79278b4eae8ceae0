import {
  type Approver,
  type CallOutcome,
  defineTool,
  defineToolset,
  entryAuthority,
  forReference,
  guard,
  type Json,
  type JsonObject,
  type Mode,
  type Parsed,
  Run,
  type RunOptions,
} from '../../src/index.js';
import type { Case } from '../arbitrary/case.js';
import { ArrayLog } from './array-log.js';
import { ManualClock } from './manual-clock.js';

/** The call of a case, made through a guard: what came of it, how often it was executed, and what was recorded. */
export async function playing(
  { request, policies, grants }: Case,
  {
    mode,
    answer,
    times = 1,
    options = {},
  }: { mode: Mode; answer?: Approver['ask']; times?: number; options?: Partial<RunOptions> },
): Promise<{ readonly outcome: CallOutcome; readonly executed: number; readonly log: ArrayLog }> {
  const log = new ArrayLog();
  const clock = new ManualClock();
  clock.pass(request.now - clock.now());
  const run = new Run({
    policies,
    open: true,
    mode,
    approver: answer === undefined ? null : { ask: answer },
    log,
    context: request.context,
    clock,
    newId: () => 'id',
    ...options,
  });
  run.permit(request.history);
  for (const grant of grants) if (grant.source === 'kept') run.asker.memory.keep(grant);
  let executed = 0;
  const tool = defineTool({
    name: request.tool.slice(request.toolset.length + 1),
    description: '',
    input: {
      json: {},
      parse: (value: Json): Parsed<JsonObject> => ({ ok: true, value: value as JsonObject }),
    },
    describe: () => ({ capabilities: request.capabilities }),
    execute: () => {
      executed += 1;
      return null;
    },
  });
  const authority = forReference(
    { ...entryAuthority(run, request.worker), chain: request.chain },
    { layers: [], grants: grants.filter((grant) => grant.source === 'reference') },
  );
  const toolset = guard(defineToolset({ name: request.toolset, tools: [tool] }), authority);
  const call = { tool: tool.name, args: request.args };
  let outcome = await toolset.call(call);
  for (let more = 1; more < times; more += 1) outcome = await toolset.call(call);
  return { outcome, executed, log };
}
