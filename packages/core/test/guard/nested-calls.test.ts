import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type CallOutcome,
  defineTool,
  defineToolset,
  type ExecuteContext,
  guard,
  type JsonObject,
  type Tool,
} from '../../src/index.js';
import { boxOf, deciding, policy, ruleAbout, type Setting, stage } from './stage.js';

type Inner = (context: ExecuteContext) => Promise<CallOutcome>;

/** A toolset `agent` of one tool that makes calls of its own, beside `box`. */
function nesting(inner: Inner, setting: Setting = {}) {
  const outcomes: CallOutcome[] = [];
  const executed: JsonObject[] = [];
  const set = stage({ policies: [deciding('pre_approved')], mode: 'strict', ...setting });
  const box = guard(boxOf(executed, setting.tool), set.authority);
  const work = defineTool({
    name: 'work',
    description: 'calls others',
    input: z.strictObject({}) as unknown as z.ZodType<JsonObject>,
    describe: () => ({ capabilities: [{ name: 'fs.list', path: '/w' }] }),
    execute: async (_, context) => {
      outcomes.push(await inner(context));
      return 'worked';
    },
  });
  const agent = guard(defineToolset({ name: 'agent', tools: [work as Tool] }), set.authority, (name) =>
    name === 'box' ? box : undefined,
  );
  return { ...set, agent, outcomes, executed, work: () => agent.call({ tool: 'work', args: {} }) };
}

const put: Inner = ({ call }) => call('box.put', { path: '/w/a' });

describe('a call that a tool makes', () => {
  it('is described, judged, recorded and executed like any other, under its parent call', async () => {
    const { work, outcomes, executed, log } = nesting(put);
    expect(await work()).toMatchObject({ status: 'completed', result: 'worked' });
    expect(outcomes).toMatchObject([{ status: 'completed', result: 'done' }]);
    expect(executed).toEqual([{ path: '/w/a', text: '' }]);
    expect(log.of('decision').map(({ call, parent, tool }) => ({ call, parent, tool }))).toEqual([
      { call: 'id-1', parent: undefined, tool: 'agent.work' },
      { call: 'id-3', parent: 'id-1', tool: 'box.put' },
    ]);
  });

  it('is blocked by its own rules, though its parent is permitted', async () => {
    const blocks = policy({
      rules: [
        ruleAbout('fs.list', { decision: 'pre_approved' }),
        ruleAbout('fs.write', { decision: 'blocked', reason: 'no' }),
      ],
    });
    const { work, outcomes, executed } = nesting(put, { policies: [blocks] });
    expect(await work()).toMatchObject({ status: 'completed' });
    expect(outcomes).toMatchObject([{ status: 'refused', refusal: { code: 'blocked', reason: 'no' } }]);
    expect(executed).toEqual([]);
  });

  it.each<readonly [string, Inner, string]>([
    ['of a toolset that the worker does not have', ({ call }) => call('shell.run', {}), 'unknown_tool'],
    ['of an inherited property name', ({ call }) => call('box.constructor', {}), 'unknown_tool'],
    ['without a toolset', ({ call }) => call('box', {}), 'unknown_tool'],
    ['of a name that is not text', ({ call }) => call(undefined as unknown as string, {}), 'unknown_tool'],
    ['with invalid arguments', ({ call }) => call('box.put', { path: 1 }), 'bad_input'],
    [
      'with arguments that are not JSON',
      ({ call }) => call('box.put', { path: () => 1 } as unknown as JsonObject),
      'bad_input',
    ],
  ])('is refused as a value: %s', async (_, inner, code) => {
    const { work, outcomes } = nesting(inner);
    expect(await work()).toMatchObject({ status: 'completed' });
    expect(outcomes).toMatchObject([{ status: 'refused', refusal: { code } }]);
  });

  it('is refused when its parent call has ended', async () => {
    const kept: ExecuteContext[] = [];
    const { work, executed } = nesting((context) => {
      kept.push(context);
      return put(context);
    });
    await work();
    expect(await (kept[0] as ExecuteContext).call('box.put', { path: '/w/late' })).toMatchObject({
      status: 'refused',
      refusal: { code: 'cancelled' },
    });
    expect(executed).toHaveLength(1);
  });

  it('is cancelled with its parent call', async () => {
    const begun = resolvers<AbortSignal>();
    const { work } = nesting(
      async ({ call }) => {
        void call('box.put', { path: '/w/a' });
        await begun.promise;
        throw new Error('enough');
      },
      {
        tool: {
          execute: (_, { signal }) => {
            begun.resolve(signal);
            return new Promise(() => undefined);
          },
        },
      },
    );
    expect(await work()).toMatchObject({ status: 'failed', error: 'enough' });
    expect((await begun.promise).aborted).toBe(true);
  });

  it('is nested at most sixteen levels deep', async () => {
    const { work, outcomes, log } = nesting(({ call }) => call('agent.work', {}));
    expect(await work()).toMatchObject({ status: 'completed' });
    expect(log.of('decision')).toHaveLength(17);
    expect(outcomes[0]).toMatchObject({ status: 'refused', refusal: { code: 'cannot' } });
  });
});

describe('a tool that is offered under another name', () => {
  it('is judged, recorded and called by its own name', async () => {
    const { log, box } = stage({
      policies: [deciding('pre_approved')],
      mode: 'strict',
      tool: { offered_as: 'box_put' },
    });
    expect(box.offers).toMatchObject([{ name: 'box_put', tool: 'put', fullName: 'box.put' }]);
    expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({ status: 'completed' });
    expect(await box.call({ tool: 'box_put', args: { path: '/w/a' } })).toMatchObject({
      refusal: { code: 'unknown_tool' },
    });
    expect(log.of('decision').map(({ tool }) => tool)).toEqual(['box.put', 'box.box_put']);
  });
});

function resolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
