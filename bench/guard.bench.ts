import {
  type Description,
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

/** By CPU time: guarded calls with the fast engine and a log in memory, compared with the awaits of any such call. */
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
    // Emptied from time to time, so that a growing heap is not measured.
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
type Described = Description | Promise<Description>;
const toolOf = (say: (description: Description) => Described, end: () => null | Promise<null>) =>
  defineTool<{ path: string }>({
    name: 'put',
    description: 'puts',
    input,
    describe: ({ path }) =>
      say({
        capabilities: [
          { name: 'fs.write', path },
          { name: 'fs.read', path },
        ],
      }),
    execute: end,
  });
const put = toolOf(
  (description) => description,
  () => null,
);
const late = toolOf(
  async (description) => description,
  async () => null,
);

interface Way {
  readonly name: string;
  readonly tool: typeof put;
  /** After how many calls a new run begins. */
  readonly calls: number;
  readonly signal?: AbortSignal;
}

const turn = new AbortController().signal;
const ways: readonly Way[] = [
  { name: 'a hundred calls a run', tool: put, calls: 100 },
  { name: 'one run', tool: put, calls: Number.POSITIVE_INFINITY },
  { name: 'one run, with a signal', tool: put, calls: Number.POSITIVE_INFINITY, signal: turn },
  { name: 'one run, an asynchronous tool', tool: late, calls: Number.POSITIVE_INFINITY },
];

function newBox(tool: typeof put) {
  const clock = { now: () => 0, after: () => new Promise<void>(() => {}) };
  let ids = 0;
  const run = new Run({
    policies: [policy],
    mode: 'strict',
    approver: null,
    log: new MemoryLog(),
    decide,
    context: {},
    clock,
    newId: () => `id-${ids++}`,
  });
  return guard(defineToolset({ name: 'box', tools: [tool] }), entryAuthority(run, 'main'));
}

function callsOf({ tool, calls, signal }: Way): () => Promise<void> {
  let made = 0;
  let box = newBox(tool);
  return async () => {
    made += 1;
    if (made % calls === 0) box = newBox(tool);
    const args = { path: `/w/out/${made}.md` };
    const outcome = await box.call({ tool: 'put', args, ...(signal && { signal }) });
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
  };
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

const rounds = 9;
const median = (list: readonly number[]) => [...list].sort((one, other) => one - other)[4] ?? Number.NaN;
const contenders = [
  { name: 'five awaits', work: awaits },
  ...ways.map((way) => ({ ...way, work: callsOf(way) })),
];
const samples = contenders.map(() => [] as number[]);
for (const { work } of contenders) await timed(work, 2_000);
for (let round = 0; round < rounds; round += 1)
  for (const [at, { work }] of contenders.entries()) samples[at]?.push(await timed(work, 2_000));
const medians = samples.map(median);
for (const [at, { name }] of contenders.entries()) {
  const [own, floor] = [medians[at] ?? Number.NaN, medians[0] ?? Number.NaN];
  process.stdout.write(
    `${own.toFixed(2).padStart(6)} µs, ${(own / floor).toFixed(1).padStart(5)} x  ${name}\n`,
  );
}
