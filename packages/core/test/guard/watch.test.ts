import { describe, expect, it } from 'vitest';
import type { Capability, GuardChange, GuardWatch } from '../../src/index.js';
import { policy, type Setting, stage } from './stage.js';

const change: GuardChange = { path: '/w/main.worker', what: 'worker file', how: 'changed' };
const permitting = policy({ name: 'p', default: { decision: 'pre_approved', answer: 'any' } });
const opaque = { name: 'proc.exec.opaque', why: 'unknown' };
const unknownFiles = { name: 'fs.delete', path: { paths: [], open: true } };

/** A stage whose watch finds the change once `isChanged` says so. */
function watched(capability: Capability, isChanged: (executed: number) => boolean, setting: Setting = {}) {
  let executed = 0;
  const found = () => (isChanged(executed) ? [change] : []);
  const watch: GuardWatch = { compare: found, around: () => found };
  const { box, log } = stage({
    policies: [permitting],
    ...setting,
    options: { watch, open: true },
    tool: {
      describe: () => ({ capabilities: [capability] }),
      execute: async () => {
        executed += 1;
        return null;
      },
    },
  });
  const call = () => box.call({ tool: 'put', args: { path: '/w/a' } });
  return { call, log, executions: () => executed };
}

describe('the files that guard a run', () => {
  it('are compared before a permit: a change is recorded, and nothing runs', async () => {
    const { call, log, executions } = watched({ name: 'fs.read', path: '/w/a' }, () => true);
    expect(await call()).toMatchObject({
      refusal: { code: 'stopped', reason: expect.stringContaining('worker file /w/main.worker was changed') },
    });
    expect(executions()).toBe(0);
    expect(log.events.filter(({ event }) => event === 'guard_changed')).toMatchObject([
      { changes: [change] },
    ]);
    expect(log.events[0]).not.toHaveProperty('after');
  });

  it.each([
    ['an opaque program', opaque],
    ['an open set of files', unknownFiles],
  ] as const)('are compared after an execution with %s', async (_, capability) => {
    const { call, log } = watched(capability, (executed) => executed > 0);
    const outcome = await call();
    expect(outcome.status).toBe('completed');
    expect(log.events.slice(-2)).toMatchObject([
      { event: 'outcome', outcome: 'completed' },
      { event: 'guard_changed', after: outcome.call, changes: [change] },
    ]);
    expect(await call()).toMatchObject({ refusal: { code: 'stopped' } });
  });

  it('are not compared after other executions', async () => {
    const { call, log } = watched({ name: 'fs.read', path: '/w/a' }, (executed) => executed > 0);
    await call();
    expect(log.events.map(({ event }) => event)).toEqual(['decision', 'outcome']);
  });
});
