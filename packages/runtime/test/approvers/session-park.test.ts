import type { Answer } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import type { StoredQuestion } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import type { Store } from '../../src/store/store.js';
import { add, files, ledger, resumed } from '../resuming.js';
import {
  calls,
  entriesOf,
  type Files,
  no,
  sessionAt,
  type Workplace,
  workplace,
  writeFiles,
  yes,
} from '../session.js';

/** Two calls at once, of which one needs nobody; then a delegate's. */
const parked: Files = {
  ...files,
  'script.yaml': {
    main: [calls(add('one'), ['helper', { input: 'go' }]), { say: 'all is done' }],
    helper: [calls(add('two'), add('three')), { say: 'helped' }],
  },
};

interface Parked {
  readonly place: Workplace;
  readonly store: Store;
  readonly box: ReturnType<typeof ledger>;
  readonly run: string;
}

async function park(given: Files = parked): Promise<Parked> {
  const place = workplace(given);
  const [store, box] = [memoryStore(), ledger()];
  const session = await sessionAt(place, { mode: 'interactive', park: true, toolsets: [box.toolset], store });
  const result = await session.run({ input: 'work' });
  await session.close();
  expect(result).toMatchObject({ status: 'parked', why: 'a question waits for an answer' });
  return { place, store, box, run: session.id };
}

/** Answers all waiting questions, and returns their lines. */
async function answerAll(store: Store, answer: (line: string) => Answer): Promise<readonly string[]> {
  const waiting = (await store.questions()).filter(({ state }) => state === 'waiting');
  for (const each of waiting) await give(store, each, answer(lineOf(each)));
  return waiting.map(lineOf).sort((one, other) => (one < other ? -1 : 1));
}

async function give(store: Store, { question, digest }: StoredQuestion, answer: Answer): Promise<void> {
  expect(await store.answer(question.id, { digest, answer, at: 1 })).toBe('taken');
}

function lineOf({ question }: StoredQuestion): string {
  return question.args.line as string;
}

describe('a run that is parked', () => {
  it('ends with all reached questions pending, and executes no call that waits for them', async () => {
    const { store, box, run } = await park();
    expect(box.lines).toEqual([]);
    expect(await store.run(run)).toMatchObject({ status: 'parked' });
    const questions = await store.questions();
    expect(new Set(questions.map(lineOf))).toEqual(new Set(['one', 'two', 'three']));
    expect(new Set(questions.map(({ state }) => state))).toEqual(new Set(['waiting']));
  });

  it('resumes with the answers that were given meanwhile, and does not ask again', async () => {
    const { place, store, box, run } = await park();
    await answerAll(store, (line) => (line === 'two' ? no : yes));
    const { status, output, log } = await resumed(place, run, { toolsets: [box.toolset], store, park: true });
    expect([status, output, box.lines.toSorted()]).toEqual(['finished', 'all is done', ['one', 'three']]);
    const approvals = (await entriesOf(log)).filter(({ event }) => event === 'approval');
    expect(approvals.map(({ how }) => how)).toEqual(['person', 'person', 'person']);
    expect(approvals.filter(({ approved }) => approved === true)).toHaveLength(2);
  });

  it('is parked again at an unanswered question, with all other work done', async () => {
    const { place, store, box, run } = await park();
    const [first] = (await store.questions()).filter((each) => lineOf(each) === 'three');
    if (first === undefined) throw new Error('it is asked about');
    await give(store, first, yes);
    const again = await resumed(place, run, { toolsets: [box.toolset], store, park: true });
    expect([again.status, box.lines]).toEqual(['parked', ['three']]);
    expect(await answerAll(store, () => yes)).toEqual(['one', 'two']);
    const last = await resumed(place, run, { toolsets: [box.toolset], store, park: true });
    expect([last.status, box.lines.toSorted()]).toEqual(['finished', ['one', 'three', 'two']]);
  });

  it('does not use an answer given under another policy: it asks again', async () => {
    const { place, store, box, run } = await park();
    await answerAll(store, () => yes);
    writeFiles(place, {
      'policy.yaml': {
        version: 1,
        default: 'needs_approval',
        capabilities: { 'worker.call': 'pre_approved' },
      },
    });
    const { status } = await resumed(place, run, { toolsets: [box.toolset], store, park: true });
    expect([status, box.lines]).toEqual(['parked', []]);
    expect(await answerAll(store, () => yes)).toEqual(['one', 'three', 'two']);
  });

  it('uses an answer once: the same call in a later turn is asked about', async () => {
    const { place, store, box, run } = await park({
      ...files,
      'script.yaml': { main: [calls(add('one')), calls(add('one')), { say: 'done' }] },
    });
    await answerAll(store, () => yes);
    const again = await resumed(place, run, { toolsets: [box.toolset], store, park: true });
    expect([again.status, box.lines]).toEqual(['parked', ['one']]);
  });

  it('asks people who are present when it resumes', async () => {
    const { place, store, box, run } = await park();
    const approver = async () => yes;
    const { status } = await resumed(place, run, { toolsets: [box.toolset], store, approver });
    expect([status, box.lines.toSorted()]).toEqual(['finished', ['one', 'three', 'two']]);
    expect((await store.questions()).filter(({ state }) => state === 'waiting')).toEqual([]);
  });

  it('finishes without parking if there is no question', async () => {
    const place = workplace({ ...files, 'script.yaml': { main: [{ say: 'done' }] } });
    const box = ledger();
    const session = await sessionAt(place, {
      mode: 'interactive',
      park: true,
      toolsets: [box.toolset],
      store: memoryStore(),
    });
    expect(await session.run({ input: 'work' })).toMatchObject({ status: 'finished' });
  });
});
