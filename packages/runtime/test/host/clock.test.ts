import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { clock } from '../../src/host/clock.js';

it('the clock leaves no listener on an aborted signal, because Node would keep both for ever', async () => {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal]);
  const waiting = clock.after(1_000_000, signal);
  end.abort();
  await waiting;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
