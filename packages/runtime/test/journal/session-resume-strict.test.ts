import type { Answer } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { resume } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { add, ledger } from '../resuming.js';
import { calls, callsIn, entriesOf, no, sessionAt, worker, workplace, yes } from '../session.js';

const files = {
  'policy.yaml': { version: 1, default: 'needs_approval' },
  'main.worker': worker({ toolsets: { ledger: {} } }),
  'script.yaml': {
    main: [calls(add('one'), add('one'), add('two')), calls(add('three')), { say: 'done' }],
  },
};

/** Parks at the questions of the first turn, has those about a line answered, and goes on in the mode `strict`. */
async function answeredThenStrict(answers: Readonly<Record<string, Answer>>) {
  const place = workplace(files);
  const { lines, toolset } = ledger();
  const store = memoryStore();
  const session = await sessionAt(place, { mode: 'interactive', park: true, toolsets: [toolset], store });
  expect((await session.run({ input: 'work' })).status).toBe('parked');
  await session.close();
  for (const { question, digest } of await store.questions()) {
    const answer = answers[question.args.line as string];
    if (answer !== undefined)
      expect(await store.answer(question.id, { digest, answer, at: 1 })).toBe('taken');
  }
  const opened = await resume(session.id, {
    root: place.root,
    store,
    mode: 'strict',
    toolsets: [toolset],
    environment: { HOME: `${place.state}/..`, AMBIT_HOME: place.state },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  const { status } = await opened.session.run({});
  await opened.session.close();
  const events = await entriesOf(opened.session.log);
  const outcomes = callsIn(events).map(([, , , came]) => came);
  const approvals = events.filter(({ event }) => event === 'approval');
  return { status, lines, outcomes, approvals: approvals.map(({ how, approved }) => [how, approved]) };
}

describe('a run that resumes in', () => {
  it('honours an earlier yes for all of its calls, and asks no one', async () => {
    expect(await answeredThenStrict({ one: yes })).toEqual({
      status: 'finished',
      lines: ['one', 'one'],
      outcomes: ['completed', 'completed', 'strict', 'strict'],
      approvals: [
        ['person', true],
        ['person', true],
      ],
    });
  });

  it('honours an earlier no, and asks no one about edited arguments', async () => {
    const edited: Answer = { answer: 'approve', person: 'ada', args: { line: 'four' } };
    expect(await answeredThenStrict({ one: no, two: edited })).toEqual({
      status: 'finished',
      lines: [],
      outcomes: ['denied', 'denied', 'strict', 'strict'],
      approvals: [
        ['person', false],
        ['person', false],
        ['person', true],
      ],
    });
  });

  it('refuses unanswered questions, and records no answer', async () => {
    expect(await answeredThenStrict({})).toEqual({
      status: 'finished',
      lines: [],
      outcomes: ['strict', 'strict', 'strict', 'strict'],
      approvals: [],
    });
  });
});
