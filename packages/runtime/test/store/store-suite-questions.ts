import type { Answer } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.js';
import { asked, given } from './stored-things.js';

/** What every store promises about questions. */
export function questionSuite(store: () => Store): void {
  describe('questions', () => {
    it('wait for an answer', async () => {
      await store().ask(asked('q'));
      expect(await store().question('q')).toEqual({
        ...asked('q'),
        state: 'waiting',
        answer: null,
        closed: null,
      });
      expect(await store().answer('q', given('one'))).toBe('taken');
      expect(await store().question('q')).toEqual({
        ...asked('q'),
        state: 'answered',
        answer: given('one').answer,
        closed: 2000,
      });
    });

    it('are listed with the oldest first, including closed ones', async () => {
      for (const id of ['b', 'c', 'a']) await store().ask(asked(id));
      await store().answer('c', given('one'));
      await store().withdraw('b', 3000);
      expect((await store().questions()).map((one) => [one.question.id, one.state, one.closed])).toEqual([
        ['b', 'withdrawn', 3000],
        ['c', 'answered', 2000],
        ['a', 'waiting', null],
      ]);
    });

    it('are null if unknown', async () => {
      expect(await store().question('q')).toBe(null);
      expect(await store().questions()).toEqual([]);
      expect(await store().answer('q', given('one'))).toBe('no_such_question');
      await store().withdraw('q', 1);
      expect(await store().question('q')).toBe(null);
    });

    it('accept the first answer, and no second one', async () => {
      await store().ask(asked('q'));
      expect(await store().answer('q', given('one', 'ada'))).toBe('taken');
      expect(await store().answer('q', given('one', 'bob'))).toBe('answered_before');
      expect((await store().question('q'))?.answer).toEqual(given('one', 'ada').answer);
    });

    it('accept one of several simultaneous answers', async () => {
      await store().ask(asked('q'));
      const people = ['ada', 'bob', 'eve', 'kim'];
      const taken = await Promise.all(people.map((person) => store().answer('q', given('one', person))));
      expect([...taken].sort()).toEqual(['answered_before', 'answered_before', 'answered_before', 'taken']);
      expect((await store().question('q'))?.answer?.person).toBe(people[taken.indexOf('taken')]);
    });

    it('reject an answer for another digest', async () => {
      await store().ask(asked('q', 'two'));
      expect(await store().answer('q', given('one'))).toBe('another_question');
      expect(await store().question('q')).toMatchObject({ state: 'waiting', answer: null });
    });

    it('reject an answer after they are withdrawn', async () => {
      await store().ask(asked('q'));
      await store().withdraw('q', 1500);
      expect(await store().answer('q', given('one'))).toBe('withdrawn');
      expect(await store().question('q')).toMatchObject({ state: 'withdrawn', answer: null, closed: 1500 });
    });

    it('stay answered when they are withdrawn', async () => {
      await store().ask(asked('q'));
      await store().answer('q', given('one'));
      await store().withdraw('q', 5000);
      expect(await store().question('q')).toMatchObject({ state: 'answered', closed: 2000 });
    });

    it('keep their answer when asked again', async () => {
      await store().ask(asked('q'));
      await store().answer('q', given('one'));
      await store().ask({ ...asked('q'), asked: 9000 });
      expect(await store().question('q')).toMatchObject({ state: 'answered', asked: 1000 });
      expect((await store().question('q'))?.answer).toEqual(given('one').answer);
    });

    it('do not change when asked again while waiting', async () => {
      await store().ask(asked('q'));
      await store().ask({ ...asked('q'), asked: 9000 });
      expect(await store().questions()).toEqual([
        { ...asked('q'), state: 'waiting', answer: null, closed: null },
      ]);
    });

    it('wait again when asked again after a withdrawal', async () => {
      await store().ask(asked('q'));
      await store().withdraw('q', 1500);
      await store().ask({ ...asked('q'), asked: 9000 });
      expect(await store().question('q')).toMatchObject({ state: 'waiting', asked: 9000, closed: null });
      expect(await store().answer('q', given('one'))).toBe('taken');
    });

    it('replace a question with the same id and another digest, including its answer', async () => {
      await store().ask(asked('q'));
      await store().answer('q', given('one'));
      await store().ask(asked('r'));
      await store().ask(asked('q', 'two'));
      expect((await store().questions()).map((one) => [one.question.id, one.digest, one.state])).toEqual([
        ['r', 'one', 'waiting'],
        ['q', 'two', 'waiting'],
      ]);
    });

    it('store an answer exactly', async () => {
      const answer = {
        answer: 'approve',
        person: 'a\ud800\0b',
        args: JSON.parse('{"__proto__": "\\ud800", "a\\u0000": "b\\u0000c"}'),
      } as const;
      await store().ask(asked('q'));
      await store().answer('q', { digest: 'one', answer, at: 1 });
      expect(JSON.stringify((await store().question('q'))?.answer)).toBe(JSON.stringify(answer));
    });

    it('reject values that are not plain JSON', async () => {
      await store().ask(asked('q'));
      const answer = { answer: 'approve', person: 'ada', args: { at: new Date(0) } } as unknown as Answer;
      await expect(store().answer('q', { digest: 'one', answer, at: 1 })).rejects.toThrow('plain JSON');
      expect(await store().question('q')).toMatchObject({ state: 'waiting' });
    });
  });
}
