import { describe, expect, it } from 'vitest';
import { type Approver, delegate, earlierRun, guard } from '../../src/index.js';
import { answering, boxOf, no, stage, yes } from '../guard/stage.js';

const put = (path: string) => ({ tool: 'put', args: { path } });
const edits = answering({ answer: 'approve', person: 'bob', args: { path: '/w/3', text: 'x' } });

const after = async (answers: readonly Approver['ask'][]) => {
  const set = stage({ answers: [...answers, yes] });
  for (const index of answers.keys()) {
    await set.box.call(put(`/w/${index}`));
    set.clock.pass(1);
  }
  await set.box.call(put('/w/last'));
  return { ...set, last: set.asked.at(-1) };
};

describe('a question', () => {
  it('shows no previous answers if there are none', async () => {
    const { last } = await after([]);
    expect(last === undefined || 'before' in last).toBe(false);
  });

  it('shows earlier answers to the same tool and chain: their number, and the latest', async () => {
    const { last } = await after([no, yes, yes, edits]);
    const plain = { calls: 1, edited: false, note: null };
    expect(last?.before).toEqual({
      approved: 3,
      refused: 1,
      latest: [
        {
          ...plain,
          question: 'id-7.1',
          person: 'bob',
          at: 1003,
          approved: true,
          what: ['write /w/3'],
          edited: true,
        },
        { ...plain, question: 'id-5.1', person: 'ann', at: 1002, approved: true, what: ['write /w/2'] },
        { ...plain, question: 'id-3.1', person: 'ann', at: 1001, approved: true, what: ['write /w/1'] },
      ],
    });
  });

  it('shows the note of an earlier refusal', async () => {
    const { last } = await after([no]);
    expect(last?.before?.latest).toMatchObject([{ approved: false, note: 'not today', person: 'ann' }]);
  });

  it('counts an answer to several calls once for each call, and shows it once', async () => {
    const { box, asked } = stage({ answers: [yes] });
    await Promise.all([box.call(put('/w/a')), box.call(put('/w/a')), box.call(put('/w/a'))]);
    await box.call(put('/w/b'));
    expect(asked.at(-1)?.before).toMatchObject({ approved: 3, refused: 0, latest: [{ calls: 3 }] });
  });

  it('leaves out answers of another chain, and unanswered questions', async () => {
    const failing: Approver['ask'] = () => Promise.reject(new Error('no screen'));
    const { box, asked, authority } = stage({ answers: [yes, failing, yes] });
    await guard(boxOf([]), delegate(authority, 'helper')).call(put('/w/a'));
    await box.call(put('/w/b'));
    await box.call(put('/w/c'));
    expect(asked.map((question) => 'before' in question)).toEqual([false, false, false]);
  });

  it('shows answers from before an interruption', async () => {
    const first = await after([no, yes]);
    const { box, asked } = stage({ answers: [yes], options: { earlier: earlierRun(first.log.events) } });
    await box.call(put('/w/again'));
    expect(asked[0]?.before).toMatchObject({
      approved: 2,
      refused: 1,
      latest: [{ what: ['write /w/last'] }, { what: ['write /w/1'] }, { what: ['write /w/0'] }],
    });
  });
});
