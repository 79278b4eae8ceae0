import type { Answer, Json, KeptAnswer, Question } from '@ambit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Step } from '../src/store/step.js';
import type { AskedQuestion, Store, StoredAnswer, StoredRun } from '../src/store/store.js';

/** What every implementation of a store promises. `open` gives one that is empty, for each test. */
export function storeSuite(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describe('runs', () => {
      it('are running when they begin', async () => {
        await store.begin(run('a'));
        expect(await store.run('a')).toEqual({ ...run('a'), status: 'running', since: 1000 });
      });

      it('are listed with the newest first', async () => {
        for (const id of ['b', 'c', 'a']) await store.begin(run(id));
        expect((await store.runs()).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
      });

      it('that are not there are null', async () => {
        expect(await store.run('a')).toBe(null);
        expect(await store.runs()).toEqual([]);
      });

      it('begin once: another of that id is rejected, and changes nothing', async () => {
        await store.begin(run('a'));
        await expect(store.begin({ ...run('a'), worker: 'other' })).rejects.toThrow(
          'there is a run a already',
        );
        expect(await store.runs()).toEqual([{ ...run('a'), status: 'running', since: 1000 }]);
      });

      it('of one id that begin at the same time are one', async () => {
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

      it('that are not there have no status to set', async () => {
        await expect(store.setStatus('a', 'parked', 1)).rejects.toThrow('there is no run a');
      });
    });

    describe('steps', () => {
      beforeEach(() => store.begin(run('a')));

      it('come back in the order in which they were added, each run with its own', async () => {
        await store.begin(run('b'));
        await store.append('a', [executing('1'), executing('2')]);
        await store.append('b', [executing('3')]);
        await store.append('a', [executing('4')]);
        expect(await store.steps('a')).toEqual([executing('1'), executing('2'), executing('4')]);
        expect(await store.steps('b')).toEqual([executing('3')]);
      });

      it('that are added without waiting keep their order too, and stay together', async () => {
        const calls = Array.from({ length: 50 }, (_, index) => index);
        await Promise.all(
          calls.map((call) => store.append('a', [executing(`${call}a`), executing(`${call}b`)])),
        );
        expect(await store.steps('a')).toEqual(
          calls.flatMap((call) => [executing(`${call}a`), executing(`${call}b`)]),
        );
      });

      it('are added all or none', async () => {
        const bad = { step: 'executed', call: '2', came: { result: undefined } } as unknown as Step;
        await expect(store.append('a', [executing('1'), bad])).rejects.toThrow(
          'only plain JSON can be stored',
        );
        expect(await store.steps('a')).toEqual([]);
      });

      it('are added by each that asks for it at the same time, whatever becomes of the others', async () => {
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

      it('need their run', async () => {
        await expect(store.append('b', [executing('1')])).rejects.toThrow('there is no run b');
        expect(await store.steps('b')).toEqual([]);
      });

      it.each<[string, Json]>([
        ['a key called __proto__', JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": null}}')],
        ['lone surrogates, in texts and keys', { '\ud800': ['\udc00x', 'a\ud83d'] }],
        ['a NUL and what comes after it', { 'a\0b': 'before\0after' }],
        ['control and invisible characters', '\u0001\u001b[2J\u202e\u2028\ufeff\u{e0041}\r\n\t"\\'],
        ['what looks like a number, a date or nothing', ['1', 1, '1.0', 'null', null, '', 'true', true]],
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

      it('are refused where they are no plain JSON, of which something else would be kept', async () => {
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

      it('are what was given, whatever is done with it afterwards', async () => {
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

    describe('questions', () => {
      it('wait until somebody answers', async () => {
        await store.ask(asked('q'));
        expect(await store.question('q')).toEqual({
          ...asked('q'),
          state: 'waiting',
          answer: null,
          closed: null,
        });
        expect(await store.answer('q', given('one'))).toBe('taken');
        expect(await store.question('q')).toEqual({
          ...asked('q'),
          state: 'answered',
          answer: given('one').answer,
          closed: 2000,
        });
      });

      it('are listed with the oldest first, those that are closed too', async () => {
        for (const id of ['b', 'c', 'a']) await store.ask(asked(id));
        await store.answer('c', given('one'));
        await store.withdraw('b', 3000);
        expect((await store.questions()).map((one) => [one.question.id, one.state, one.closed])).toEqual([
          ['b', 'withdrawn', 3000],
          ['c', 'answered', 2000],
          ['a', 'waiting', null],
        ]);
      });

      it('that are not there are null', async () => {
        expect(await store.question('q')).toBe(null);
        expect(await store.questions()).toEqual([]);
        expect(await store.answer('q', given('one'))).toBe('no_such_question');
        await store.withdraw('q', 1);
        expect(await store.question('q')).toBe(null);
      });

      it('take the first answer, and no second one', async () => {
        await store.ask(asked('q'));
        expect(await store.answer('q', given('one', 'ada'))).toBe('taken');
        expect(await store.answer('q', given('one', 'bob'))).toBe('answered_before');
        expect((await store.question('q'))?.answer).toEqual(given('one', 'ada').answer);
      });

      it('take one of the answers that come at the same time', async () => {
        await store.ask(asked('q'));
        const people = ['ada', 'bob', 'eve', 'kim'];
        const taken = await Promise.all(people.map((person) => store.answer('q', given('one', person))));
        expect([...taken].sort()).toEqual(['answered_before', 'answered_before', 'answered_before', 'taken']);
        expect((await store.question('q'))?.answer?.person).toBe(people[taken.indexOf('taken')]);
      });

      it('take no answer to something else that was shown', async () => {
        await store.ask(asked('q', 'two'));
        expect(await store.answer('q', given('one'))).toBe('another_question');
        expect(await store.question('q')).toMatchObject({ state: 'waiting', answer: null });
      });

      it('take no answer once they are withdrawn', async () => {
        await store.ask(asked('q'));
        await store.withdraw('q', 1500);
        expect(await store.answer('q', given('one'))).toBe('withdrawn');
        expect(await store.question('q')).toMatchObject({ state: 'withdrawn', answer: null, closed: 1500 });
      });

      it('stay answered when they are withdrawn', async () => {
        await store.ask(asked('q'));
        await store.answer('q', given('one'));
        await store.withdraw('q', 5000);
        expect(await store.question('q')).toMatchObject({ state: 'answered', closed: 2000 });
      });

      it('that are asked again have the answer that they had', async () => {
        await store.ask(asked('q'));
        await store.answer('q', given('one'));
        await store.ask({ ...asked('q'), asked: 9000 });
        expect(await store.question('q')).toMatchObject({ state: 'answered', asked: 1000 });
        expect((await store.question('q'))?.answer).toEqual(given('one').answer);
      });

      it('that are asked again while they wait stay as they are', async () => {
        await store.ask(asked('q'));
        await store.ask({ ...asked('q'), asked: 9000 });
        expect(await store.questions()).toEqual([
          { ...asked('q'), state: 'waiting', answer: null, closed: null },
        ]);
      });

      it('that were withdrawn wait again when they are asked again', async () => {
        await store.ask(asked('q'));
        await store.withdraw('q', 1500);
        await store.ask({ ...asked('q'), asked: 9000 });
        expect(await store.question('q')).toMatchObject({ state: 'waiting', asked: 9000, closed: null });
        expect(await store.answer('q', given('one'))).toBe('taken');
      });

      it('of one id and another digest take the place of what was asked before, answer and all', async () => {
        await store.ask(asked('q'));
        await store.answer('q', given('one'));
        await store.ask(asked('r'));
        await store.ask(asked('q', 'two'));
        expect((await store.questions()).map((one) => [one.question.id, one.digest, one.state])).toEqual([
          ['r', 'one', 'waiting'],
          ['q', 'two', 'waiting'],
        ]);
      });

      it('keep an answer exactly', async () => {
        const answer = {
          answer: 'approve',
          person: 'a\ud800\0b',
          args: JSON.parse('{"__proto__": "\\ud800", "a\\u0000": "b\\u0000c"}'),
        } as const;
        await store.ask(asked('q'));
        await store.answer('q', { digest: 'one', answer, at: 1 });
        expect(JSON.stringify((await store.question('q'))?.answer)).toBe(JSON.stringify(answer));
      });

      it('take nothing that is no plain JSON', async () => {
        await store.ask(asked('q'));
        const answer = { answer: 'approve', person: 'ada', args: { at: new Date(0) } } as unknown as Answer;
        await expect(store.answer('q', { digest: 'one', answer, at: 1 })).rejects.toThrow('plain JSON');
        expect(await store.question('q')).toMatchObject({ state: 'waiting' });
      });
    });

    describe('kept answers', () => {
      it('are listed with the oldest first', async () => {
        for (const id of ['b', 'c', 'a']) await store.keep(kept(id));
        expect(await store.kept()).toEqual([kept('b'), kept('c'), kept('a')]);
      });

      it('are kept once: another of that id is rejected, and changes nothing', async () => {
        await store.keep(kept('a'));
        await expect(store.keep({ ...kept('a'), run: 'other' })).rejects.toThrow(
          'the answer a is kept already',
        );
        expect(await store.kept()).toEqual([kept('a')]);
      });

      it('are revoked once, and stay listed', async () => {
        await store.keep(kept('a'));
        await store.keep(kept('b'));
        expect(await Promise.all([store.revoke('a', 5000), store.revoke('a', 6000)])).toEqual([true, false]);
        expect(await store.kept()).toEqual([{ ...kept('a'), revoked: 5000 }, kept('b')]);
      });

      it('that are not there are not revoked', async () => {
        expect(await store.revoke('a', 1)).toBe(false);
      });
    });

    it.each(['', 'a\0b', '\ud800', 'a\nb', 'x'.repeat(501)])('refuses the id %j', async (id) => {
      const refused = 'cannot be the id of anything stored';
      await expect(store.begin(run(id))).rejects.toThrow(refused);
      await expect(store.run(id)).rejects.toThrow(refused);
      await expect(store.ask(asked(id))).rejects.toThrow(refused);
      await expect(store.ask(asked('q', id))).rejects.toThrow(refused);
      await expect(store.keep(kept(id))).rejects.toThrow(refused);
      expect([await store.runs(), await store.questions(), await store.kept()]).toEqual([[], [], []]);
    });

    it('is closed once and for all', async () => {
      await store.begin(run('a'));
      await store.close();
      await store.close();
      await expect(store.runs()).rejects.toThrow('closed');
      await expect(store.begin(run('b'))).rejects.toThrow('closed');
    });

    it('has done what was asked before it is closed', async () => {
      await store.begin(run('a'));
      const added = store.append('a', [executing('1')]);
      await Promise.all([added, store.close()]);
    });
  });
}

export function run(id: string): StoredRun {
  return {
    id,
    begun: 1000,
    worker: 'main',
    mode: 'interactive',
    log: '/w/.ambit/log/a.jsonl',
    pid: 42,
    options: { policies: ['policy.yaml'] },
  };
}

export function executing(call: string): Step {
  return { step: 'executing', call };
}

export function asked(id: string, digest = 'one'): AskedQuestion {
  return { run: 'a', question: question(id), digest, asked: 1000 };
}

export function question(id: string): Question {
  return {
    id,
    call: 'c1',
    chain: ['main'],
    tool: 'filesystem.write_file',
    summary: 'write a.md',
    args: { path: 'a.md', content: 'x' },
    capabilities: [{ capability: { name: 'fs.write', path: '/w/a.md' }, words: 'writes /w/a.md' }],
    asked_by: [],
    reason: null,
    instead: null,
    keep: null,
    preview: null,
    again: null,
  } as unknown as Question;
}

function given(digest: string, person = 'ada') {
  return { digest, answer: { answer: 'approve', person }, at: 2000 } as const;
}

export function kept(approval: string): StoredAnswer {
  const answer = {
    source: 'kept',
    approval,
    person: 'ada',
    chain: ['main'],
    tool: 'filesystem.write_file',
    args: { path: 'a.md' },
    shown: [{ name: 'fs.write', path: '/w/a.md' }],
    remember: 'always',
    reach: 'file',
  } as unknown as KeptAnswer;
  return { answer, run: 'a', at: 1000, tool: 'aa', policies: ['bb'], revoked: null };
}

function nested(depth: number): Json {
  return depth === 0 ? 'in' : [nested(depth - 1)];
}
