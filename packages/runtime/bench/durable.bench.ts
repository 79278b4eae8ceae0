import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, createSigningKey } from '@ambit/audit';
import { defineTool, defineToolset, entryAuthority, guard, Run } from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';

/**
 * Guarded calls whose decision and outcome are made durable, to as many bare writes and syncs of as many bytes, in turn; by the clock,
 * which is what the disk takes.
 */
const rounds = Number(process.env.ROUNDS ?? 300);
const place = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'ambit-durable-bench-'));
const text = JSON.stringify({
  version: 1,
  default: 'needs_approval',
  capabilities: { 'fs.write': { decision: 'pre_approved', match: { path: '/w/out/**' } } },
});

async function guarded(commit: 'group' | 'sync') {
  const loaded = loadPolicyText('policy.yaml', text, { home: '/home/ada', root: '/w' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  const file = join(place, `${commit}.jsonl`);
  const key = Buffer.alloc(32, 7);
  const log = await createLog({ file, run: 'run', key, signer: createSigningKey('bench'), commit });
  const run = new Run({
    policies: [loaded.policy],
    mode: 'strict',
    approver: null,
    log,
    decide: createEngine().decide,
    context: {},
    clock: { now: Date.now, after: () => new Promise<void>(() => {}) },
    newId: () => `call-${Math.random()}`,
  });
  const put = defineTool<{ path: string }>({
    name: 'put',
    description: 'puts',
    input: { parse: (value: unknown) => ({ ok: true, value: value as { path: string } }), json: {} },
    describe: ({ path }) => ({ capabilities: [{ name: 'fs.write', path }] }),
    execute: () => null,
  });
  const box = guard(defineToolset({ name: 'box', tools: [put] }), entryAuthority(run, 'main'));
  return {
    call: async () => {
      const outcome = await box.call({ tool: 'put', args: { path: '/w/out/a.md' } });
      if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
    },
    /** The bytes of a decision and of an outcome, from the last call. */
    lines: () =>
      readFileSync(file, 'latin1')
        .split('\n')
        .slice(-3, -1)
        .map((line) => Buffer.alloc(line.length + 1, 97)),
    close: () => log.close(),
  };
}

const ways = { group: await guarded('group'), sync: await guarded('sync') };
await ways.sync.call();
const lines = ways.sync.lines();
const handle = await open(join(place, 'bare'), 'a');
const fd = openSync(join(place, 'bare-at-once'), 'a');
const contenders: Readonly<Record<string, () => unknown>> = {
  'bare, by promises': async () => {
    for (const line of lines) {
      await handle.write(line);
      await handle.datasync();
    }
  },
  'guarded, group': ways.group.call,
  'bare, at once': () => {
    for (const line of lines) {
      writeSync(fd, line);
      fdatasyncSync(fd);
    }
  },
  'guarded, sync': ways.sync.call,
};
const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
for (let round = 0; round < rounds + 30; round += 1)
  for (const [name, work] of Object.entries(contenders)) {
    const start = performance.now();
    await work();
    if (round >= 30) times.get(name)?.push(performance.now() - start);
  }
await Promise.all([handle.close(), ways.group.close(), ways.sync.close()]);
closeSync(fd);
rmSync(place, { recursive: true });

const median = (name: string) =>
  [...(times.get(name) ?? [])].sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
for (const name of times.keys()) process.stdout.write(`${name}: ${median(name).toFixed(3)} ms\n`);
for (const [one, other] of [
  ['guarded, group', 'bare, by promises'],
  ['guarded, sync', 'bare, by promises'],
  ['guarded, sync', 'bare, at once'],
] as const)
  process.stdout.write(`${one}, to ${other}: ${(median(one) / median(other)).toFixed(2)} x (1.3 wanted)\n`);
