import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import type { Approver, CallOutcome } from '../../src/index.js';
import { turn } from '../guard/manual-clock.js';
import { policy, ruleAbout, stage, write, yes } from '../guard/stage.js';
import { approve, codes, later, put, refuse } from './waiting-calls.js';

describe('of identical waiting calls', () => {
  it('a cancelled one ends, and the others are answered', async () => {
    const { box, asked, executed, say, log } = later();
    const end = new AbortController();
    const calls = [box.call({ ...put(), signal: end.signal }), box.call(put())];
    await turn();
    end.abort();
    expect(codes([await (calls[0] as Promise<CallOutcome>)])).toEqual(['cancelled']);
    expect(asked).toHaveLength(1);
    await say(0, approve);
    expect(codes(await Promise.all(calls))).toEqual(['cancelled', 'completed']);
    expect(executed).toHaveLength(1);
    expect(log.of('approval').map(({ call, how, note }) => [call, how, note])).toEqual([
      ['id-1', 'error', 'cancelled'],
      ['id-2', 'person', null],
    ]);
  });

  it('one that is cancelled at a later part of the question ends at once', async () => {
    const silent = { default: { decision: 'pre_approved', answer: 'any' } } as const;
    const apart = policy({ ...silent, rules: [ruleAbout('data.share', { apart: true })] });
    const share = (path: string) => ({ name: 'data.share', path, sha256: path });
    const { box, asked, executed, say } = later({
      policies: [apart],
      options: { open: true },
      tool: { describe: () => ({ capabilities: [share('/w/a'), share('/w/b')] }) },
    });
    const end = new AbortController();
    const calls = [box.call({ ...put(), signal: end.signal }), box.call(put())];
    await turn();
    await say(0, approve);
    expect(asked.map(({ part, calls: all }) => [part?.number, all?.length])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    end.abort();
    expect(codes([await (calls[0] as Promise<CallOutcome>)])).toEqual(['cancelled']);
    await say(1, approve);
    expect(codes(await Promise.all(calls))).toEqual(['cancelled', 'completed']);
    expect(executed).toHaveLength(1);
  });

  it('a new one is asked about after all earlier ones were cancelled', async () => {
    const { box, asked, say } = later();
    const end = new AbortController();
    const first = box.call({ ...put(), signal: end.signal });
    await turn();
    end.abort();
    const next = box.call(put());
    expect(codes([await first])).toEqual(['cancelled']);
    await turn();
    expect(asked).toHaveLength(2);
    await say(1, approve);
    expect(codes([await next])).toEqual(['completed']);
  });

  it('one that is cancelled before the question is not counted', async () => {
    const end = new AbortController();
    const describe = async ({ path }: { path?: unknown }) => {
      count += 1;
      if (count === 2) {
        await turn();
        end.abort();
      }
      return { capabilities: [write(String(path))] };
    };
    let count = 0;
    const { box, asked } = stage({ answers: [yes], tool: { describe } });
    const calls = [box.call({ ...put(), signal: end.signal }), box.call(put()), box.call(put())];
    expect(codes(await Promise.all(calls))).toEqual(['cancelled', 'completed', 'completed']);
    expect(asked.map(({ call, calls: all }) => [call, all])).toEqual([['id-3', ['id-3', 'id-2']]]);
  });

  it('all end if all are cancelled, and the approver is told', async () => {
    let told = 0;
    const waiting: Approver['ask'] = (_, signal) => {
      signal.addEventListener('abort', () => {
        told += 1;
      });
      return new Promise(() => {});
    };
    const { box } = stage({ answers: [waiting] });
    const ends = [new AbortController(), new AbortController()];
    const calls = ends.map(({ signal }) => box.call({ ...put(), signal }));
    await turn();
    for (const end of ends) {
      expect(told).toBe(0);
      end.abort();
      await turn();
    }
    expect(codes(await Promise.all(calls))).toEqual(['cancelled', 'cancelled']);
    expect(told).toBe(1);
  });

  it('all end if the run stops, before or during the question', async () => {
    const { box, run } = later();
    const calls = [box.call(put()), box.call(put())];
    await turn();
    calls.push(box.call(put()), box.call(put()));
    await turn();
    run.stop('enough');
    expect(codes(await Promise.all(calls))).toEqual(Array(4).fill('stopped'));
  });

  it('all are refused if no answer comes in time, or the approver fails', async () => {
    const { box, clock } = stage({
      answers: [() => new Promise(() => {})],
      options: { answerLimit: 50, describeLimit: 1_000_000 },
    });
    const calls = [box.call(put()), box.call(put())];
    await turn();
    clock.pass(50);
    expect(codes(await Promise.all(calls))).toEqual(['unanswered', 'unanswered']);
    const failing = stage({ answers: [() => Promise.reject(new Error('no screen'))] });
    const others = [failing.box.call(put()), failing.box.call(put())];
    expect(codes(await Promise.all(others))).toEqual(['unanswered', 'unanswered']);
  });

  it('nested ones do not wait for their parent call', async () => {
    const { box, asked } = stage({
      answers: [yes],
      tool: {
        // The parents run at once: neither changes what the other depends on.
        describe: ({ path }) => ({
          capabilities: [path === '/w/a' ? { name: 'fs.read', path } : write(path as string)],
        }),
        execute: async ({ path }, { call }) => {
          if (path !== '/w/a') return 'leaf';
          const inner = await Promise.all([
            call('box.put', { path: '/w/b' }),
            call('box.put', { path: '/w/b' }),
          ]);
          return codes(inner);
        },
      },
    });
    const calls = [box.call(put()), box.call(put())];
    expect(await Promise.all(calls)).toMatchObject([
      { result: ['completed', 'completed'] },
      { result: ['completed', 'completed'] },
    ]);
    expect(asked.map(({ args, calls: all }) => [args.path, all?.length])).toEqual([
      ['/w/a', 2],
      ['/w/b', 4],
    ]);
  });

  it('one whose description hangs delays the others only up to the time limit', async () => {
    const describe = ({ path }: { path?: unknown }) =>
      path === '/w/b' ? new Promise<never>(() => {}) : { capabilities: [write(String(path))] };
    const { box, asked, clock } = stage({ answers: [yes], tool: { describe } });
    const calls = [box.call(put()), box.call(put('/w/b'))];
    await turn();
    expect(asked).toEqual([]);
    clock.pass(10_000);
    expect(codes(await Promise.all(calls))).toEqual(['completed', 'undescribed']);
  });
});

describe('in any order of calls, answers and cancellations', () => {
  it('exactly the shown and approved calls run, and nothing hangs', async () => {
    const step = fc.record({
      path: fc.constantFrom('/w/a', '/w/b'),
      /** How many turns pass before the next one comes. */
      wait: fc.constantFrom(0, 0, 0, 1, 2),
      cancel: fc.constantFrom(false, false, false, true),
    });
    const answer = fc.record({ wait: fc.constantFrom(0, 1, 3), yes: fc.boolean(), again: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 10 }),
        fc.array(answer, { minLength: 1, maxLength: 6 }),
        async (steps, answers) => {
          const allowed = new Set<string>();
          const shown: string[] = [];
          let count = 0;
          const { box, log } = stage({
            answers: [
              async (question) => {
                const said = answers[count % answers.length];
                count += 1;
                shown.push(...(question.calls ?? [question.call]));
                for (let rest = said?.wait ?? 0; rest > 0; rest -= 1) await turn();
                if (said?.yes !== true) return { ...refuse, ask_again: said?.again === true };
                for (const call of question.calls ?? [question.call]) allowed.add(call);
                return approve;
              },
            ],
          });
          const calls: Promise<CallOutcome>[] = [];
          for (const { path, wait, cancel } of steps) {
            const end = new AbortController();
            calls.push(box.call({ ...put(path), signal: end.signal }));
            for (let rest = wait; rest > 0; rest -= 1) await turn();
            if (cancel) end.abort();
          }
          const outcomes = await Promise.all(calls);
          const ran = outcomes.flatMap((outcome) => (outcome.status === 'completed' ? [outcome.call] : []));
          expect(ran.filter((call) => !allowed.has(call))).toEqual([]);
          // Nobody is asked twice about one call.
          expect(shown.length).toBe(new Set(shown).size);
          expect(log.of('outcome')).toHaveLength(steps.length);
        },
      ),
      explore(300),
    );
  });
});

