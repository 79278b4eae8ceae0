import { describe, expect, it } from 'vitest';
import { type DescribeContext, type Json, StartOver, type Tool } from '../../src/index.js';
import { deciding, policy, ruleAbout, type Setting, stage, write, yes } from './stage.js';

/** A tool that finds, once it is executed, that its file lies outside. */
const finding: Partial<Tool> = {
  describe: (_, { learnt }: DescribeContext) => ({
    capabilities: [learnt === 'outside' ? { ...write('/w/a'), name: 'fs.write.outside' } : write('/w/a')],
  }),
  execute: (_, { learnt, described }) => {
    if (learnt === undefined) throw new StartOver('outside');
    return described.map(({ name }) => name);
  },
};

const failing = () => {
  throw new Error('it cannot be read');
};

function calling(setting: Setting) {
  const set = stage({ tool: finding, ...setting });
  return { ...set, put: () => set.box.call({ tool: 'put', args: { path: '/w/a' } }) };
}

describe('a call that turns out to do more', () => {
  it('is described, judged and recorded again before execution, as the same call', async () => {
    const { put, log } = calling({ policies: [deciding('pre_approved')], mode: 'strict' });
    expect(await put()).toMatchObject({ status: 'completed', call: 'id-1', result: ['fs.write.outside'] });
    expect(
      log.of('decision').map(({ call, ...event }) => [call, 'capabilities' in event && event.capabilities]),
    ).toEqual([
      ['id-1', [{ name: 'fs.write', path: '/w/a' }]],
      ['id-1', [{ name: 'fs.write.outside', path: '/w/a' }]],
    ]);
    expect(log.of('outcome')).toMatchObject([{ call: 'id-1', outcome: 'completed' }]);
  });

  it('is blocked by a rule about its new capabilities', async () => {
    const blocks = policy({
      rules: [
        ruleAbout('fs.write', { decision: 'pre_approved' }),
        ruleAbout('fs.write.outside', { decision: 'blocked', reason: 'not there' }),
      ],
    });
    const { put, log, executed } = calling({ policies: [blocks], mode: 'approve_all' });
    expect(await put()).toMatchObject({
      status: 'refused',
      refusal: { code: 'blocked', reason: 'not there' },
    });
    expect(executed).toHaveLength(1);
    expect(log.of('outcome')).toMatchObject([{ call: 'id-1', outcome: 'refused', code: 'blocked' }]);
  });

  it('is asked about again: the answer to the first description does not apply', async () => {
    const { put, asked } = calling({ answers: [yes, yes] });
    expect(await put()).toMatchObject({ status: 'completed' });
    expect(asked.map(({ capabilities }) => capabilities.map(({ capability }) => capability.name))).toEqual([
      ['fs.write'],
      ['fs.write.outside'],
    ]);
  });

  it('gives up if it starts over each time', async () => {
    const tool: Partial<Tool> = {
      execute: () => {
        throw new StartOver(null);
      },
    };
    const { put } = calling({ policies: [deciding('pre_approved')], mode: 'strict', tool });
    expect(await put()).toMatchObject({ status: 'refused', refusal: { code: 'unsettled' } });
  });

  it('starts over also for a toolset that brings its own copy of this package', async () => {
    const copy = '../../src/tool/tool.js?copy';
    const own = (await import(copy)) as { readonly StartOver: typeof StartOver };
    expect(own.StartOver).not.toBe(StartOver);
    const tool: Partial<Tool> = {
      ...finding,
      execute: (_, { learnt }) => {
        if (learnt === undefined) throw new own.StartOver('outside');
        return learnt;
      },
    };
    const { put } = calling({ policies: [deciding('pre_approved')], mode: 'strict', tool });
    expect(await put()).toMatchObject({ status: 'completed', result: 'outside' });
  });

  it.each<readonly [string, unknown]>([
    ['an error of that name', Object.assign(new Error('no'), { name: 'StartOver', learnt: 'outside' })],
    ['a text', 'StartOver'],
    ['nothing', undefined],
    ['what cannot be read', new Proxy({}, { has: failing })],
    ['what cannot be read in part', Object.defineProperty(new StartOver(1), 'learnt', { get: failing })],
  ])('fails, and does not start over, if it throws %s', async (_, thrown) => {
    const tool: Partial<Tool> = {
      execute: () => {
        throw thrown;
      },
    };
    const { put, log } = calling({ policies: [deciding('pre_approved')], mode: 'strict', tool });
    expect(await put()).toMatchObject({ status: 'failed' });
    expect(log.story).toEqual(['decision', 'outcome']);
  });

  it('has the result that was returned, whatever the tool writes into it later', async () => {
    const result: Record<string, unknown> = { found: 1 };
    const { put } = calling({
      policies: [deciding('pre_approved')],
      mode: 'strict',
      tool: { execute: () => result as Json },
    });
    const outcome = await put();
    result.found = () => 2;
    expect(outcome).toMatchObject({ status: 'completed', result: { found: 1 } });
  });

  it('fails if it learnt something that is not plain data', async () => {
    const tool: Partial<Tool> = {
      execute: () => {
        throw new StartOver((() => 1) as never);
      },
    };
    const { put } = calling({ policies: [deciding('pre_approved')], mode: 'strict', tool });
    expect(await put()).toMatchObject({ status: 'failed', error: 'the call starts over' });
  });

  it('forgets what it learnt if a person edits the arguments', async () => {
    const learnt: unknown[] = [];
    const tool: Partial<Tool> = {
      describe: (_, context) => {
        learnt.push(context.learnt ?? null);
        return { capabilities: [write(context.learnt === undefined ? '/w/a' : '/w/b')] };
      },
      execute: (args, context) => {
        if (context.learnt === undefined && args.path === '/w/a') throw new StartOver('b');
        return 'done';
      },
    };
    const editing = () =>
      Promise.resolve({ answer: 'approve', person: 'ann', args: { path: '/w/c' } } as const);
    const { put } = calling({ tool, answers: [yes, editing, yes] });
    expect(await put()).toMatchObject({ status: 'completed' });
    expect(learnt).toEqual([null, null, 'b', null, null]);
  });
});
