import type { LogEvent } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import type { Budget } from '../../src/host/session.js';
import { pastDuration } from '../../src/journal/journal.js';
import { memoryStore } from '../../src/store/memory-store.js';
import type { Step, Store } from '../../src/store/store.js';
import { interrupted, resumed } from '../resuming.js';
import { calls, out, worker, workplace, write, yes } from '../session.js';

const minute = 60_000;

describe('the minutes of a run before it was interrupted', () => {
  const at = (event: LogEvent['event'], now: number) => ({ event, now }) as LogEvent;

  it.each<[string, readonly LogEvent[], number]>([
    ['are zero without records', [], 0],
    ['span from its start to its last record', [at('run', 5), at('policy', 5), at('outcome', 9)], 4],
    [
      'exclude the time while it was interrupted',
      [at('run', 5), at('outcome', 9), at('run', 1000), at('outcome', 1003), at('run', 9000)],
      7,
    ],
    ['do not decrease if the clock was set back', [at('run', 50), at('decision', 60), at('outcome', 3)], 10],
    ['are zero if the clock was set back at once', [at('run', 50), at('outcome', 3), at('run', 4)], 0],
  ])('%s', (_, events, milliseconds) => {
    expect(pastDuration({ events })).toBe(milliseconds);
  });
});

describe('the budget of a resumed run', () => {
  /** A run that waits at its first question, having been at work for so many minutes. */
  const parked = async (minutes: number, budget: Budget) => {
    const place = workplace({
      'policy.yaml': { version: 1, default: 'needs_approval' },
      'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
      'script.yaml': { main: [calls(write('out/a')), calls(write('out/b')), { say: 'done' }] },
    });
    const store = memoryStore();
    const run = await interrupted(place, { mode: 'interactive', park: true, store, budget });
    const lasting: Store = {
      ...store,
      steps: async (id) => (await store.steps(id)).map((step) => later(step, minutes)),
    };
    return {
      place,
      goOn: (more: { readonly budget?: Budget } = {}) =>
        resumed(place, run, { store: lasting, approver: () => yes, ...more }),
    };
  };
  const later = (step: Step, minutes: number): Step => {
    if (step.step !== 'events') return step;
    const events = step.events.map((event) =>
      event.event === 'run' ? event : { ...event, now: event.now + minutes * minute },
    );
    return { ...step, events: events as unknown as typeof step.events };
  };

  it('counts earlier active minutes, and stops further work when they are used up', async () => {
    const { place, goOn } = await parked(6, { minutes: 5 });
    expect(await goOn()).toMatchObject({
      status: 'stopped',
      why: 'over budget: the run may last 5 minutes',
    });
    expect(place.text('out/a')).toBe(null);
  });

  it('permits the remaining minutes', async () => {
    const { place, goOn } = await parked(6, { minutes: 60 });
    expect(await goOn()).toMatchObject({ status: 'finished' });
    expect(place.text('out/b')).toBe('text');
  });

  it('changes only the limits given on resuming', async () => {
    const { place, goOn } = await parked(0, { calls: 1 });
    expect(await goOn({ budget: { minutes: 60 } })).toMatchObject({
      status: 'stopped',
      why: 'over budget: the run may make 1 call',
    });
    expect([place.text('out/a'), place.text('out/b')]).toEqual(['text', null]);
  });

  it('can be raised on resuming', async () => {
    const { goOn } = await parked(6, { minutes: 5, calls: 1 });
    expect(await goOn({ budget: { minutes: 60, calls: 2 } })).toMatchObject({ status: 'finished' });
  });
});