describe('identical calls of a resumed run', () => {
  it('share a question only with calls that shared it before', async () => {
    const earlier = {
      history: [],
      kept: [],
      refused: [],
      answers: [],
      shown: [['old'], ['one', 'two'], ['three']],
    };
    const { box, asked } = stage({ answers: [yes], options: { earlier } });
    const ids = ['one', 'three', 'four', 'two', 'five'];
    await Promise.all(ids.map((id) => box.call({ ...put(), id })));
    expect(asked.map(({ call, calls }) => calls ?? call)).toEqual([
      ['one', 'two'],
      'three',
      ['four', 'five'],
    ]);
  });

  it('report that they wait for the answer to another call', async () => {
    let waiting = 0;
    const whileWaiting = async <T>(work: Promise<T>): Promise<T> => {
      waiting += 1;
      try {
        return await work;
      } finally {
        waiting -= 1;
      }
    };
    const { box, say } = later({ options: { whileWaiting } });
    const calls = [box.call(put()), box.call(put())];
    await turn();
    expect(waiting).toBe(0);
    calls.push(box.call(put()), box.call(put()));
    await turn();
    expect(waiting).toBe(2);
    await say(0, approve);
    expect(waiting).toBe(0);
    await say(1, approve);
    expect(codes(await Promise.all(calls))).toEqual(Array(4).fill('completed'));
  });
});
