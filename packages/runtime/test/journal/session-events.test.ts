import type { JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/index.js';
import { calls, out, runAt, worker, workplace, write } from '../session.js';

const files = {
  'policy.yaml': { version: 1, default: 'pre_approved' },
  'main.worker': worker({ toolsets: { helper: {} } }),
  'helper.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': {
    main: [calls(['helper', { input: 'one' }], ['helper', { input: 'two' }]), { say: 'done' }],
    helper: [
      { for: 'one', ...(calls(write('out/one')) as JsonObject) },
      { for: 'two', ...(calls(write('out/two')) as JsonObject) },
      { say: 'written' },
    ],
  },
};

async function eventsOf(more: Readonly<Record<string, string>> = {}): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  const { status } = await runAt(workplace({ ...files, ...more }), {
    open: true,
    onEvent: (event) => events.push(event),
  });
  expect(status).toBe('finished');
  return events;
}

describe('the events of a session', () => {
  it('distinguish simultaneous workers of one chain, and their calls', async () => {
    const events = await eventsOf();
    const decisions = events.flatMap((event) =>
      event.type === 'recorded' && event.event.event === 'decision' ? [event.event] : [],
    );
    const started = events.flatMap((event) =>
      event.type === 'worker_started' ? [`${event.chain.join(' > ')} by ${event.place}`] : [],
    );
    const helpers = decisions.filter(({ tool }) => tool === 'worker.helper');
    const placeOf = (id: string) => {
      const found = events.find((event) => event.type === 'call_made' && event.call === id);
      return found?.type === 'call_made' ? found.place : undefined;
    };
    const run = placeOf(helpers[0]?.call ?? '');
    expect(started.sort()).toEqual(
      [`main by ${run}`, ...helpers.map(({ call }) => `main > helper by ${call}`)].sort(),
    );
    const writes = decisions.filter(({ tool }) => tool === 'filesystem.write_file');
    const asked = new Map(helpers.map(({ call, args }) => [call, (args as { input: string }).input]));
    const written = writes.map(({ call, args }) => [
      asked.get(placeOf(call) ?? ''),
      (args as JsonObject).path,
    ]);
    expect(Object.fromEntries(written)).toEqual({ one: 'out/one', two: 'out/two' });
  });

  it('include the cost of a turn if its model has a price, and none otherwise', async () => {
    const costs = (events: readonly SessionEvent[]) =>
      events.flatMap((event) => (event.type === 'model_turn' ? [event] : [])).map((turn) => turn.costs);
    expect(new Set(costs(await eventsOf()))).toEqual(new Set([undefined]));
    const prices = 'prices:\n  currency: USD\n  models: { "script:*": { input: 500000, output: 1000000 } }\n';
    const priced = (await eventsOf({ 'ambit.yaml': prices })).flatMap((event) =>
      event.type === 'model_turn' ? [event] : [],
    );
    expect(priced.length).toBeGreaterThan(4);
    expect(priced.map((turn) => turn.costs)).toEqual(
      priced.map(({ tokens }) => ({ amount: tokens.input / 2 + tokens.output, currency: 'USD' })),
    );
  });
});
