import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Approver, Question } from '@ambit/core';
import { afterAll, describe, expect, it } from 'vitest';
import { bindingDigest } from '../../src/approvers/binding-digest.js';
import { storeApprover } from '../../src/approvers/store-approver.js';
import { openStore } from '../../src/store/file-store.js';
import { memoryStore } from '../../src/store/memory-store.js';
import type { Store } from '../../src/store/store.js';
import { question } from '../store/stored-things.js';
import { until, waiting } from './waiting-approver.js';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-approver-')));
afterAll(() => rmSync(scratch, { recursive: true }));

const never = new AbortController().signal;
const yes: Answer = { answer: 'approve', person: 'ada' };
const no: Answer = { answer: 'refuse', person: 'bob', note: 'not today' };
const digestOf = (asked: Question) => bindingDigest(asked, ['p']);
const options = { run: 'a', digestOf, now: () => 7, poll: 5 };

const isWaiting =
  (store: Store, id = 'q') =>
  async () =>
    (await store.question(id))?.state === 'waiting';

describe.each<[string, () => Promise<Store>]>([
  ['memory', async () => memoryStore()],
  ['a file', () => openStore(mkdtempSync(join(scratch, 'state-')))],
])('storeApprover, with a store in %s', (_, open) => {
  it('adds its question to the store, and uses the answer given there', async () => {
    const store = await open();
    const answer = storeApprover(store, options).ask(question('q'), never);
    await until(isWaiting(store));
    const found = await store.question('q');
    expect(found).toEqual({
      run: 'a',
      question: question('q'),
      digest: digestOf(question('q')),
      asked: 7,
      state: 'waiting',
      answer: null,
      closed: null,
    });
    await store.answer('q', { digest: digestOf(question('q')), answer: no, at: 8 });
    expect(await answer).toEqual(no);
  });

  it('does not ask an answered question again', async () => {
    const store = await open();
    await store.ask({ run: 'a', question: question('q'), digest: digestOf(question('q')), asked: 1 });
    await store.answer('q', { digest: digestOf(question('q')), answer: yes, at: 2 });
    const here = waiting();
    expect(await storeApprover(store, { ...options, here: here.approver }).ask(question('q'), never)).toEqual(
      yes,
    );
    expect(here.asked).toEqual([]);
  });

  it('rejects an answer that was given to other arguments', async () => {
    const store = await open();
    const other = { ...question('q'), args: { path: 'b.md' } };
    await store.ask({ run: 'a', question: other, digest: digestOf(other), asked: 1 });
    await store.answer('q', { digest: digestOf(other), answer: yes, at: 2 });
    const answer = storeApprover(store, options).ask(question('q'), never);
    await until(isWaiting(store));
    expect(await store.answer('q', { digest: digestOf(other), answer: yes, at: 3 })).toBe('another_question');
    await store.answer('q', { digest: digestOf(question('q')), answer: no, at: 4 });
    expect(await answer).toEqual(no);
  });

  it('withdraws a cancelled question', async () => {
    const store = await open();
    const over = new AbortController();
    const answer = storeApprover(store, options).ask(question('q'), over.signal);
    await until(isWaiting(store));
    over.abort(new Error('too late'));
    await expect(answer).rejects.toThrow('too late');
    expect(await store.question('q')).toMatchObject({ state: 'withdrawn', closed: 7 });
    expect(await store.answer('q', { digest: digestOf(question('q')), answer: yes, at: 9 })).toBe(
      'withdrawn',
    );
  });

  it('withdraws it before the store closes', async () => {
    const folder = mkdtempSync(join(scratch, 'state-'));
    const store = await openStore(folder);
    const over = new AbortController();
    const answer = storeApprover(store, options).ask(question('q'), over.signal);
    await until(isWaiting(store));
    over.abort(new Error('the end'));
    await store.close();
    await expect(answer).rejects.toThrow();
    const again = await openStore(folder);
    expect(await again.question('q')).toMatchObject({ state: 'withdrawn' });
    await again.close();
  });

  it('keeps the question waiting when the run is parked', async () => {
    const store = await open();
    const over = new AbortController();
    const answer = storeApprover(store, { ...options, isParked: () => true }).ask(question('q'), over.signal);
    await until(isWaiting(store));
    over.abort(new Error('parked'));
    await expect(answer).rejects.toThrow('parked');
    expect(await store.question('q')).toMatchObject({ state: 'waiting' });
    await store.answer('q', { digest: digestOf(question('q')), answer: yes, at: 9 });
    expect(await storeApprover(store, options).ask(question('q'), never)).toEqual(yes);
  });

  it('asks no one after cancellation', async () => {
    const store = await open();
    await expect(
      storeApprover(store, options).ask(question('q'), AbortSignal.abort(new Error('gone'))),
    ).rejects.toThrow('gone');
    expect(await store.questions()).toEqual([]);
  });

  it('asks the store and the local approver, and cancels the local one when the store has an answer', async () => {
    const store = await open();
    const here = waiting();
    const answer = storeApprover(store, { ...options, here: here.approver }).ask(question('q'), never);
    await until(() => here.asked.length === 1);
    await store.answer('q', { digest: digestOf(question('q')), answer: no, at: 8 });
    expect(await answer).toEqual(no);
    expect(here.cancelled).toBe(1);
  });

  it('stores a local answer before it applies', async () => {
    const store = await open();
    const here = waiting();
    const answer = storeApprover(store, { ...options, here: here.approver }).ask(question('q'), never);
    await until(() => here.asked.length === 1);
    here.answer(yes);
    expect(await answer).toEqual(yes);
    expect(await store.question('q')).toMatchObject({ state: 'answered', answer: yes, closed: 7 });
    expect(await store.answer('q', { digest: digestOf(question('q')), answer: no, at: 9 })).toBe(
      'answered_before',
    );
  });

  it('returns an earlier answer from the store', async () => {
    const store = await open();
    const digest = digestOf(question('q'));
    const here: Approver = {
      ask: async () => {
        await store.answer('q', { digest, answer: no, at: 8 });
        return yes;
      },
    };
    expect(await storeApprover(store, { ...options, here, poll: 100_000 }).ask(question('q'), never)).toEqual(
      no,
    );
  });

  it('does not store an invalid answer', async () => {
    const store = await open();
    const here = { ask: async () => 'yes' } as unknown as Approver;
    expect(await storeApprover(store, { ...options, here }).ask(question('q'), never)).toBe('yes');
    expect(await store.question('q')).toMatchObject({ state: 'waiting' });
  });

  it('fails if the local approver fails, and asks no one else', async () => {
    const store = await open();
    const here = waiting();
    const answer = storeApprover(store, { ...options, here: here.approver }).ask(question('q'), never);
    await until(() => here.asked.length === 1);
    here.fail('the terminal is gone');
    await expect(answer).rejects.toThrow('the terminal is gone');
  });

  it('throws and cancels the local approver if another process replaces or withdraws the question', async () => {
    for (const change of [
      (store: Store) => store.withdraw('q', 8),
      (store: Store) => store.ask({ run: 'b', question: question('q'), digest: 'other', asked: 8 }),
    ]) {
      const store = await open();
      const here = waiting();
      const answer = storeApprover(store, { ...options, here: here.approver }).ask(question('q'), never);
      await until(() => here.asked.length === 1);
      await change(store);
      here.answer(yes);
      await expect(answer).rejects.toThrow(
        /the question was (?:withdrawn|no longer open)|another question replaced/,
      );
    }
  });
});
