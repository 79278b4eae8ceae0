import { type Answer, defineTool, defineToolset } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Question } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { until } from '../approvers/waiting-approver.js';
import { add, ledger, resumed } from '../resuming.js';
import {
  calls,
  callsIn,
  entriesOf,
  gate,
  linesOf,
  no,
  sessionAt,
  worker,
  workplace,
  yes,
} from '../session.js';

describe('a run whose process must end', () => {
  /** It adds a line, waits for a person about another, and is in the middle of work of its own. */
  const begun = async (more: { readonly store?: null } = {}) => {
    const place = workplace({
      'policy.yaml': {
        version: 1,
        default: 'pre_approved',
        capabilities: { 'ledger.add': { decision: 'needs_approval', match: { line: 'two' } } },
      },
      'main.worker': worker({ toolsets: { ledger: {}, slow: {} } }),
      'script.yaml': {
        main: [calls(add('one')), calls(add('two'), ['work']), calls(add('three')), { say: 'done' }],
      },
    });
    const [started, ended] = [gate(), gate()];
    let worked = 0;
    const work = defineTool({
      name: 'work',
      description: '',
      input: z.strictObject({}),
      describe: () => ({ capabilities: [{ name: 'slow.work' }] }),
      execute: async (_, { signal }) => {
        worked += 1;
        signal.addEventListener('abort', ended.open, { once: true });
        started.open();
        await ended.opened;
        return null;
      },
    });
    const { lines, toolset } = ledger();
    const toolsets = [toolset, defineToolset({ name: 'slow', tools: [work] })];
    const store = memoryStore();
    const session = await sessionAt(place, {
      mode: 'interactive',
      open: true,
      wait: true,
      toolsets,
      store,
      ...more,
    });
    const running = session.run({ input: 'go' });
    await started.opened;
    const asked = () => store.questions();
    if (more.store !== null) await until(async () => (await asked()).length === 1);
    return { place, session, running, store, lines, toolsets, asked, worked: () => worked };
  };

  it('is parked: its questions wait, and its active calls have no outcome', async () => {
    const { session, running, store, lines, asked } = await begun();
    session.park('the machine goes down');
    expect(await running).toMatchObject({ status: 'parked', why: 'the machine goes down' });
    await session.close();
    expect(await store.run(session.id)).toMatchObject({ status: 'parked' });
    expect((await asked()).map(({ state }) => state)).toEqual(['waiting']);
    expect(lines).toEqual(['one']);
    const events = linesOf(session.log);
    expect(callsIn(events).map(([, tool, , came]) => [tool, came])).toEqual([
      ['ledger.add', 'completed'],
      ['ledger.add', null],
      ['slow.work', null],
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'end', status: 'parked', why: 'the machine goes down' });
  });

  it('resumes: it asks about started calls, and repeats none', async () => {
    const { place, session, running, store, lines, toolsets, asked, worked } = await begun();
    session.park('the machine goes down');
    await running;
    await session.close();
    const [waits] = await asked();
    if (waits === undefined) throw new Error('it waits');
    await store.answer(waits.question.id, { digest: waits.digest, answer: yes, at: 1 });
    const questions: Question[] = [];
    const approver = async (question: Question): Promise<Answer> => {
      questions.push(question);
      return no;
    };
    const { status, output, log } = await resumed(place, session.id, { toolsets, store, approver });
    expect([status, output, lines, worked()]).toEqual(['finished', 'done', ['one', 'two', 'three'], 1]);
    expect(questions.map(({ tool, again }) => [tool, again !== null])).toEqual([['slow.work', true]]);
    expect(callsIn(await entriesOf(log)).map(([, , , came]) => came)).toEqual([
      'completed',
      'completed',
      'denied',
      'completed',
    ]);
  });

  it('stays stopped if a person stopped it', async () => {
    const { session, running, store } = await begun();
    session.stop('enough');
    session.park('the machine goes down');
    expect(await running).toMatchObject({ status: 'stopped', why: 'enough' });
    await session.close();
    expect(await store.run(session.id)).toMatchObject({ status: 'stopped' });
  });

  it('stays parked if it is stopped afterwards', async () => {
    const { session, running, store } = await begun();
    session.park('the machine goes down');
    session.stop('enough');
    expect(await running).toMatchObject({ status: 'parked', why: 'the machine goes down' });
    await session.close();
    expect(await store.run(session.id)).toMatchObject({ status: 'parked' });
  });

  it('is stopped if nobody can resume it', async () => {
    const { session, running } = await begun({ store: null });
    session.park('the machine goes down');
    expect(await running).toMatchObject({ status: 'stopped', why: 'the machine goes down' });
  });
});
