import { describe, expect, it } from 'vitest';
import { type Answer, type Approver, earlierRun, interruptedCall } from '../../src/index.js';
import { ArrayLog } from '../guard/array-log.js';
import { answering, no, policy, ruleAbout, type Setting, stage, yes } from '../guard/stage.js';

/** `share` of each of these files is to be asked about apart; `call` is asked about too where the policy does not permit it. */
const shares = (...files: readonly string[]) => [
  { name: 'worker.call', worker: 'helper' },
  ...files.flatMap((path) => [
    { name: 'data.share', path, bytes: 1, worker: 'helper', sha256: `of ${path}` },
    { name: 'fs.read', path },
  ]),
];

const open = { default: { decision: 'pre_approved', answer: 'any' } } as const;
const apart = ruleAbout('data.share', { id: 'apart', apart: true });
const permitting = policy({ ...open, name: 'roots', rules: [apart] });
const silent = policy({ ...open, name: 'given' });

const setting = (answers: readonly Approver['ask'][], more: Setting = {}): Setting => ({
  policies: [permitting, silent],
  options: { open: true },
  answers,
  tool: { describe: () => ({ capabilities: shares('/w/a', '/w/b', '/w/c') }) },
  ...more,
});

const put = { tool: 'put', args: { path: '/w/x' } };

describe('a rule that asks about each thing separately', () => {
  it('has one question for each thing; the first one also shows the whole call', async () => {
    const { box, asked, executed, log } = stage(setting([yes]));
    expect(await box.call(put)).toMatchObject({ status: 'completed' });
    expect(asked.map(({ part, capabilities }) => [part, capabilities.map(({ words }) => words)])).toEqual([
      [{ number: 1, of: 3 }, expect.arrayContaining(['hand /w/c (1 bytes) to the worker helper'])],
      [{ number: 2, of: 3 }, ['hand /w/b (1 bytes) to the worker helper']],
      [{ number: 3, of: 3 }, ['hand /w/c (1 bytes) to the worker helper']],
    ]);
    expect(asked.map(({ summary }) => summary)).toEqual([
      'hand /w/a (1 bytes) to the worker helper',
      'hand /w/b (1 bytes) to the worker helper',
      'hand /w/c (1 bytes) to the worker helper',
    ]);
    expect(executed).toHaveLength(1);
    expect(log.story).toEqual(['decision', 'approval', 'approval', 'approval', 'outcome']);
  });

  it.each([1, 2, 3])('ends the call at the first refusal, at answer %i too', async (which) => {
    let count = 0;
    const { box, asked, executed } = stage(
      setting([
        async (...given) => {
          count += 1;
          return count === which ? no(...given) : yes(...given);
        },
      ]),
    );
    expect(await box.call(put)).toMatchObject({ status: 'refused', refusal: { code: 'denied' } });
    expect([asked.length, executed]).toEqual([which, []]);
  });

  it('asks after the call’s other questions, which share one question', async () => {
    const call = policy({ ...open, name: 'given', rules: [ruleAbout('worker.call')] });
    const { box, asked } = stage(setting([yes], { policies: [permitting, call] }));
    await box.call(put);
    expect(asked.map(({ part, asked_by }) => [part?.number, asked_by.map(({ policy: by }) => by)])).toEqual([
      [1, ['given']],
      [2, ['roots']],
      [3, ['roots']],
      [4, ['roots']],
    ]);
  });

  it('gives each part its own reasons', async () => {
    const call = policy({
      ...open,
      name: 'given',
      rules: [ruleAbout('worker.call', { instead: 'do it yourself' })],
    });
    const roots = policy({ ...open, name: 'roots', rules: [{ ...apart, reason: 'ask about files' }] });
    const { box, asked } = stage(setting([yes], { policies: [roots, call] }));
    await box.call(put);
    expect(asked.map(({ reason, instead }) => [reason, instead])).toEqual([
      [null, 'do it yourself'],
      ['ask about files', null],
      ['ask about files', null],
      ['ask about files', null],
    ]);
  });

  it('has one question about a thing with several paths', async () => {
    const [call, ...rest] = shares('/w/link');
    const other = { name: 'data.share', path: '/w/real', bytes: 1, worker: 'helper', sha256: 'of /w/link' };
    const capabilities = [call as (typeof rest)[number], rest[0] as (typeof rest)[number], other];
    const { box, asked } = stage(setting([yes], { tool: { describe: () => ({ capabilities }) } }));
    expect(await box.call(put)).toMatchObject({ status: 'completed' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.part).toBe(undefined);
  });

  it('does not run a call that changed during the last answer', async () => {
    let files = ['/w/a', '/w/b'];
    const { box, asked, executed } = stage(
      setting(
        [
          async (...given) => {
            if (asked.length === 2) files = ['/w/a', '/w/secret'];
            return asked.length > 2 ? no(...given) : yes(...given);
          },
        ],
        { tool: { describe: () => ({ capabilities: shares(...files) }) } },
      ),
    );
    expect(await box.call(put)).toMatchObject({ status: 'refused', refusal: { code: 'denied' } });
    expect(asked.map(({ again }) => again)).toEqual([null, null, 'the call changed while it waited']);
    expect(executed).toEqual([]);
  });

  it('asks about all parts again after a person edited one of them', async () => {
    const edit: Answer = { answer: 'approve', person: 'ann', args: { path: '/w/y' } };
    const { box, asked, executed } = stage(setting([async () => edit, yes]));
    expect(await box.call(put)).toMatchObject({ status: 'completed', edited: { path: '/w/y' } });
    expect(asked.map(({ part }) => part?.number)).toEqual([1, 1, 2, 3]);
    expect(executed).toEqual([{ path: '/w/y', text: '' }]);
  });

  it('cannot have a kept answer, unless it has only one question', async () => {
    const kept: Answer = { answer: 'approve', person: 'ann', keep: { remember: 'run', reach: 'file' } };
    const { box, asked, run } = stage(setting([answering(kept)]));
    expect(await box.call(put)).toMatchObject({ status: 'completed' });
    expect([run.asker.memory.kept, asked.map(({ keep }) => keep)]).toEqual([[], [null, null, null]]);
    const one = stage(
      setting([answering(kept)], { tool: { describe: () => ({ capabilities: shares('/w/a') }) } }),
    );
    await one.box.call(put);
    expect([one.run.asker.memory.kept.length, one.asked.length]).toEqual([1, 1]);
    await one.box.call(put);
    expect(one.asked.length).toBe(1);
  });

  it('continues with the unanswered parts after an interruption', async () => {
    for (const count of [1, 2, 3]) {
      const log = new ArrayLog();
      await stage(setting([yes], { log })).box.call({ ...put, id: 'call' });
      const events = log.events.slice(0, 1 + count);
      const again = stage(
        setting([yes], { log: new ArrayLog(), options: { open: true, earlier: earlierRun(events) } }),
      );
      const outcome = again.box.call({ ...put, id: 'call', interrupted: interruptedCall(events, false) });
      expect(await outcome).toMatchObject({ status: 'completed' });
      expect(again.asked.map(({ id, part }) => [id, part?.number])).toEqual(
        [1, 2, 3].slice(count).map((number) => [`call.${number}`, number]),
      );
    }
  });
});
