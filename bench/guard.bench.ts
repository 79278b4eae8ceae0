import {
  defineTool,
  defineToolset,
  entryAuthority,
  guard,
  type Log,
  type LogEvent,
  type NonEmpty,
  type Policy,
  Run,
} from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';

/** One guarded call with the fast engine and a log in memory, by CPU time, to the awaits that any such call has. */
const text = JSON.stringify({
  version: 1,
  default: 'needs_approval',
  capabilities: {
    'fs.read': { decision: 'pre_approved', match: { path: '/w/**' } },
    'fs.write': [
      { decision: 'pre_approved', match: { path: '/w/out/**' } },
      { id: 'secrets', decision: 'blocked', match: { path: ['**/.env', '**/*.pem'] } },
    ],
  },
});

class MemoryLog implements Log {
  events: LogEvent[] = [];

  append(events: NonEmpty<LogEvent>): Promise<void> {
    // Emptied now and then, so that calls are measured and not a growing heap.
    if (this.events.length > 1_000) this.events = [];
    this.events.push(...events);
    return Promise.resolve();
  }
}

function policyOf(): Policy {
  const loaded = loadPolicyText('policy.yaml', text, { home: '/home/ada', root: '/w' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  return loaded.policy;
}

const policy = policyOf();
const { decide } = createEngine();
const input = {
  parse: (value: unknown) => ({ ok: true as const, value: value as { path: string } }),
  json: {},
};
const put = defineTool<{ path: string }>({
  name: 'put',
  description: 'puts',
  input,
  describe: ({ path }) => ({
    capabilities: [
      { name: 'fs.write', path },
      { name: 'fs.read', path },
    ],
  }),
  execute: () => null,
});
const toolset = defineToolset({ name: 'box', tools: [put] });

let calls = 0;

function newBox() {
  const clock = { now: () => 0, after: () => new Promise<void>(() => {}) };
  const run = new Run({
    policies: [policy],
    mode: 'strict',
    approver: null,
    log: new MemoryLog(),
    decide,
    context: {},
    clock,
    newId: () => `id-${calls}`,
  });
  return guard(toolset, entryAuthority(run, 'main'));
}

let box = newBox();
async function guarded(): Promise<void> {
  calls += 1;
  // The history of a run is recorded with each decision, and grows.
  if (calls % 100 === 0) box = newBox();
  const outcome = await box.call({ tool: 'put', args: { path: `/w/out/${calls}.md` } });
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
}

async function awaits(): Promise<void> {
  for (let step = 0; step < 5; step += 1) await Promise.resolve();
}

/** Microseconds of CPU time. */
async function timed(work: () => Promise<void>, times: number): Promise<number> {
  const start = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / times;
}

const samples: [number, number][] = [];
await timed(guarded, 5_000);
for (let round = 0; round < 9; round += 1)
  samples.push([await timed(awaits, 50_000), await timed(guarded, 5_000)]);
const median = (list: readonly number[]) => [...list].sort((one, other) => one - other)[4] ?? Number.NaN;
const [floor, call] = [median(samples.map(([one]) => one)), median(samples.map(([, one]) => one))];
process.stdout.write(
  `five awaits ${floor.toFixed(2)} µs, a guarded call ${call.toFixed(2)} µs: ${(call / floor).toFixed(1)} x\n`,
);
