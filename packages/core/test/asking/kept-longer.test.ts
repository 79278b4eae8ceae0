import { describe, expect, it } from 'vitest';
import { type Admission, defaultAdmission, delegate, guard, type Keeping } from '../../src/index.js';
import { answering, boxOf, no, policy, ruleAbout, type Setting, stage, yes } from '../guard/stage.js';
import { MemoryKeeper } from './memory-keeper.js';

const keeping = (keep: Keeping) => answering({ answer: 'approve', person: 'ann', keep });
const always: Keeping = { remember: 'always', reach: 'file' };
const run: Keeping = { remember: 'run', reach: 'file' };
const admitting = (admits: Partial<Admission>, name = 'policy.yaml') =>
  policy({ name, admits: { ...defaultAdmission, remember: 'always', reach: 'capability', ...admits } });

const put = { tool: 'put', args: { path: '/w/a' } };

const keptIn = (keeper: MemoryKeeper, answers: Setting['answers'] = [keeping(always), no]) =>
  stage({ policies: [admitting({})], answers: answers ?? [], options: { keeper } });

describe('an answer that is kept until a time', () => {
  it.each([run, always])('is valid before that time and not from then on: %j', async (keep) => {
    const keeper = new MemoryKeeper();
    const { box, asked, clock } = keptIn(keeper, [keeping({ ...keep, until: 1100 }), no]);
    expect((await box.call(put)).status).toBe('completed');
    clock.pass(99);
    expect((await box.call(put)).status).toBe('completed');
    clock.pass(1);
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'denied' } });
    expect(asked).toHaveLength(2);
  });

  it('has its time in the log', async () => {
    const { box, log } = keptIn(new MemoryKeeper(), [keeping({ ...run, until: 1100 })]);
    await box.call(put);
    expect(log.of('approval')).toMatchObject([{ keep: { ...run, until: 1100 } }]);
  });

  it('applies to its own call even if the time is already over', async () => {
    const { box, asked, executed } = keptIn(new MemoryKeeper(), [keeping({ ...run, until: -1 })]);
    await box.call(put);
    await box.call(put);
    expect([asked.length, executed.length]).toEqual([2, 2]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '2030', null])(
    'is rejected if that time is %s',
    async (until) => {
      const { box } = keptIn(new MemoryKeeper(), [keeping({ ...run, until: until as number })]);
      expect(await box.call(put)).toMatchObject({ refusal: { code: 'unanswered' } });
    },
  );
});

describe('a kept answer, when a policy arrives', () => {
  it.each([run, always])('answers no question of it, whatever it admits: %j', async (keep) => {
    const come: ReturnType<typeof policy>[] = [];
    const { box, asked } = stage({
      policies: [admitting({})],
      answers: [keeping(keep), yes],
      options: { keeper: new MemoryKeeper(), newer: () => Promise.resolve(come.splice(0)) },
    });
    await box.call(put);
    await box.call(put);
    expect(asked).toHaveLength(1);
    come.push(admitting({}, 'policy.yaml (reload 1)'));
    await box.call(put);
    expect(asked.map(({ asked_by }) => asked_by.map(({ policy: name }) => name))).toEqual([
      ['policy.yaml'],
      ['policy.yaml (reload 1)'],
    ]);
  });

  it('still answers questions of the other policies if the new one does not ask', async () => {
    const come = [policy({ name: 'silent.yaml', default: { decision: 'pre_approved', answer: 'any' } })];
    const given = [[], come];
    const { box, asked } = stage({
      policies: [admitting({})],
      answers: [keeping(run), no],
      options: { newer: () => Promise.resolve(given.shift() ?? []) },
    });
    await box.call(put);
    await box.call(put);
    expect(asked).toHaveLength(1);
  });
});

