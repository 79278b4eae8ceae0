import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { LogEvent, NonEmpty } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { storedCalls } from '../../src/journal/stored-calls.js';
import { runStatus } from '../../src/store/run-status.js';
import type { RunRecord, Step } from '../../src/store/store.js';
import { run } from '../store/stored-things.js';

const events = (...list: readonly object[]): Step => ({
  step: 'events',
  events: list as unknown as NonEmpty<LogEvent>,
});
const judged = (call: string, decision: string | null, more: object = {}) => ({
  event: 'decision',
  now: 1,
  call,
  chain: ['main'],
  tool: 'filesystem.write_file',
  args: { content: 'secret' },
  decision,
  ...more,
});
const answered = (call: string, approved: boolean) => ({
  event: 'approval',
  now: 1,
  call,
  how: 'person',
  who: { person: 'ada' },
  approved,
  keep: null,
  edited: false,
  note: null,
  question: null,
});
const ended = (call: string, outcome: object) => ({ event: 'outcome', now: 1, call, ...outcome });
const base = { parent: null, chain: ['main'], tool: 'filesystem.write_file', answers: [], why: null };

describe('storedCalls', () => {
  it('returns decisions, answers and outcomes in the order of calls, without arguments', () => {
    const calls = storedCalls([
      { step: 'turn', place: 'entry', turn: 0, message: {}, calls: ['a', 'b', 'c'] },
      events(judged('a', 'pre_approved')),
      { step: 'executing', call: 'a' },
      events(judged('b', 'needs_approval')),
      events(
        judged('c', null, { code: 'bad_input' }),
        ended('c', { outcome: 'refused', code: 'bad_input', reason: 'no path' }),
      ),
      { step: 'executed', call: 'a', came: { result: 'secret' } },
      events(ended('a', { outcome: 'completed' }), answered('b', true)),
      events(judged('b', 'pre_approved', { parent: 'a' })),
      { step: 'executing', call: 'b' },
    ]);
    const { how, who, approved, edited, note } = answered('b', true);
    expect(calls).toEqual([
      { ...base, call: 'a', decision: 'pre_approved', outcome: 'completed' },
      {
        ...base,
        call: 'b',
        parent: 'a',
        decision: 'pre_approved',
        answers: [{ how, who, approved, edited, note }],
        outcome: 'unknown',
      },
      { ...base, call: 'c', decision: null, outcome: 'refused', why: 'no path' },
    ]);
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  it.each([
    [{ result: 1 }, 'completed'],
    [{ error: 'no' }, 'failed'],
    [{ again: true }, 'under_way'],
  ] as const)('knows from %j the outcome of a call that is not in the log yet', (came, outcome) => {
    const steps: Step[] = [
      events(judged('a', 'pre_approved')),
      { step: 'executing', call: 'a' },
      { step: 'executed', call: 'a', came },
    ];
    expect(storedCalls(steps)).toEqual([{ ...base, call: 'a', decision: 'pre_approved', outcome }]);
  });

  it('is empty for a run without calls', () => {
    expect(storedCalls([])).toEqual([]);
    expect(storedCalls([{ step: 'executing', call: 'a' }])).toEqual([]);
  });
});

describe('runStatus', () => {
  const record = (changes: Partial<RunRecord>): RunRecord => ({
    ...run('a'),
    status: 'running',
    since: Date.now(),
    ...changes,
  });

  it('is `running` while the process is alive', () => {
    expect(runStatus(record({ pid: process.pid }))).toBe('running');
  });

  it('is `interrupted` after the process has ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const { pid = 0 } = child;
    await once(child, 'exit');
    expect(runStatus(record({ pid }))).toBe('interrupted');
  });

  it.runIf(process.platform === 'linux')('is `interrupted` if another process now has the number', () => {
    expect(runStatus(record({ pid: process.pid, since: 1000 }))).toBe('interrupted');
  });

  it.each(['parked', 'finished', 'stopped', 'failed'] as const)('stays `%s`', (status) => {
    expect(runStatus(record({ pid: 0, status }))).toBe(status);
  });
});
