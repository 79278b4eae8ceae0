import { describe, expect, it } from 'vitest';
import {
  type CallOutcome,
  type Capability,
  delegate,
  guard,
  type Preview,
  type Question,
} from '../../src/index.js';
import { turn } from '../guard/manual-clock.js';
import { answering, asking, boxOf, no, policy, stage, write, yes } from '../guard/stage.js';
import { approve, codes, later, put, refuse } from './waiting-calls.js';

describe('identical calls at the same time', () => {
  it('are one question that shows their number, and each has its own answer in the log', async () => {
    const { box, asked, executed, log } = stage({ answers: [yes] });
    const outcomes = await Promise.all([box.call(put()), box.call(put()), box.call(put())]);
    expect(codes(outcomes)).toEqual(['completed', 'completed', 'completed']);
    expect(asked.map(({ id, call, calls }) => ({ id, call, calls }))).toEqual([
      { id: 'id-1.1', call: 'id-1', calls: ['id-1', 'id-2', 'id-3'] },
    ]);
    expect(executed).toHaveLength(3);
    expect(log.of('approval').map(({ call, who, approved }) => ({ call, who, approved }))).toEqual([
      { call: 'id-1', who: { person: 'ann', approval: 'id-4' }, approved: true },
      { call: 'id-2', who: { person: 'ann', approval: 'id-5' }, approved: true },
      { call: 'id-3', who: { person: 'ann', approval: 'id-6' }, approved: true },
    ]);
    expect(new Set(log.of('approval').map(({ question }) => question?.id))).toEqual(new Set(['id-1.1']));
  });

  it('are recorded together, so that an answer applies to all or none', async () => {
    const set = later();
    const calls = [set.box.call(put()), set.box.call(put())];
    await turn();
    const before = set.log.events.length;
    set.log.failsAt.push(3);
    await set.say(0, approve);
    expect(codes(await Promise.all(calls))).toEqual(['unrecorded', 'unrecorded']);
    expect([set.log.events.length, set.executed]).toEqual([before, []]);
  });

  it('are all refused by one no, and not asked about again', async () => {
    const { box, asked, executed } = stage({ answers: [no, yes] });
    const outcomes = await Promise.all([box.call(put()), box.call(put())]);
    expect(codes([...outcomes, await box.call(put())])).toEqual(['denied', 'denied', 'denied']);
    expect([asked.length, executed]).toEqual([1, []]);
  });

  it('all run with the arguments that a person wrote, each judged on its own', async () => {
    const edits = answering({ answer: 'approve', person: 'ann', args: { path: '/w/a', text: 'x' } });
    const { box, asked, executed, log } = stage({ answers: [edits] });
    const outcomes = await Promise.all([box.call(put()), box.call(put())]);
    const args = { path: '/w/a', text: 'x' };
    expect(outcomes).toMatchObject([{ edited: args }, { edited: args }]);
    expect([asked.length, executed]).toEqual([1, [args, args]]);
    expect(log.of('approval')).toMatchObject([
      { edited: true, args: { path: '/w/a', text: 'x' } },
      { edited: true, args: { path: '/w/a', text: 'x' } },
    ]);
  });

  it('share the next question if their edited arguments need approval', async () => {
    const edits = answering({ answer: 'approve', person: 'ann', args: { path: '/w/b' } });
    const { box, asked, executed } = stage({ answers: [edits, yes] });
    await Promise.all([box.call(put()), box.call(put()), box.call(put())]);
    expect(asked.map(({ id, calls }) => [id, calls?.length])).toEqual([
      ['id-1.1', 3],
      ['id-1.2', 3],
    ]);
    expect(executed).toHaveLength(3);
  });

  it('are asked about in order with other calls, regardless of the duration of previews', async () => {
    const preview = async ({ path }: { path?: unknown }): Promise<Preview> => {
      for (let rest = path === '/w/a' ? 20 : 0; rest > 0; rest -= 1) await turn();
      return { path: String(path), before: null, after: 'x' };
    };
    const { box, asked } = stage({ answers: [yes], tool: { preview: preview as never } });
    await Promise.all(['/w/a', '/w/b', '/w/a', '/w/c'].map((path) => box.call(put(path))));
    expect(asked.map(({ args }) => args.path)).toEqual(['/w/a', '/w/b', '/w/c']);
  });

  it('are asked about in order with other calls, regardless of the duration of descriptions', async () => {
    const rest: Readonly<Record<string, number>> = { '/w/a': 20, '/w/b': 2, '/w/c': 9, '/w/d': 0 };
    const describe = async ({ path }: { path?: unknown }) => {
      for (let left = rest[String(path)] ?? 0; left > 0; left -= 1) await turn();
      return { capabilities: [write(String(path))] };
    };
    const { box, asked } = stage({ answers: [yes], tool: { describe } });
    await Promise.all(Object.keys(rest).map((path) => box.call(put(path))));
    expect(asked.map(({ args }) => args.path)).toEqual(Object.keys(rest));
  });

  it('do not delay other calls if they arrive during the question', async () => {
    const { box, asked, say } = later();
    const calls = [box.call(put('/w/a'))];
    await turn();
    calls.push(box.call(put('/w/a')), box.call(put('/w/b')));
    await turn();
    expect(asked.map(({ args }) => args.path)).toEqual(['/w/a', '/w/b']);
    for (const index of [0, 1, 2]) await say(index, approve);
    expect(codes(await Promise.all(calls))).toEqual(['completed', 'completed', 'completed']);
  });

  it('store a kept answer once', async () => {
    const keeping = answering({ ...approve, keep: { remember: 'run', reach: 'file' } });
    const { box, run, log } = stage({ answers: [keeping] });
    await Promise.all([box.call(put()), box.call(put())]);
    expect(run.asker.memory.kept.map(({ approval }) => approval)).toEqual(['id-3']);
    expect(log.of('approval').map(({ how, keep }) => [how, keep?.reach ?? null])).toEqual([
      ['person', 'file'],
      ['person', null],
    ]);
  });

  it('share a question regardless of the duration of their descriptions', async () => {
    const describe = async ({ path }: { path?: unknown }, { signal }: { signal: AbortSignal }) => {
      slow += 1;
      for (let rest = slow * 3; rest > 0 && !signal.aborted; rest -= 1) await turn();
      return { capabilities: [write(String(path))] };
    };
    let slow = 0;
    const { box, asked } = stage({ answers: [yes], tool: { describe } });
    await Promise.all([box.call(put()), box.call(put()), box.call(put('/w/b')), box.call(put())]);
    expect(asked.map(({ calls, args }) => [args.path, calls?.length ?? 1])).toEqual([
      ['/w/a', 3],
      ['/w/b', 1],
    ]);
  });

  it('share a question across two workers with the same name and chain', async () => {
    const { authority, asked, box } = stage({ answers: [yes] });
    const helpers = [delegate(authority, 'helper'), delegate(authority, 'helper')];
    const boxes = helpers.map((helper) => guard(boxOf([]), helper));
    await Promise.all([...boxes.map((helper) => helper.call(put())), box.call(put())]);
    expect(asked.map(({ chain, calls }) => [chain.length, calls?.length ?? 1])).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  it.each<readonly [string, unknown, unknown]>([
    ['path', { path: '/w/a' }, { path: '/w/b' }],
    ['text', { path: '/w/a' }, { path: '/w/a', text: 'x' }],
  ])('share no question with a call with another %s', async (_, one, other) => {
    const { box, asked } = stage({ answers: [yes] });
    await Promise.all([one, other].map((args) => box.call({ tool: 'put', args })));
    expect(asked.map(({ calls }) => calls ?? null)).toEqual([null, null]);
  });

  it('share no question with a call with other capabilities', async () => {
    let count = 0;
    const describe = (): { capabilities: Capability[] } => {
      count += 1;
      return { capabilities: [write('/w/a'), ...(count % 2 === 0 ? [write('/w/b')] : [])] };
    };
    const { box, asked } = stage({ answers: [no], tool: { describe } });
    await Promise.all([box.call(put()), box.call(put())]);
    expect(asked.map(({ capabilities, calls }) => [capabilities.length, calls ?? null])).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  it('share no question with a call that another policy asks about', async () => {
    const come = [[], [policy({ name: 'late.yaml' })]];
    const { box, asked } = stage({
      policies: [asking],
      answers: [no],
      options: { newer: () => Promise.resolve(come.shift() ?? []) },
    });
    await Promise.all([box.call(put()), box.call(put())]);
    expect(asked[0]?.calls ?? null).toBeNull();
  });
});

describe('a call that arrives when an identical one has been shown', () => {
  it('does not use the answer to the shown call', async () => {
    const { box, asked, executed, say } = later();
    const three = [box.call(put()), box.call(put()), box.call(put())];
    await turn();
    const fourth = box.call(put());
    await turn();
    expect(asked.map(({ calls }) => calls?.length ?? 1)).toEqual([3]);
    await say(0, approve);
    expect(codes(await Promise.all(three))).toEqual(['completed', 'completed', 'completed']);
    await turn();
    expect([executed.length, asked.map(({ call }) => call)]).toEqual([3, ['id-1', 'id-4']]);
    await say(1, refuse);
    expect(codes([await fourth])).toEqual(['denied']);
    expect(executed).toHaveLength(3);
  });

  it('does not use that answer if it arrives while the question is prepared', async () => {
    const shown: Question[] = [];
    const calls: Promise<CallOutcome>[] = [];
    const { box, executed } = stage({
      answers: [
        (question) => {
          shown.push(question);
          // The approver has it: what comes from now on is not in it.
          if (shown.length === 1) calls.push(box.call(put()));
          return Promise.resolve(shown.length === 1 ? approve : refuse);
        },
      ],
    });
    calls.push(box.call(put()));
    await Promise.all(calls);
    expect(codes(await Promise.all(calls))).toEqual(['completed', 'denied']);
    expect([shown.map(({ calls: all }) => all ?? null), executed.length]).toEqual([[null, null], 1]);
  });

  it('shares a question with others that arrived meanwhile', async () => {
    const { box, asked, say } = later();
    const calls = [box.call(put())];
    await turn();
    for (let more = 0; more < 5; more += 1) {
      calls.push(box.call(put()));
      await turn();
    }
    await say(0, approve);
    expect(asked.map(({ calls: all }) => all?.length ?? 1)).toEqual([1, 5]);
    await say(1, approve);
    expect(codes(await Promise.all(calls))).toEqual(Array(6).fill('completed'));
  });

  it('is refused with the shown call, without a question', async () => {
    const { box, asked, say } = later();
    const calls = [box.call(put())];
    await turn();
    calls.push(box.call(put()));
    await turn();
    await say(0, refuse);
    expect(codes(await Promise.all(calls))).toEqual(['denied', 'denied']);
    expect(asked).toHaveLength(1);
  });

  it('runs without a question if a kept answer covers it', async () => {
    const { box, asked, say, log } = later();
    const calls = [box.call(put())];
    await turn();
    calls.push(box.call(put()));
    await turn();
    await say(0, { ...approve, keep: { remember: 'run', reach: 'file' } });
    expect(codes(await Promise.all(calls))).toEqual(['completed', 'completed']);
    expect([asked.length, log.of('approval').map(({ how }) => how)]).toEqual([1, ['person', 'grant']]);
  });
});
