import {
  type CapabilityRule,
  createRequest,
  decide,
  defaultAdmission,
  defineTool,
  defineToolset,
  entryAuthority,
  guard,
  inputSchema,
  type JsonObject,
  type Log,
  type LogEvent,
  type Policy,
  plainRule,
  Run,
} from '@ambit/core';
import * as z from 'zod';

/** Times `decide` and one guarded call, each as a ratio to a floor measured in the same run. */
const capabilities = [
  { name: 'fs.write', path: '/work/out/a.md' },
  { name: 'fs.list', path: '/work/out' },
] as const;

const request = createRequest({
  tool: 'box.put',
  chain: ['main'],
  args: { path: 'out/a.md' },
  capabilities,
  context: {},
  history: [],
  now: 0,
});

/** The least work that an engine with an index could do: one look-up for each capability. */
const index = new Map<string, string>(capabilities.map(({ name }) => [name, 'pre_approved']));

function lookUp(): number {
  let found = 0;
  for (const { name } of request.capabilities) if (index.get(name) !== undefined) found += 1;
  return found;
}

function policyOf(count: number): Policy {
  const rules = Array.from(
    { length: count },
    (_, place): CapabilityRule => ({
      about: 'capability',
      name: place % 10 === 0 ? 'fs.write' : `area${place % 97}.action${place}`,
      below: false,
      id: `r${place}`,
      at: `bench:${place + 1}:1`,
      decision: 'pre_approved',
      ...plainRule,
      condition: ({ capability }) => capability.path === '/work/out/a.md',
    }),
  );
  return {
    name: 'bench.yaml',
    default: { decision: 'needs_approval', answer: 'any' },
    rules,
    carries: [],
    admits: defaultAdmission,
  };
}

/** Microseconds of one round of `work` in the quickest of nine batches of about `batchMs`, the first ones not counted. */
async function timed(work: () => unknown, batchMs = 40): Promise<number> {
  const batch = async (rounds: number) => {
    const start = process.hrtime.bigint();
    for (let round = 0; round < rounds; round += 1) {
      const result = work();
      if (result instanceof Promise) await result;
    }
    return Number(process.hrtime.bigint() - start) / 1000 / rounds;
  };
  // The compiler takes its time: what it has not seen yet is not what is measured.
  for (let warm = 0; warm < 300; warm += 1) await batch(10);
  let rounds = 1;
  while ((await batch(rounds)) * rounds < batchMs * 1000) rounds *= 2;
  const times: number[] = [];
  for (let sample = 0; sample < 9; sample += 1) times.push(await batch(rounds));
  return Math.min(...times);
}

class ArrayLog implements Log {
  events: LogEvent[] = [];

  append(events: readonly LogEvent[]): Promise<void> {
    // Emptied now and then, so that the bench measures calls and not a growing heap.
    if (this.events.length > 1000) this.events = [];
    this.events.push(...events);
    return Promise.resolve();
  }
}

function guardedCall(): () => Promise<unknown> {
  const run = () =>
    new Run({
      policies: [
        policyOf(10),
        { ...policyOf(0), name: 'silent.yaml', default: { decision: 'pre_approved', answer: 'any' } },
      ],
      mode: 'approve_all',
      approver: null,
      log: new ArrayLog(),
      context: {},
      clock: { now: () => 0, after: () => new Promise(() => {}) },
      newId: () => 'id',
    });
  const put = defineTool({
    name: 'put',
    description: 'puts',
    input: inputSchema(z.strictObject({ path: z.string() }) as z.ZodType<JsonObject>),
    describe: () => ({ capabilities }),
    execute: () => null,
  });
  const toolset = defineToolset({ name: 'box', tools: [put] });
  let calls = 0;
  let box = guard(toolset, entryAuthority(run(), 'main'));
  return async () => {
    // A new run every hundred calls: a run's history grows, and is copied into each decision.
    calls += 1;
    if (calls % 100 === 0) box = guard(toolset, entryAuthority(run(), 'main'));
    const outcome = await box.call({ tool: 'put', args: { path: 'out/a.md' } });
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
    return outcome;
  };
}

/** The awaits that any guarded call must have: describe, turn, record, execute, record. */
async function noOperation(): Promise<void> {
  for (let step = 0; step < 5; step += 1) await Promise.resolve();
}

function print(what: string, micros: number, floor: number): void {
  const cells = [
    what.padEnd(34),
    `${micros.toFixed(2)} µs`.padStart(14),
    `${(micros / floor).toFixed(1)} x`.padStart(12),
  ];
  process.stdout.write(`${cells.join('')}\n`);
}

const floor = await timed(lookUp);
print('floor: a Map.get a capability', floor, floor);
for (const count of [10, 100, 1_000, 10_000]) {
  const policy = policyOf(count);
  print(`decide, ${count} rules`, await timed(() => decide(request, [policy])), floor);
}
const chain = await timed(noOperation);
print('floor: five awaits', chain, chain);
print('a guarded call, 10 rules', await timed(guardedCall()), chain);
