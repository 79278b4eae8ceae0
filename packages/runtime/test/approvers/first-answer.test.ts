import type { Answer, Approver } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { firstAnswer } from '../../src/approvers/first-answer.js';
import { question } from '../store/stored-things.js';
import { until, waiting } from './waiting-approver.js';

const never = new AbortController().signal;
const yes: Answer = { answer: 'approve', person: 'ada' };
const no: Answer = { answer: 'refuse', person: 'bob', note: 'not today' };

describe('firstAnswer', () => {
  it('returns the first answer, and cancels the others', async () => {
    const [one, two, three] = [waiting(), waiting(), waiting()];
    const answer = firstAnswer([one.approver, two.approver, three.approver]).ask(question('q'), never);
    await until(() => three.asked.length === 1);
    two.answer(no);
    expect(await answer).toEqual(no);
    expect([one.cancelled, three.cancelled]).toEqual([1, 1]);
    expect([one.asked, two.asked, three.asked]).toEqual([[question('q')], [question('q')], [question('q')]]);
  });

  it('continues with the others if one throws, at once or later', async () => {
    const [one, two] = [waiting(), waiting()];
    const throws = {
      ask: () => {
        throw new Error('broken');
      },
    };
    const answer = firstAnswer([throws, one.approver, two.approver]).ask(question('q'), never);
    await until(() => two.asked.length === 1);
    one.fail('gone');
    // After every promise that the failure settles.
    await new Promise((resolve) => setImmediate(resolve));
    expect(two.cancelled).toBe(0);
    two.answer(yes);
    expect(await answer).toEqual(yes);
  });

  it('throws the messages of all approvers if all fail', async () => {
    const failing = (why: string): Approver => ({ ask: () => Promise.reject(new Error(why)) });
    await expect(
      firstAnswer([failing('no terminal'), failing('no store'), failing('no store')]).ask(
        question('q'),
        never,
      ),
    ).rejects.toThrow(/^no terminal; no store$/);
  });

  it('throws without an approver', async () => {
    await expect(firstAnswer([]).ask(question('q'), never)).rejects.toThrow('there is no approver');
  });

  it('cancels every approver with its reason when it is cancelled', async () => {
    const [one, two] = [waiting(), waiting()];
    const over = new AbortController();
    const answer = firstAnswer([one.approver, two.approver]).ask(question('q'), over.signal);
    await until(() => two.asked.length === 1);
    over.abort(new Error('the run has ended'));
    await expect(answer).rejects.toThrow('the run has ended');
    expect([one.cancelled, two.cancelled]).toEqual([1, 1]);
  });
});
