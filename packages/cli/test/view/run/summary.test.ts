import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../../src/view/run/summary.js';
import { moneyText } from '../../../src/view/text.js';

const totals = {
  calls: 3,
  decisions: { pre_approved: 2, needs_approval: 0, blocked: 1, unjudged: 0 },
  outcomes: { completed: 2, refused: 1, failed: 0 },
  approvedBy: {},
  tokens: { input: 3514, output: 498 },
  costs: { amount: 0.018, currency: 'USD' },
  workers: {
    main: { calls: 2, tokens: { input: 1204, output: 88 }, costs: { amount: 0.0049, currency: 'USD' } },
    helper: { calls: 1, tokens: { input: 2310, output: 410 }, costs: null },
  },
};
const at = { id: 'r1', log: '/w/a log.jsonl', program: 'ambit', folder: '/x' };

describe('summaryOf', () => {
  it('summarises a run, with the known costs, escaped', () => {
    const why = 'the model does not answer: \u001b[2J';
    expect(`\n${summaryOf({ status: 'failed', output: '', why, totals }, at)}`).toBe(`
run       r1 failed: the model does not answer: \\u{1b}[2J
calls     3: 2 pre_approved, 1 blocked
outcomes  2 completed, 1 refused
approvals none
tokens    3514 in, 498 out, 0.0180 USD
          main: 2 calls, 1204 in, 88 out, 0.0049 USD
          helper: 1 call, 2310 in, 410 out
resume    ambit run --resume r1
log       /w/a log.jsonl
explain   ambit log show CALL --log '/w/a log.jsonl'
          (CALL is the id or the number of a line of the log:
          ambit log tail '/w/a log.jsonl')
`);
  });

  it('shows unknown tokens if a model did not report them', () => {
    const tokens = { input: Number.NaN, output: 3 };
    const said = summaryOf(
      { status: 'finished', output: '', why: null, totals: { ...totals, tokens, costs: null } },
      at,
    );
    expect(said.split('\n')[4]).toBe('tokens    unknown in, 3 out');
  });

  it('names the log relative to the folder of the run', () => {
    const said = summaryOf({ status: 'finished', output: '', why: null, totals }, { ...at, folder: '/w' });
    expect(said.split('\n').slice(-5)).toEqual([
      'log       /w/a log.jsonl',
      "explain   ambit log show CALL --log 'a log.jsonl'",
      '          (CALL is the id or the number of a line of the log:',
      "          ambit log tail 'a log.jsonl')",
      '',
    ]);
  });
});

describe('moneyText', () => {
  it.each([
    [0, '0.00 USD'],
    [0.000_01, '< 0.0001 USD'],
    [0.0049, '0.0049 USD'],
    [0.5, '0.5000 USD'],
    [12.3456, '12.35 USD'],
  ])('%d is %s', (amount, text) => {
    expect(moneyText({ amount, currency: 'USD' })).toBe(text);
  });
});
