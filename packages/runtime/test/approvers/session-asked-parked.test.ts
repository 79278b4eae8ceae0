import type { Answer } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { resume, type Store } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import {
  calls,
  callsIn,
  entriesOf,
  type Files,
  no,
  sessionAt,
  type Workplace,
  worker,
  workplace,
  yes,
} from '../session.js';

/** Parks, answers the questions that wait, and goes on, until the run ends; gives what was asked, each time. */
async function untilEnded(place: Workplace, store: Store, answer: (asked: number) => Answer = () => yes) {
  const session = await sessionAt(place, { mode: 'interactive', park: true, store });
  let result = await session.run({ input: 'go' });
  await session.close();
  const asked: (readonly string[])[] = [];
  for (let round = 0; result.status === 'parked' && round < 10; round += 1) {
    const waiting = (await store.questions()).filter(({ state }) => state === 'waiting');
    asked.push(waiting.map(({ question }) => `${question.tool} ${question.part?.number ?? ''}`.trim()));
    for (const { question, digest } of waiting)
      expect(await store.answer(question.id, { digest, answer: answer(round), at: 1 })).toBe('taken');
    const opened = await resume(session.id, {
      root: place.root,
      store,
      park: true,
      environment: { HOME: `${place.state}/..`, AMBIT_HOME: place.state },
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
    result = await opened.session.run({});
    await opened.session.close();
  }
  return { result, asked, events: await entriesOf(session.log) };
}

const policy = {
  version: 1,
  default: 'needs_approval',
  capabilities: {
    'worker.call': 'pre_approved',
    'data.share': 'pre_approved',
    'fs.read': 'pre_approved',
    'content.untrusted': 'pre_approved',
    'net.connect': 'pre_approved',
  },
};

describe('a run that is parked at a question about an attachment', () => {
  const files: Files = {
    'policy.yaml': policy,
    'main.worker': worker({
      sandbox: { paths: { input: { root: './in', mode: 'ro', read_approval: true } } },
      toolsets: { helper: {} },
    }),
    'helper.worker': worker({}),
    'in/a.txt': 'alpha',
    'in/b.txt': 'beta',
    'in/c.txt': 'gamma',
    'script.yaml': {
      main: [
        calls(['helper', { input: 'score', attachments: ['input/a.txt', 'input/b.txt', 'input/c.txt'] }]),
        { say: 'done' },
      ],
      helper: [{ for: 'gamma', say: 'scored' }],
    },
  };

  it('asks about each attachment once across several resumes, and hands all over', async () => {
    const { result, asked, events } = await untilEnded(workplace(files), memoryStore());
    expect(result).toMatchObject({ status: 'finished', output: 'done' });
    expect(asked).toEqual([['worker.helper 1'], ['worker.helper 2'], ['worker.helper 3']]);
    expect(callsIn(events)).toEqual([['main', 'worker.helper', 'needs_approval', 'completed']]);
    expect(events.filter(({ event }) => event === 'approval')).toHaveLength(3);
  });

  it('asks no further after a refusal', async () => {
    const { result, asked, events } = await untilEnded(workplace(files), memoryStore(), (round) =>
      round === 1 ? no : yes,
    );
    expect(result.status).toBe('finished');
    expect(asked).toEqual([['worker.helper 1'], ['worker.helper 2']]);
    expect(callsIn(events)[0]?.[3]).toBe('denied');
  });
});

describe('a run that is parked at a question about a tool of the model’s provider', () => {
  it('uses the answer for the same request when it resumes', async () => {
    const place = workplace({
      'policy.yaml': { ...policy, tools: { 'provider.web_search': 'needs_approval' } },
      'main.worker': worker({ toolsets: { provider: { tools: ['web_search'] }, helper: {} } }),
      'helper.worker': worker({}),
      'script.yaml': {
        main: [calls(['helper', { input: 'x' }]), { say: 'done' }],
        helper: [{ say: 'helped' }],
      },
    });
    const { result, asked, events } = await untilEnded(place, memoryStore());
    expect(result).toMatchObject({ status: 'finished', output: 'done' });
    // One for each request to the model.
    expect(asked).toEqual([['provider.web_search'], ['provider.web_search']]);
    expect(callsIn(events)).toEqual([
      ['main', 'provider.web_search', 'needs_approval', 'completed'],
      ['main', 'worker.helper', 'pre_approved', 'completed'],
      ['main', 'provider.web_search', 'needs_approval', 'completed'],
    ]);
  });
});
