import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, verifyLog } from '@ambit/audit';
import {
  type Capability,
  defineTool,
  defineToolset,
  entryAuthority,
  guard,
  type Json,
  type Log,
  Run,
} from '@ambit/core';
import { afterAll, expect, it } from 'vitest';
import { keptLog, openJournal } from '../../src/journal/journal.js';
import type { Step } from '../../src/store/store.js';
import { permitted } from '../permitted.js';

const folder = mkdtempSync(join(tmpdir(), 'ambit-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const decision = permitted('fs.list');

const list = defineTool<{ text: Json }>({
  name: 'list',
  description: 'lists',
  input: { parse: (value) => ({ ok: true, value: value as { text: Json } }), json: {} },
  describe: () => ({ capabilities: [{ name: 'fs.list' }] }),
  execute: () => null,
});

/** How often each call made its records read a permit from before the run, and the run's log. */
async function readsOf(name: string, text: string) {
  const file = join(folder, name);
  let reads = 0;
  const earlier = Array.from({ length: 200 }, () => ({
    get name() {
      reads += 1;
      return 'fs.read';
    },
  })) as Capability[];
  const log = await createLog({ file, run: 'r1', key: Buffer.alloc(32, 1) });
  const steps: Step[] = [];
  const kept = keptLog(log, openJournal({ append: async (_, added) => void steps.push(...added) }, 'r1', []));
  const each: number[] = [];
  const counted: Log = {
    append: async (events) => {
      const before = reads;
      await kept.append(events);
      if (events.some(({ event }) => event === 'decision')) each.push(reads - before);
    },
  };
  let ids = 0;
  const run = new Run({
    policies: [
      {
        name: 'p',
        default: { decision: 'pre_approved', answer: 'any' },
        rules: [],
        carries: [],
        admits: { workers: false, remember: 'call', reach: 'call', unattended: false },
      },
    ],
    open: true,
    mode: 'strict',
    approver: null,
    log: counted,
    // What a decision reads is not counted here.
    decide: () => decision,
    context: {},
    clock: { now: () => 0, after: () => new Promise<void>(() => {}) },
    newId: () => `id-${ids++}`,
    earlier: { history: earlier, kept: [], refused: [], answers: [] } as never,
  });
  const box = guard(defineToolset({ name: 'box', tools: [list] }), entryAuthority(run, 'main'));
  for (let call = 0; call < 20; call += 1)
    expect(await box.call({ tool: 'list', args: { text } })).toMatchObject({ status: 'completed' });
  await log.close();
  expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 40 });
  const written = readFileSync(file, 'utf8').trimEnd().split('\n');
  const histories = written.map((line) => (JSON.parse(line) as { history?: string[] }).history?.length);
  return { each, histories: histories.filter((length) => length !== undefined), steps };
}

it.each([
  ['plain', 'hello'],
  ['masked', `password=${'s3cr3tS3cr3t'.repeat(2)}`],
])('reads no permit again for a later decision: %s', async (name, text) => {
  const { each, histories, steps } = await readsOf(`${name}.jsonl`, text);
  // The log does not know what was permitted before it: the first decision says it once.
  expect(each.slice(1)).toEqual(Array.from({ length: 19 }, () => 0));
  expect(each[0]).toBeLessThanOrEqual(4 * 200);
  expect(histories).toEqual([200]);
  expect(steps).toHaveLength(40);
});
