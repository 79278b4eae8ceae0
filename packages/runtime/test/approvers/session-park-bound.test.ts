import { defineTool, defineToolset } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { memoryStore } from '../../src/store/memory-store.js';
import type { Store, StoredQuestion } from '../../src/store/store.js';
import { add, files, ledger, resumed } from '../resuming.js';
import { calls, sessionAt, worker, workplace, yes } from '../session.js';

/** A tool that needs nobody, and that a run is not to have used before it adds a line. */
const peek = defineToolset({
  name: 'box',
  tools: [
    defineTool({
      name: 'peek',
      description: 'looks into the box',
      input: z.strictObject({}),
      describe: () => ({ capabilities: [{ name: 'box.seen' }] }),
      execute: () => 'seen',
    }),
  ],
});

async function answerAll(store: Store): Promise<void> {
  for (const { question, digest, state } of await store.questions())
    if (state === 'waiting')
      expect(await store.answer(question.id, { digest, answer: yes, at: 1 })).toBe('taken');
}

function rulesIn(found: StoredQuestion | undefined): readonly string[] {
  return (found?.question.asked_by ?? []).flatMap(({ rules }) => rules.map(({ id }) => id)).sort();
}

describe('an answer to a parked question', () => {
  it('does not answer a later question of another rule', async () => {
    const place = workplace({
      'policy.yaml': {
        version: 1,
        default: 'blocked',
        capabilities: { 'ledger.add': 'needs_approval', 'box.seen': 'pre_approved' },
        together: [
          { id: 'seen', capabilities: ['box.seen', 'ledger.add'], within: 'run', decision: 'needs_approval' },
        ],
      },
      'main.worker': worker({ toolsets: { ledger: {}, box: {} } }),
      'script.yaml': { main: [calls(add('one'), ['peek']), { say: 'done' }] },
    });
    const [store, { lines, toolset }] = [memoryStore(), ledger()];
    const options = { toolsets: [toolset, peek], store, park: true } as const;
    const session = await sessionAt(place, { ...options, mode: 'interactive' });
    await session.run({ input: 'work' });
    await session.close();
    const [before] = await store.questions();
    expect(rulesIn(before)).toEqual(['capabilities.ledger.add']);
    await answerAll(store);
    expect(await resumed(place, session.id, options)).toMatchObject({ status: 'parked' });
    expect(lines).toEqual([]);
    const [now] = await store.questions();
    expect([now?.state, rulesIn(now)]).toEqual(['waiting', ['capabilities.ledger.add', 'seen']]);
  });

  it('does not answer whether to repeat a started call', async () => {
    const place = workplace({ ...files, 'script.yaml': { main: [calls(add('one')), { say: 'done' }] } });
    const [store, { lines, toolset }] = [memoryStore(), ledger()];
    const session = await sessionAt(place, { toolsets: [toolset], store, park: true, mode: 'interactive' });
    await session.run({ input: 'work' });
    await session.close();
    const [before] = await store.questions();
    expect(before).toMatchObject({ state: 'waiting', question: { again: null } });
    await answerAll(store);
    // As where it had run by another grant, and the process was killed while it did.
    await store.append(session.id, [{ step: 'executing', call: before?.question.call ?? '' }]);
    const options = { toolsets: [toolset], store, park: true };
    expect(await resumed(place, session.id, options)).toMatchObject({ status: 'parked' });
    expect(lines).toEqual([]);
    expect(await store.questions()).toMatchObject([{ state: 'waiting', question: { begun: true } }]);
  });

  it('waits for the resumed run if it comes while the run is parked', async () => {
    const place = workplace({ ...files, 'script.yaml': { main: [calls(add('one')), { say: 'done' }] } });
    const [store, { lines, toolset }] = [memoryStore(), ledger()];
    const late: Store = {
      ...store,
      async setStatus(...given) {
        await answerAll(store);
        // Several looks for an answer long.
        await new Promise((done) => setTimeout(done, 500));
        await store.setStatus(...given);
      },
    };
    const options = { toolsets: [toolset], park: true } as const;
    const session = await sessionAt(place, { ...options, store: late, mode: 'interactive' });
    expect(await session.run({ input: 'work' })).toMatchObject({ status: 'parked' });
    await session.close();
    expect(lines).toEqual([]);
    expect(await resumed(place, session.id, { ...options, store })).toMatchObject({ status: 'finished' });
    expect(lines).toEqual(['one']);
  });
});
