import fc from 'fast-check';
import * as z from 'zod';
import {
  type Capability,
  type CombinationRule,
  createRequest,
  defaultAdmission,
  defineTool,
  defineToolset,
  entryAuthority,
  guard,
  inputSchema,
  type JsonObject,
  type NonEmpty,
  type Policy,
  plainRule,
} from '../../src/index.js';
import { policyCalled } from '../arbitrary/policy.js';
import type { Engine } from '../engine.js';
import { ArrayLog } from '../guard/array-log.js';
import { ManualClock } from '../guard/manual-clock.js';
import { type Law, law } from './law.js';

export const lawsOfRuns: readonly Law[] = [
  law(
    'of the calls that a `within: run` combination blocks together, not all are permitted, however their deciding and executing interleave',
    fc.record({
      names: fc.uniqueArray(fc.constantFrom('fs.read', 'fs.write', 'net.connect', 'secret.read'), {
        minLength: 2,
        maxLength: 4,
      }),
      other: policyCalled('other.yaml'),
      scheduler: fc.scheduler(),
    }),
    async (engine, { names, other, scheduler }) => {
      const calls = names.map((name): Capability => ({ name, path: '/w/a' }));
      const policies: NonEmpty<Policy> = [forbidding(names), { ...other, carries: [] }];
      const inParallel = await permittedTogether(engine, { calls, policies, scheduler });
      return inParallel < calls.length && permittedInTurn(engine, { calls, policies }) < calls.length;
    },
  ),
];

/** Lets everything pass but all of these in one run. */
function forbidding(names: readonly string[]): Policy {
  const members = names.map((name) => ({ name, condition: () => true }));
  const combination: CombinationRule = {
    ...plainRule,
    about: 'combination',
    members: members as unknown as CombinationRule['members'],
    within: 'run',
    id: 'never-together',
    at: 'policy.yaml:3:5',
    decision: 'blocked',
    answer: 'person',
    condition: () => true,
  };
  return {
    name: 'policy.yaml',
    default: { decision: 'pre_approved', answer: 'any' },
    rules: [combination],
    carries: [],
    admits: defaultAdmission,
  };
}

interface Play {
  readonly calls: readonly Capability[];
  readonly policies: NonEmpty<Policy>;
}

/** How many of the calls run when all are made at once, and everything that waits goes on in a random order. */
async function permittedTogether(
  { createRun }: Engine,
  { calls, policies, scheduler }: Play & { readonly scheduler: fc.Scheduler },
): Promise<number> {
  const log = new ArrayLog();
  const append = log.append.bind(log);
  log.append = async (events) => {
    await scheduler.schedule(Promise.resolve(), 'the disk');
    await append(events);
  };
  let executed = 0;
  const carrying = (capability: Capability) =>
    defineTool({
      name: capability.name,
      description: '',
      input: inputSchema(z.strictObject({}) as unknown as z.ZodType<JsonObject>),
      describe: async () => {
        await scheduler.schedule(Promise.resolve(), 'describing');
        return { capabilities: [capability] };
      },
      execute: async () => {
        executed += 1;
        await scheduler.schedule(Promise.resolve(), 'executing');
        return null;
      },
    });
  let ids = 0;
  const run = createRun({
    policies,
    open: true,
    mode: 'approve_all',
    approver: null,
    log,
    context: {},
    clock: new ManualClock(),
    newId: () => `id-${++ids}`,
  });
  const toolset = guard(
    defineToolset({ name: 'box', tools: calls.map(carrying) }),
    entryAuthority(run, 'main'),
  );
  await scheduler.waitFor(Promise.all(calls.map(({ name }) => toolset.call({ tool: name, args: {} }))));
  return executed;
}

/** The same, one after the other, by the decisions alone. */
function permittedInTurn({ decide }: Engine, { calls, policies }: Play): number {
  const history: Capability[] = [];
  for (const capability of calls) {
    const request = createRequest({
      tool: `box.${capability.name}`,
      chain: ['main'],
      args: {},
      capabilities: [capability],
      context: {},
      history: [...history],
      now: 0,
    });
    if (decide(request, policies).decision !== 'blocked') history.push(capability);
  }
  return history.length;
}
