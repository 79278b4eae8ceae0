import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/index.js';
import { asking, deciding, policy, ruleAbout, stage, write, yes } from './stage.js';

const call = { tool: 'put', args: { path: '/w/a' } };
const later = (changes: Partial<Policy>): Policy => policy({ ...changes, name: 'policy.yaml (reload 1)' });
const blocking = later({ rules: [ruleAbout('fs', { decision: 'blocked' })] });
const free = { policies: [deciding('pre_approved')], mode: 'strict' } as const;

/** Gives each list of policies once, one at each look. */
function arriving(...lists: readonly (readonly Policy[])[]): () => Promise<readonly Policy[]> {
  const waiting = [...lists];
  return () => Promise.resolve(waiting.shift() ?? []);
}

describe('a policy that arrives during a run', () => {
  it('judges beside the initial policies, from the next call on', async () => {
    const { box, log } = stage({ ...free, options: { newer: arriving([], [blocking]) } });
    expect((await box.call(call)).status).toBe('completed');
    for (const _ of ['the first after it', 'one more']) {
      expect(await box.call(call)).toMatchObject({ refusal: { code: 'blocked' } });
    }
    expect(log.of('decision').map(({ decision }) => decision)).toEqual([
      'pre_approved',
      'blocked',
      'blocked',
    ]);
  });

  it('never loosens the initial policies', async () => {
    const permitting = later({ rules: [ruleAbout('fs', { decision: 'pre_approved', below: true })] });
    const { box } = stage({ mode: 'strict', options: { newer: arriving([permitting]) } });
    expect(await box.call(call)).toMatchObject({ refusal: { code: 'strict' } });
  });

  it('judges a call that was just approved', async () => {
    const { box, executed, asked } = stage({ answers: [yes], options: { newer: arriving([], [blocking]) } });
    expect(await box.call(call)).toMatchObject({ refusal: { code: 'blocked' } });
    expect([executed.length, asked.length]).toEqual([0, 1]);
  });

  it('asks its own questions, which answers to other policies do not answer', async () => {
    const { box, asked, log } = stage({ answers: [yes], options: { newer: arriving([], [later({})]) } });
    expect((await box.call(call)).status).toBe('completed');
    expect(asked.map(({ asked_by }) => asked_by.map(({ policy: name }) => name))).toEqual([
      ['policy.yaml'],
      ['policy.yaml', 'policy.yaml (reload 1)'],
    ]);
    expect(log.story).toEqual(['decision', 'approval', 'decision', 'approval', 'outcome']);
  });

  it.each<readonly [string, () => Promise<readonly Policy[]>]>([
    ['cannot be loaded', () => Promise.reject(new Error('no disk'))],
    ['has the name of a judging policy', arriving([{ ...asking }])],
  ])('refuses the call if it %s', async (_, newer) => {
    const { box, executed } = stage({ ...free, options: { newer } });
    expect(await box.call(call)).toMatchObject({ refusal: { code: 'unjudged' } });
    expect(executed).toEqual([]);
  });
});

describe('a call that its tool cannot do', () => {
  const missing = () => ({ capabilities: [write('/w/a')], cannot: 'there is no such file' });

  it('is refused before any question, and recorded with its judgement', async () => {
    const { box, asked, log } = stage({ answers: [yes], tool: { describe: missing } });
    expect(await box.call(call)).toMatchObject({
      refusal: { code: 'cannot', reason: 'there is no such file' },
    });
    expect(asked).toEqual([]);
    expect(log.of('decision')).toMatchObject([{ decision: 'needs_approval', code: 'cannot' }]);
  });

  it('reveals nothing that the tool found out if a policy blocks it', async () => {
    const { box, log } = stage({ policies: [deciding('blocked')], tool: { describe: missing } });
    const outcome = await box.call(call);
    expect(outcome).toMatchObject({ refusal: { code: 'blocked' } });
    expect(JSON.stringify([outcome, log.of('decision')])).not.toContain('no such file');
  });
});

describe('the reason of a default', () => {
  it('names the undecided rules', async () => {
    const rule = ruleAbout('fs', {
      decision: 'pre_approved',
      below: true,
      condition: () => ({ undecided: 'no `context.env`' }),
    });
    const { box } = stage({ mode: 'strict', policies: [policy({ rules: [rule] })] });
    expect(await box.call(call)).toMatchObject({
      refusal: {
        reason:
          'fs.write needs approval: no rule of policy.yaml certainly applies (about-fs at policy.yaml:3:5 is undecided: no `context.env`), and this is its default',
      },
    });
  });
});
