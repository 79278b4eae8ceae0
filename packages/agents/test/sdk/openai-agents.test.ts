import { writeFileSync } from 'node:fs';
import {
  Agent,
  type Model,
  OpenAIProvider,
  RunContext,
  Runner,
  RunState,
  tool,
  toolNamespace,
  Usage,
} from '@openai/agents';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ambitTool } from '../../src/sdk/openai-agents.js';
import type { Judge } from '../../src/sdk/verdict.js';
import { acting, SdkPlace, scripted } from './place.js';

async function talk(judge: Judge, ...turns: Parameters<typeof scripted>[0]) {
  return talkWithin(undefined, judge, ...turns);
}

/** With a time, the tool never ends. */
async function talkWithin(
  timeoutMs: number | undefined,
  judge: Judge,
  ...turns: Parameters<typeof scripted>[0]
) {
  const model = await scripted(turns);
  const ran: string[] = [];
  const act = tool({
    name: 'act',
    description: 'acts',
    parameters: z.object({ what: z.string() }),
    execute: async ({ what }) => {
      ran.push(what);
      if (timeoutMs !== undefined) await new Promise(() => undefined);
      if (what === 'fine') return 'done';
      throw new Error('it broke');
    },
    ...ambitTool(judge, 'act'),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const modelProvider = new OpenAIProvider({
    apiKey: 'none',
    baseURL: `${model.url}/v1`,
    useResponses: true,
  });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  return {
    runner,
    agent: new Agent({ name: 'A', instructions: 'x', model: 'gpt-5', tools: [act] }),
    ran,
    model,
  };
}

describe('ambitTool', () => {
  it('runs permitted calls, records outcomes, and tells the model why other calls do not run', async () => {
    const place = new SdkPlace();
    const { runner, agent, ran, model } = await talk(await place.judge(), acting('fine', 'bad'), {
      say: 'ok',
    });
    const result = await runner.run(agent, 'go');
    expect([ran, result.finalOutput]).toEqual([['fine'], 'ok']);
    expect(JSON.stringify(model.requests[1]?.body)).toContain('refused by policy');
    expect([...place.told()].sort()).toEqual([
      'decision blocked',
      'decision pre_approved',
      'outcome completed',
      'outcome refused',
    ]);
  });

  it('records a call whose time is over as failed', async () => {
    const place = new SdkPlace();
    const { runner, agent, model } = await talkWithin(5, await place.judge(), acting('fine'), { say: 'ok' });
    await runner.run(agent, 'go');
    expect(place.told()).toEqual(['decision pre_approved', 'outcome failed']);
    expect(JSON.stringify(model.requests[1]?.body)).toContain("the tool failed: Tool 'act' timed out");
  });

  it.each([
    ['bad', 'fine'],
    ['fine', 'bad'],
  ])('gives each of two calls with one id its own verdict: %s and %s', async (...order) => {
    const own = ambitTool(await new SdkPlace().judge(), 'act');
    const context = { isToolApproved: () => undefined };
    const callId = 'call_same_000';
    for (const what of order) await own.needsApproval(context, { what }, callId);
    const said = order.map(async (what) => {
      const toolCall = { callId, name: 'act', arguments: JSON.stringify({ what }) };
      return own.inputGuardrails[0]?.run({ context, toolCall });
    });
    const allowed = (await Promise.all(said)).map((each) => each?.behavior.type === 'allow');
    expect(allowed).toEqual(order.map((what) => what === 'fine'));
  });

  it('interrupts for a question, and runs the call after the approval, also from a state stored elsewhere', async () => {
    const place = new SdkPlace();
    const first = await talk(await place.judge(), acting('odd'));
    const result = await first.runner.run(first.agent, 'go');
    expect([result.interruptions.length, first.ran]).toEqual([1, []]);
    const stored = result.state.toString();

    const second = await talk(await place.judge(), { say: 'ok' });
    const state = await RunState.fromString(second.agent, stored);
    for (const interruption of state.getInterruptions()) state.approve(interruption);
    const ended = await second.runner.run(second.agent, state);
    expect([second.ran, ended.finalOutput]).toEqual([['odd'], 'ok']);
    expect(place.told()).toEqual(['decision needs_approval', 'approval client', 'outcome failed']);

    // The same stored state again, and in another session.
    for (const session of ['session-1', 'session-2']) {
      const again = await talk(await place.judge({ session }), { say: 'ok' });
      const replayed = await RunState.fromString(again.agent, stored);
      for (const interruption of replayed.getInterruptions()) replayed.approve(interruption);
      await again.runner.run(again.agent, replayed);
      expect(again.ran).toEqual([]);
    }
  });

  it('runs no call whose input was changed in the stored state', async () => {
    const place = new SdkPlace();
    const first = await talk(await place.judge(), acting('odd'));
    const stored = (await first.runner.run(first.agent, 'go')).state.toString().replaceAll('odd', 'bad');
    const second = await talk(await place.judge(), { say: 'ok' });
    const state = await RunState.fromString(second.agent, stored);
    for (const interruption of state.getInterruptions()) state.approve(interruption);
    await second.runner.run(second.agent, state);
    expect(second.ran).toEqual([]);
  });

  it('blocks a call that the policy blocks, even if the user always approves its tool', async () => {
    const place = new SdkPlace();
    const { runner, agent, ran } = await talk(
      await place.judge(),
      acting('odd'),
      acting('odd', 'bad', 'fine'),
      {
        say: 'ok',
      },
    );
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
    const ended = await runner.run(agent, state);
    // Each call that needs approval is approved by itself.
    expect([ran, ended.finalOutput]).toEqual([['odd', 'fine'], 'ok']);
  });

  it('blocks a call that has the id of one that was permitted and never began', async () => {
    const place = new SdkPlace();
    const own = ambitTool(await place.judge(), 'act');
    const context = (isToolApproved: boolean) => ({ isToolApproved: () => isToolApproved });
    expect(await own.needsApproval(context(false), { what: 'fine' }, 'x')).toBe(false);
    // The turn was aborted, and the user always approves the tool.
    expect(await own.needsApproval(context(true), { what: 'bad' }, 'x')).toBe(true);
    const toolCall = { callId: 'x', name: 'act', arguments: '{"what":"bad"}' };
    const given = { context: context(true), toolCall };
    const [answer] = await Promise.all(own.inputGuardrails.map((each) => each.run(given)));
    expect(answer).toMatchObject({ behavior: { type: 'rejectContent' } });
  });

  it.each([
    ['permitted', 'fine', true],
    ['permitted', 'fine', false],
    ['asked about', 'odd', true],
    ['asked about', 'odd', false],
  ])(
    'blocks a call with the id of one that was %s in another run: %s, one context: %s',
    async (_, what, isOne) => {
      const same = (of: string) => ({ calls: [{ name: 'act', input: { what: of }, id: 'call_same_000' }] });
      const own = await new SdkPlace().judge();
      const aborting = new AbortController();
      const judge: Judge['judge'] = async (call) => {
        const verdict = await own.judge(call);
        if (verdict.decision === 'pre_approved') aborting.abort();
        return verdict;
      };
      const turns = [acting('odd'), same(what), same('bad'), { say: 'ok' }];
      const { runner, agent, ran } = await talk({ ...own, judge }, ...turns);
      const context = new RunContext({});
      const { state, interruptions } = await runner.run(agent, 'go', { context });
      const other = { signal: aborting.signal, ...(isOne && { context }) };
      await runner.run(agent, 'go', other).catch(() => undefined);
      for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
      await runner.run(agent, state);
      expect(ran).toEqual(['odd']);
    },
  );

  it('runs no call without arguments that was not judged', async () => {
    const place = new SdkPlace();
    const ran: unknown[] = [];
    const own = ambitTool(await place.judge(), 'act', async (args: unknown) => void ran.push(args));
    await expect(own.execute(undefined)).rejects.toThrow('no rule');
    expect(ran).toEqual([]);
  });

  it.each([
    ['runs an approved call of a tool in a namespace', 'desk', ['desk: odd']],
    ['takes no yes for a tool of the same name in another namespace', 'shop', []],
  ])('%s', async (_, stored, expected) => {
    const judge = await new SdkPlace().judge();
    const ran: string[] = [];
    const actIn = (name: string) => {
      const execute = async ({ what }: { readonly what: string }) => void ran.push(`${name}: ${what}`);
      const parameters = z.object({ what: z.string() });
      const act = tool({ name: 'act', description: 'acts', parameters, ...ambitTool(judge, 'act', execute) });
      return toolNamespace({ name, description: 'a place', tools: [act] });
    };
    const call = { type: 'function_call', callId: 'call_00000001', name: 'act', namespace: 'desk' };
    const output = [{ ...call, status: 'completed', arguments: '{"what":"odd"}' }];
    const model = {
      getResponse: async () => ({ usage: new Usage(), output: output.splice(0), responseId: 'x' }),
      getStreamedResponse: () => expect.unreachable(),
    } as Model;
    const tools = ['desk', 'shop'].flatMap(actIn);
    const agent = new Agent({ name: 'A', model, tools, toolUseBehavior: 'stop_on_first_tool' });
    const runner = new Runner({ tracingDisabled: true });
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const interruption of interruptions) state.approve(interruption);
    const other = await RunState.fromString(agent, state.toString().replaceAll('desk', stored));
    await runner.run(agent, other);
    expect(ran).toEqual(expected);
  });

  it.each([true, false])(
    'refuses each call of a tool with another name, with `execute` %s',
    async (isGiven) => {
      const judge = await new SdkPlace().judge();
      const ran: string[] = [];
      const execute = async ({ what }: { readonly what: string }) => void ran.push(what);
      const own = isGiven ? ambitTool(judge, 'act', execute) : { execute, ...ambitTool(judge, 'act') };
      const erase = tool({
        name: 'erase',
        description: 'x',
        parameters: z.object({ what: z.string() }),
        ...own,
      });
      const { runner, model } = await talk(judge, { calls: [{ name: 'erase', input: { what: 'fine' } }] });
      await runner.run(new Agent({ name: 'A', model: 'gpt-5', tools: [erase] }), 'go');
      expect(ran).toEqual([]);
      expect(JSON.stringify(model.requests[1]?.body)).toContain(
        'give `ambitTool` the name of this tool, `erase`',
      );
    },
  );

  it('blocks an approved call if the policy blocks it meanwhile', async () => {
    const place = new SdkPlace();
    const { runner, agent, ran } = await talk(await place.judge(), acting('odd'), { say: 'ok' });
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const interruption of interruptions) state.approve(interruption);
    writeFileSync(place.policy, 'version: 1\ndefault: blocked\n');
    await runner.run(agent, state);
    expect(ran).toEqual([]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['gives an unknown answer', async () => ({ decision: 'maybe', reason: '' })],
  ])('runs nothing if the judge %s', async (_what, judging) => {
    const judge = { ...(await new SdkPlace().judge()), judge: judging, approve: judging } as unknown as Judge;
    const { runner, agent, ran } = await talk(judge, acting('fine'), { say: 'ok' });
    await runner.run(agent, 'go');
    expect(ran).toEqual([]);
  });
});
