import type { Json } from '@ambit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord, Step, Store } from '../../src/store/store.js';
import { questionSuite } from './store-suite-questions.js';
import { asked, executing, kept, nested, run } from './stored-things.js';

/** What every implementation of a store promises. `open` gives one that is empty, for each test. */
export function storeSuite(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describe('runs', () => {
      it('are running at first', async () => {
        await store.begin(run('a'));
        expect(await store.run('a')).toEqual({ ...run('a'), status: 'running', since: 1000 });
      });

      it('are listed with the newest first', async () => {
        for (const id of ['b', 'c', 'a']) await store.begin(run(id));
        expect((await store.runs()).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
      });

      it('are null if unknown', async () => {
        expect(await store.run('a')).toBe(null);
        expect(await store.runs()).toEqual([]);
      });

      it('begin once: another run with the same id is rejected without effect', async () => {
        await store.begin(run('a'));
        await expect(store.begin({ ...run('a'), worker: 'other' })).rejects.toThrow(
          'the run a exists already',
        );
        expect(await store.runs()).toEqual([{ ...run('a'), status: 'running', since: 1000 }]);
      });

      it('are one run if several with the same id begin simultaneously', async () => {
        const begun = await Promise.allSettled([1, 2, 3].map((pid) => store.begin({ ...run('a'), pid })));
        expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
        expect(await store.runs()).toHaveLength(1);
      });

      it.each(['running', 'parked', 'finished', 'stopped', 'failed'] as const)(
        'become %s',
        async (status) => {
          await store.begin(run('a'));
          await store.begin(run('b'));
          await store.setStatus('a', status, 2000);
          expect((await store.runs()).map((one) => [one.id, one.status, one.since])).toEqual([
            ['b', 'running', 1000],
            ['a', status, 2000],
          ]);
        },
      );

      it('are running again after another process resumes them', async () => {
        await store.begin(run('a'));
        await store.begin(run('b'));
        await store.setStatus('a', 'parked', 2000);
        await store.resume('a', { pid: 77, at: 3000 });
        expect(await store.runs()).toEqual([
          { ...run('b'), status: 'running', since: 1000 },
          { ...run('a'), pid: 77, status: 'running', since: 3000 },
        ]);
        await expect(store.resume('c', { pid: 77, at: 3000 })).rejects.toThrow('there is no run c');
      });

      it('reject a status if unknown', async () => {
        await expect(store.setStatus('a', 'parked', 1)).rejects.toThrow('there is no run a');
      });
    });

    describe('forgotten runs', () => {
      const seen = async (id: string) => (await store.run(id)) as RunRecord;

      it('are removed with their steps and questions, and nothing else is', async () => {
        for (const id of ['a', 'b']) {
          await store.begin(run(id));
          await store.append(id, [executing(id)]);
          for (const question of [`${id}1`, `${id}2`, `${id}3`])
            await store.ask({ ...asked(question), run: id });
          await store.answer(`${id}2`, {
            digest: 'one',
            answer: { answer: 'approve', person: 'ada' },
            at: 1,
          });
          await store.withdraw(`${id}3`, 1);
        }
        await store.keep({ ...kept('k'), run: 'a' });
        await store.setStatus('a', 'finished', 2000);
        expect(await store.forget(await seen('a'))).toBe(true);
        expect([await store.run('a'), await store.steps('a')]).toEqual([null, []]);
        expect((await store.runs()).map(({ id }) => id)).toEqual(['b']);
        expect(await store.steps('b')).toEqual([executing('b')]);
        expect((await store.questions()).map(({ question }) => question.id)).toEqual(['b1', 'b2', 'b3']);
        expect(await store.kept()).toEqual([{ ...kept('k'), run: 'a' }]);
        await expect(store.append('a', [executing('1')])).rejects.toThrow('there is no run a');
        await expect(store.setStatus('a', 'failed', 1)).rejects.toThrow('there is no run a');
        await expect(store.resume('a', { pid: 1, at: 1 })).rejects.toThrow('there is no run a');
      });

      it('can be forgotten once', async () => {
        await store.begin(run('a'));
        const record = await seen('a');
        expect(await Promise.all([store.forget(record), store.forget(record)])).toEqual([true, false]);
      });

      it('stay if they changed since they were read', async () => {
        await store.begin(run('a'));
        await store.append('a', [executing('1')]);
        const before = await seen('a');
        await store.setStatus('a', 'parked', 2000);
        const parked = await seen('a');
        await store.resume('a', { pid: 77, at: 2000 });
        expect([await store.forget(before), await store.forget(parked)]).toEqual([false, false]);
        const others = [{ since: 1 }, { pid: 1 }, { status: 'parked' }, { id: 'b' }] as const;
        for (const other of others)
          expect(await store.forget({ ...(await seen('a')), ...other })).toBe(false);
        expect(await store.steps('a')).toEqual([executing('1')]);
        expect(await store.forget(await seen('a'))).toBe(true);
      });

      it('free their id for another run', async () => {
        await store.begin(run('a'));
        await store.append('a', [executing('1')]);
        await store.forget(await seen('a'));
        await store.begin(run('a'));
        expect(await store.steps('a')).toEqual([]);
      });
    });

    describe('steps', () => {
      beforeEach(() => store.begin(run('a')));

      it('are returned in the order in which they were added, for each run', async () => {
        await store.begin(run('b'));
        await store.append('a', [executing('1'), executing('2')]);
        await store.append('b', [executing('3')]);
        await store.append('a', [executing('4')]);
        expect(await store.steps('a')).toEqual([executing('1'), executing('2'), executing('4')]);
        expect(await store.steps('b')).toEqual([executing('3')]);
      });

      it('keep their order and stay together without awaiting', async () => {
        const calls = Array.from({ length: 50 }, (_, index) => index);
        await Promise.all(
          calls.map((call) => store.append('a', [executing(`${call}a`), executing(`${call}b`)])),
        );
        expect(await store.steps('a')).toEqual(
          calls.flatMap((call) => [executing(`${call}a`), executing(`${call}b`)]),
        );
      });

      it('are added all together or not at all', async () => {
        const bad = { step: 'executed', call: '2', came: { result: undefined } } as unknown as Step;
        await expect(store.append('a', [executing('1'), bad])).rejects.toThrow(
          'only plain JSON can be stored',
        );
        expect(await store.steps('a')).toEqual([]);
      });

      it('are added by each simultaneous request, even if others fail', async () => {
        const came = await Promise.allSettled([
          store.append('a', [executing('1')]),
          store.append('gone', [executing('2'), executing('3')]),
          store.begin({ ...run('a'), worker: 'other' }),
          store.append('a', [executing('4')]),
        ]);
        expect(came.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
        expect(await store.steps('a')).toEqual([executing('1'), executing('4')]);
        expect((await store.runs()).map(({ worker }) => worker)).toEqual(['main']);
      });

      it('require their run', async () => {
        await expect(store.append('b', [executing('1')])).rejects.toThrow('there is no run b');
        expect(await store.steps('b')).toEqual([]);
      });

      it.each<[string, Json]>([
        ['a key called __proto__', JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": null}}')],
        ['lone surrogates, in texts and keys', { '\ud800': ['\udc00x', 'a\ud83d'] }],
        ['a NUL and the text after it', { 'a\0b': 'before\0after' }],
        ['control and invisible characters', '\u0001\u001b[2J\u202e\u2028\ufeff\u{e0041}\r\n\t"\\'],
        ['text that resembles a number, a date or nothing', ['1', 1, '1.0', 'null', null, '', 'true', true]],
        ['numbers to their last digit', [0.1 + 0.2, 1e308, 5e-324, 9007199254740992, 2 ** 64, -1.5]],
        ['text of every plane', 'é漢\u{1f600}\u{10ffff}'],
        ['empty things', [{}, [], '', { '': '' }]],
        ['keys that look like places in a list, in their order', { b: 1, a: 2, 1: 3, 0: 4 }],
        ['a deep nest', nested(600)],
        ['a long text', 'x'.repeat(3_000_000)],
      ])('keep %s exactly', async (_, content) => {
        const step: Step = { step: 'started', place: 'entry', chain: ['main'], model: 'm', content };
        await store.append('a', [step]);
        const [kept] = await store.steps('a');
        expect(kept).toEqual(step);
        expect(JSON.stringify(kept)).toBe(JSON.stringify(step));
      });

      it('are rejected unless they are plain JSON', async () => {
        const cyclic: Record<string, unknown> = {};
        cyclic.self = cyclic;
        for (const content of [Number.NaN, 1n, new Date(0), [undefined], { a: undefined }, () => 1, cyclic])
          await expect(
            store.append('a', [
              { step: 'started', place: 'entry', chain: ['main'], model: 'm', content: content as Json },
            ]),
          ).rejects.toThrow('only plain JSON can be stored');
        expect(await store.steps('a')).toEqual([]);
      });

      it('do not change with the given object', async () => {
        const content = { list: [1] };
        await store.append('a', [{ step: 'started', place: 'entry', chain: ['main'], model: 'm', content }]);
        content.list.push(2);
        const [first] = (await store.steps('a')) as unknown as { content: { list: number[] } }[];
        first?.content.list.push(3);
        expect(await store.steps('a')).toEqual([
          { step: 'started', place: 'entry', chain: ['main'], model: 'm', content: { list: [1] } },
        ]);
      });
    });

    questionSuite(() => store);

    describe('kept answers', () => {
      it('are listed with the oldest first', async () => {
        for (const id of ['b', 'c', 'a']) await store.keep(kept(id));
        expect(await store.kept()).toEqual([kept('b'), kept('c'), kept('a')]);
      });

      it('are kept once: another one with the same id is rejected without effect', async () => {
        await store.keep(kept('a'));
        await expect(store.keep({ ...kept('a'), run: 'other' })).rejects.toThrow(
          'the answer a is already kept',
        );
        expect(await store.kept()).toEqual([kept('a')]);
      });

      it('are revoked once, and stay listed', async () => {
        await store.keep(kept('a'));
        await store.keep(kept('b'));
        expect(await Promise.all([store.revoke('a', 5000), store.revoke('a', 6000)])).toEqual([true, false]);
        expect(await store.kept()).toEqual([{ ...kept('a'), revoked: 5000 }, kept('b')]);
      });

      it('are not revoked if unknown', async () => {
        expect(await store.revoke('a', 1)).toBe(false);
      });
    });

    it.each(['', 'a\0b', '\ud800', 'a\nb', 'x'.repeat(501)])('refuses the id %j', async (id) => {
      const refused = 'is not an id that can be stored';
      await expect(store.begin(run(id))).rejects.toThrow(refused);
      await expect(store.run(id)).rejects.toThrow(refused);
      await expect(store.ask(asked(id))).rejects.toThrow(refused);
      await expect(store.ask(asked('q', id))).rejects.toThrow(refused);
      await expect(store.keep(kept(id))).rejects.toThrow(refused);
      expect([await store.runs(), await store.questions(), await store.kept()]).toEqual([[], [], []]);
    });

    it('stays closed', async () => {
      await store.begin(run('a'));
      await store.close();
      await store.close();
      await expect(store.runs()).rejects.toThrow('closed');
      await expect(store.begin(run('b'))).rejects.toThrow('closed');
    });

    it('are written before the store closes', async () => {
      await store.begin(run('a'));
      const added = store.append('a', [executing('1')]);
      await Promise.all([added, store.close()]);
    });
  });
}