describe('an answer that is kept longer than the run', () => {
  it('is given to the keeper after it is recorded, and applies in another run', async () => {
    const keeper = new MemoryKeeper();
    const first = keptIn(keeper);
    await first.box.call(put);
    expect(keeper.answers).toEqual([
      {
        source: 'kept',
        approval: 'id-2',
        person: 'ann',
        chain: ['main'],
        tool: 'box.put',
        args: { path: '/w/a', text: '' },
        shown: [{ name: 'fs.write', path: '/w/a' }],
        policies: ['policy.yaml'],
        ...always,
      },
    ]);
    expect(first.run.asker.memory.kept).toEqual([]);
    const second = keptIn(keeper, [no]);
    expect((await second.box.call(put)).status).toBe('completed');
    expect(second.asked).toEqual([]);
    expect(second.log.of('approval')).toMatchObject([{ how: 'grant', who: [{ by: 'kept', person: 'ann' }] }]);
    expect(second.log.of('decision')).toMatchObject([{ grants: [{ source: 'kept', approval: 'id-2' }] }]);
  });

  it('stops applying as soon as it is revoked', async () => {
    const keeper = new MemoryKeeper();
    const { box, asked } = keptIn(keeper);
    await box.call(put);
    await box.call(put);
    keeper.revokeAll();
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'denied' } });
    expect(asked).toHaveLength(2);
  });

  it('is not looked up if no question is open, or a person must answer', async () => {
    const keeper = new MemoryKeeper();
    const person = policy({ rules: [ruleAbout('fs.write', { answer: 'person' })] });
    const silent = policy({ default: { decision: 'pre_approved', answer: 'any' } });
    for (const given of [person, silent]) {
      const { box } = stage({ policies: [given], answers: [no], options: { keeper, open: true } });
      await box.call(put);
    }
    expect(keeper.looked).toEqual([]);
  });

  it('answers no other tool, even if the keeper returns it', async () => {
    const keeper = new MemoryKeeper();
    await keptIn(keeper).box.call(put);
    const [answer] = keeper.answers;
    if (answer === undefined) throw new Error('nothing is kept');
    keeper.answers[0] = { ...answer, tool: 'box.take', reach: 'capability' };
    const { box, asked } = keptIn(keeper, [no]);
    await box.call(put);
    expect(asked).toHaveLength(1);
  });

  it('answers no other chain', async () => {
    const keeper = new MemoryKeeper();
    await keptIn(keeper).box.call(put);
    const { authority, asked } = keptIn(keeper, [no]);
    await guard(boxOf([]), delegate(authority, 'helper')).call(put);
    expect(asked).toHaveLength(1);
  });

  it('is kept only as long as every asking policy admits', async () => {
    const keeper = new MemoryKeeper();
    const short = admitting({ remember: 'run' }, 'short.yaml');
    const { box, run: made } = stage({
      policies: [admitting({}), short],
      answers: [keeping(always)],
      options: { keeper },
    });
    await box.call(put);
    expect([keeper.answers, made.asker.memory.kept.map(({ remember }) => remember)]).toEqual([[], ['run']]);
    // A store that holds one all the same does not make it admitted.
    keeper.answers.push({
      ...(made.asker.memory.kept[0] as (typeof made.asker.memory.kept)[0]),
      remember: 'always',
    });
    const later = stage({ policies: [admitting({}), short], answers: [no], options: { keeper } });
    expect(await later.box.call(put)).toMatchObject({ refusal: { code: 'denied' } });
  });

  it('is kept for the run if there is no keeper', async () => {
    const { box, run: made, asked } = stage({ policies: [admitting({})], answers: [keeping(always)] });
    await box.call(put);
    expect(asked).toMatchObject([{ keep: { remember: 'run', reach: 'capability' } }]);
    expect(made.asker.memory.kept).toMatchObject([{ remember: 'run' }]);
  });

  it('stops the run before the call if it cannot be kept', async () => {
    const keeper = new MemoryKeeper();
    keeper.keep = () => Promise.reject(new Error('the disk is full'));
    const { box, run: made, executed } = keptIn(keeper);
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'stopped' } });
    expect([made.stopped, executed]).toEqual(['the answer cannot be kept: the disk is full', []]);
  });

  it('is not kept if it cannot be recorded', async () => {
    const keeper = new MemoryKeeper();
    const { box, log } = keptIn(keeper);
    log.failsAt.push(2);
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'unrecorded' } });
    expect(keeper.answers).toEqual([]);
  });

  it('refuses the call if the keeper does not respond', async () => {
    const keeper = new MemoryKeeper();
    keeper.kept = () => Promise.reject(new Error('locked'));
    const { box, asked, executed } = keptIn(keeper, [yes]);
    expect(await box.call(put)).toMatchObject({
      refusal: { code: 'unjudged', reason: 'judging failed: locked' },
    });
    expect([asked, executed]).toEqual([[], []]);
  });
});
