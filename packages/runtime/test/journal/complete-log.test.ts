import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, verifyLog } from '@ambit/audit';
import type { LogEvent, NonEmpty } from '@ambit/core';
import { afterAll, expect, it } from 'vitest';
import { completeLog } from '../../src/journal/complete-log.js';
import { keptLog, openJournal } from '../../src/journal/journal.js';
import type { Step } from '../../src/store/store.js';
import { permitted } from '../permitted.js';

const folder = mkdtempSync(join(tmpdir(), 'ambit-complete-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run: LogEvent = {
  now: 0,
  event: 'run',
  version: '1',
  user: 'u',
  machine: 'm',
  mode: 'ci',
  context: {},
  workers: {},
  toolsets: {},
};

const decided = (number: number, name: string, history: readonly string[]): LogEvent => ({
  now: number,
  event: 'decision',
  call: `call-000${number}`,
  chain: ['main'],
  tool: 'files.read',
  args: {},
  context: {},
  history,
  grants: [],
  ...permitted(name),
});

it('adds the history of a decision that only the store had', async () => {
  const file = join(folder, 'log.jsonl');
  const log = await createLog({ file, run: 'r1', key: Buffer.alloc(32, 1) });
  const steps: Step[] = [];
  const journal = openJournal({ append: async (_, added) => void steps.push(...added) }, 'r1', []);
  const before: NonEmpty<LogEvent> = [run, decided(1, 'fs.read', []), decided(2, 'fs.list', ['fs.read'])];
  await keptLog(log, journal).append(before);
  // Killed between the two writes.
  const lost = decided(3, 'fs.read', ['fs.read', 'fs.list']);
  await keptLog({ append: async () => undefined }, journal).append([lost]);
  const kept = steps.flatMap((step) => (step.step === 'events' ? step.events : []));
  expect(JSON.stringify(kept)).not.toContain('"history":["');

  await completeLog(log, { run: 'r1', kept, begin: run });
  await log.close();
  const entries = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.slice(-3).map(({ call, added, history }) => [call, added, history])).toEqual([
    ['call-0001', ['fs.read'], undefined],
    ['call-0002', ['fs.list'], undefined],
    ['call-0003', ['fs.read'], undefined],
  ]);
  expect(await verifyLog(file)).toMatchObject({ ok: true });
});
