import type { Answer } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { stride } from '../../../../test/depth.js';
import { bindingDigest, type Question } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { add, dying, interrupted, ledger, resumed } from '../resuming.js';
import { calls, entriesOf, runAt, sessionAt, type Workplace, worker, workplace, yes } from '../session.js';

const files = {
  'policy.yaml': { version: 1, default: 'needs_approval' },
  'main.worker': worker({ toolsets: { ledger: {} } }),
  'script.yaml': { main: [calls(add('one'), add('one'), add('one')), { say: 'done' }] },
};

const countOf = ({ calls: all }: Question) => all?.length ?? 1;

describe('identical calls of a turn', () => {
  it('are one question, and each has its own approval in the log', async () => {
    const { lines, toolset } = ledger();
    const asked: Question[] = [];
    const { events } = await runAt(workplace(files), {
      mode: 'interactive',
      toolsets: [toolset],
      approver: async (question): Promise<Answer> => {
        asked.push(question);
        return yes;
      },
    });
    expect(asked.map(countOf)).toEqual([3]);
    const approvals = events.filter(({ event }) => event === 'approval');
    expect(new Set(approvals.map(({ call }) => call)).size).toBe(3);
    expect(lines).toEqual(['one', 'one', 'one']);
  });

  async function parked() {
    const place = workplace(files);
    const { lines, toolset } = ledger();
    const store = memoryStore();
    const session = await sessionAt(place, { mode: 'interactive', park: true, toolsets: [toolset], store });
    expect((await session.run({ input: 'work' })).status).toBe('parked');
    await session.close();
    const [question, ...others] = await store.questions();
    if (question === undefined) throw new Error('nothing is asked');
    expect([countOf(question.question), others]).toEqual([3, []]);
    return { place, store, lines, toolset, question, run: session.id };
  }

  it('are parked as one question, and share its answer when the run resumes', async () => {
    const { place, store, lines, toolset, question, run } = await parked();
    const { digest } = question;
    expect(await store.answer(question.question.id, { digest, answer: yes, at: 1 })).toBe('taken');
    const { status, log } = await resumed(place, run, { toolsets: [toolset], store, park: true });
    expect([status, lines]).toEqual(['finished', ['one', 'one', 'one']]);
    expect(await store.questions()).toHaveLength(1);
    const approvals = (await entriesOf(log)).filter(({ event }) => event === 'approval');
    expect(approvals).toMatchObject(Array(3).fill({ how: 'person', approved: true }));
  });

  it('are bound to their answer together: it applies to no other set of calls', async () => {
    const { question } = await parked();
    const { calls: all = [], ...one } = question.question;
    const [first = '', ...others] = all;
    const asked = [question.question, one, { ...one, calls: [first, ...others, 'another'] as const }];
    expect(new Set(asked.map((each) => bindingDigest(each, []))).size).toBe(3);
  });

  it('of two workers are parked together in any order, and run when answered', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': {
        version: 1,
        default: 'needs_approval',
        capabilities: { 'worker.call': 'pre_approved' },
      },
      'main.worker': worker({ toolsets: { helper: {} } }),
      'helper.worker': worker({ toolsets: { ledger: {} } }),
      'script.yaml': {
        main: [calls(['helper', { input: 'a' }], ['helper', { input: 'b' }]), { say: 'done' }],
        helper: [calls(add('one')), { say: 'helped' }],
      },
    });
    const { lines, toolset } = ledger();
    const store = memoryStore();
    const session = await sessionAt(place, { mode: 'interactive', park: true, toolsets: [toolset], store });
    let { status } = await session.run({ input: 'work' });
    await session.close();
    let answered = 0;
    for (let times = 0; status === 'parked' && times < 3; times += 1) {
      for (const { question, digest, state } of await store.questions()) {
        if (state !== 'waiting') continue;
        expect(await store.answer(question.id, { digest, answer: yes, at: 1 })).toBe('taken');
        answered += countOf(question);
      }
      ({ status } = await resumed(place, session.id, { toolsets: [toolset], store, park: true }));
    }
    expect([status, answered, lines]).toEqual(['finished', 2, ['one', 'one']]);
  });

  it('are asked about once, and executed once each, after any interruption', async () => {
    let ended = 0;
    for (let after = 4; ended < 2; after += stride) {
      for (const isKept of [false, true]) {
        const place: Workplace = workplace(files);
        const { lines, toolset } = ledger();
        const store = memoryStore();
        const asked: Question[] = [];
        const options = {
          mode: 'interactive',
          toolsets: [toolset],
          approver: async (question: Question): Promise<Answer> => {
            asked.push(question);
            return question.again === null ? yes : { answer: 'refuse', person: 'ada' };
          },
        } as const;
        const run = await interrupted(place, { ...options, store: dying(store, after, isKept) });
        if ((await store.run(run))?.status === 'finished') {
          ended += 1;
          continue;
        }
        const { status } = await resumed(place, run, { ...options, store });
        const first = asked.filter(({ again }) => again === null);
        // What had begun, and whose end is not known, is asked about again; some of it may have been done.
        const unknown = asked.flatMap((question) => (question.again === null ? [] : [countOf(question)]));
        const least = 3 - unknown.reduce((sum, count) => sum + count, 0);
        expect([after, isKept, status, first.map(countOf)]).toEqual([after, isKept, 'finished', [3]]);
        expect(lines.length).toBeGreaterThanOrEqual(least);
        expect(lines.length).toBeLessThanOrEqual(3);
      }
    }
  });
});

describe('an answer that is kept for ever', () => {
  it('applies in the run even if the process is killed between the log and the store', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': {
        version: 1,
        default: 'needs_approval',
        grants: { remember: 'always', reach: 'capability' },
      },
      'script.yaml': { main: [calls(add('one')), calls(add('one')), { say: 'done' }] },
    });
    const { lines, toolset } = ledger();
    const store = memoryStore();
    const asked: Question[] = [];
    const options = {
      mode: 'interactive',
      toolsets: [toolset],
      approver: async (question: Question): Promise<Answer> => {
        asked.push(question);
        return { answer: 'approve', person: 'ada', keep: { remember: 'always', reach: 'file' } };
      },
    } as const;
    let isGone = false;
    const killed: typeof store = {
      ...store,
      keep: async () => {
        isGone = true;
        throw new Error('the process is gone');
      },
      append: async (...given) => {
        if (isGone) throw new Error('the process is gone');
        await store.append(...given);
      },
      setStatus: async (...given) => {
        if (isGone) throw new Error('the process is gone');
        await store.setStatus(...given);
      },
    };
    const run = await interrupted(place, { ...options, store: killed });
    expect([isGone, lines]).toEqual([true, []]);
    const { status } = await resumed(place, run, { ...options, store });
    expect([status, lines, asked.length]).toEqual(['finished', ['one', 'one'], 1]);
  });
});
