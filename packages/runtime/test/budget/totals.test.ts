import type { LogEvent } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { createTally } from '../../src/budget/totals.js';
import type { Happening } from '../../src/host/session-event.js';

const chain = ['main'] as const;
const recorded = (event: Partial<LogEvent>): Happening => ({
  type: 'recorded',
  event: { now: 0, ...event } as LogEvent,
});
const decision = (
  call: string,
  value: 'pre_approved' | 'needs_approval' | 'blocked' | null,
  by: readonly string[] = chain,
) => recorded({ event: 'decision', call, decision: value, chain: by } as Partial<LogEvent>);
const approval = (how: string, who: unknown, approved = true) =>
  recorded({ event: 'approval', call: 'a', how, who, approved } as Partial<LogEvent>);
const outcome = (value: 'completed' | 'refused' | 'failed') =>
  recorded({ event: 'outcome', call: 'a', outcome: value } as Partial<LogEvent>);

const nothing = {
  calls: 0,
  decisions: { pre_approved: 0, needs_approval: 0, blocked: 0, unjudged: 0 },
  outcomes: { completed: 0, refused: 0, failed: 0 },
  approvedBy: {},
  tokens: { input: 0, output: 0 },
  costs: null,
  workers: {},
};

function totalsOf(...events: readonly Happening[]) {
  const tally = createTally();
  for (const event of events) tally.take(event);
  return tally.totals();
}

describe('createTally', () => {
  it('starts at zero, and ignores other events', () => {
    expect(
      totalsOf(
        { type: 'worker_started', chain, model: 'script:a', model_from: 'run' },
        { type: 'model_text', chain, text: 'decision' },
        { type: 'worker_finished', chain, output: '' },
        recorded({ event: 'run' }),
        recorded({ event: 'policy' }),
        recorded({ event: 'end' }),
      ),
    ).toEqual(nothing);
  });

  it('counts a call once, by its first decision', () => {
    const events = [
      decision('a', 'pre_approved'),
      decision('b', 'needs_approval'),
      decision('b', 'blocked'),
      decision('c', 'blocked'),
      decision('d', null),
      decision('__proto__', 'needs_approval'),
    ];
    expect(totalsOf(...events)).toEqual({
      ...nothing,
      calls: 5,
      decisions: { pre_approved: 1, needs_approval: 2, blocked: 1, unjudged: 1 },
      workers: { main: { calls: 5, tokens: { input: 0, output: 0 }, costs: null } },
    });
  });

  it('counts the work of each worker, for any caller', () => {
    const turn = (by: readonly [string, ...string[]], input: number): Happening => ({
      type: 'model_turn',
      chain: by,
      model: 'script:a',
      tokens: { input, output: 1 },
    });
    const { workers } = totalsOf(
      turn(['main'], 10),
      decision('a', 'blocked', ['main']),
      turn(['main', 'helper'], 20),
      decision('b', 'pre_approved', ['main', 'helper']),
      turn(['main', 'other', 'helper'], 30),
      decision('b', 'blocked', ['main', 'helper']),
    );
    expect(workers).toEqual({
      main: { calls: 1, tokens: { input: 10, output: 1 }, costs: null },
      helper: { calls: 1, tokens: { input: 50, output: 2 }, costs: null },
    });
  });

  it('counts outcomes and tokens', () => {
    const turn = { type: 'model_turn', chain, model: 'script:a', tokens: { input: 3, output: 4 } } as const;
    expect(
      totalsOf(outcome('completed'), turn, outcome('refused'), outcome('failed'), outcome('completed'), turn),
    ).toEqual({
      ...nothing,
      outcomes: { completed: 2, refused: 1, failed: 1 },
      tokens: { input: 6, output: 8 },
      workers: { main: { calls: 0, tokens: { input: 6, output: 8 }, costs: null } },
    });
  });

  it('counts approvals by source, and no refusals', () => {
    const events = [
      approval('person', { person: 'ada' }),
      approval('person', { person: 'ada' }),
      approval('person', { person: 'bob' }, false),
      approval('person', { person: '__proto__' }),
      approval('person', null),
      approval('mode', 'approve_all'),
      approval('grant', { worker: 'main' }),
      approval('timeout', null, false),
    ];
    const { approvedBy } = totalsOf(...events);
    expect(Object.entries(approvedBy)).toEqual([
      ['person:ada', 2],
      ['person:__proto__', 1],
      ['person', 1],
      ['mode:approve_all', 1],
      ['grant', 1],
    ]);
  });

  it('returns totals that later events do not change', () => {
    const tally = createTally();
    const before = tally.totals();
    for (const event of [decision('a', 'blocked'), outcome('refused'), approval('grant', null)])
      tally.take(event);
    expect(before).toEqual(nothing);
  });

  describe('costs', () => {
    const prices = {
      currency: 'USD',
      models: [
        { glob: 'anthropic:big-*', input: 3, output: 15 },
        { glob: 'anthropic:small', input: 0.1, output: 0.7 },
        { glob: 'anthropic:twice-*', input: 1, output: 1 },
        { glob: '*twice-a', input: 1, output: 2 },
        { glob: '*twice-b', input: 1, output: 1 },
      ],
    };
    const turn = (
      model: string,
      by: readonly [string, ...string[]] = chain,
      more: object = {},
    ): Happening => ({
      type: 'model_turn',
      chain: by,
      model,
      tokens: { input: 1000, output: 10 },
      ...more,
    });
    const costsOf = (...events: readonly Happening[]) => {
      const tally = createTally(prices);
      for (const event of events) tally.take(event);
      const { costs, workers } = tally.totals();
      return [costs, ...Object.values(workers).map((worker) => worker.costs)];
    };
    const dollars = (amount: number) => ({ amount, currency: 'USD' });

    it('are the tokens of each model times its price, for the run and for each worker', () => {
      expect(costsOf()).toEqual([dollars(0)]);
      expect(costsOf(turn('anthropic:big-1'), turn('anthropic:small', ['main', 'helper']))).toEqual([
        dollars(0.003257),
        dollars(0.00315),
        dollars(0.000107),
      ]);
    });

    it('are null after a model without a price was used', () => {
      expect(costsOf(turn('anthropic:big-1'), turn('anthropic:other', ['main', 'helper']))).toEqual([
        null,
        dollars(0.00315),
        null,
      ]);
    });

    it('are null if one model has two different prices, and not if they are equal', () => {
      expect(costsOf(turn('anthropic:twice-a'))).toEqual([null, null]);
      expect(costsOf(turn('anthropic:twice-b'))).toEqual([dollars(0.00101), dollars(0.00101)]);
    });

    it('are null after a provider tool ran, because its price is unknown', () => {
      expect(costsOf(turn('anthropic:big-1', chain, { provider_uses: 1 }))).toEqual([null, null]);
    });

    it('are null without prices, and if a model does not report tokens', () => {
      expect(totalsOf(turn('anthropic:big-1')).costs).toBe(null);
      expect(costsOf(turn('anthropic:big-1', chain, { tokens: { input: Number.NaN, output: 1 } }))).toEqual([
        null,
        null,
      ]);
    });
  });
});
