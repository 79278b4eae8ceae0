import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resume, type Store } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { calls, sessionAt, type Workplace, worker, workplace, yes } from '../session.js';

const module = `
import { appendFileSync } from 'node:fs';
const note = (text) => appendFileSync(new URL('./notes', import.meta.url), text + ' ');
export const configure = () => ({
  name: 'crm',
  capabilities: [],
  tools: [
    {
      name: 'say',
      description: 'Says it.',
      input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
      describe: () => ({ capabilities: [{ name: 'crm.say' }] }),
      execute: () => { note('said'); return 'said'; },
    },
  ],
  enter: () => note('entered'),
  exit: () => note('left'),
});
`;

const scorer = { name: 'scorer', instructions: 'Score.', description: 'Scores', toolsets: ['./crm.mjs'] };
const files = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: {
      'code.load': 'pre_approved',
      'worker.call': 'pre_approved',
      'worker.create': 'pre_approved',
    },
  },
  'main.worker': worker({ toolsets: { './crm.mjs': {}, delegation: {} } }),
  'crm.mjs': module,
  'ambit.yaml': { created: { max_depth: 2 } },
  'script.yaml': {
    main: [
      calls(['worker_create', scorer]),
      calls(['say']),
      calls(['worker_call', { worker: 'scorer', input: 'x' }]),
      { say: 'done' },
    ],
    scorer: [{ say: '7' }],
  },
};

async function parkedAt(place: Workplace, store: Store): Promise<string> {
  const session = await sessionAt(place, { mode: 'interactive', park: true, store });
  expect(await session.run({ input: 'go' })).toMatchObject({ status: 'parked' });
  await session.close();
  return session.id;
}

const again = (place: Workplace, run: string, store: Store) =>
  resume(run, {
    root: place.root,
    store,
    park: true,
    environment: { HOME: `${place.state}/..`, AMBIT_HOME: place.state },
  });

describe('a run that is parked', () => {
  it('leaves the toolsets of its workers, and enters them again on resuming', async () => {
    const [place, store] = [workplace(files), memoryStore()];
    const run = await parkedAt(place, store);
    expect(place.text('notes')).toBe('entered left ');
    for (const { question, digest } of await store.questions())
      expect(await store.answer(question.id, { digest, answer: yes, at: 1 })).toBe('taken');
    const opened = await again(place, run, store);
    if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
    expect(await opened.session.run({})).toMatchObject({ status: 'finished', output: 'done' });
    await opened.session.close();
    // Its own once, and that of the worker that it had created before.
    expect(place.text('notes')).toBe('entered left entered said entered left left ');
  });

  it('does not resume under another configuration of the project', async () => {
    for (const text of [
      'created: { max_depth: 3 }',
      'prices: { currency: USD, models: { "*": { input: 1, output: 1 } } }',
    ]) {
      const [place, store] = [workplace(files), memoryStore()];
      const run = await parkedAt(place, store);
      writeFileSync(place.path('ambit.yaml'), text);
      expect(await again(place, run, store)).toMatchObject({
        ok: false,
        problems: [{ code: 'CHANGED_SINCE', message: expect.stringContaining('`ambit.yaml`') }],
      });
    }
  });
});
