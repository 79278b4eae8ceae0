import { writeFileSync } from 'node:fs';
import { Agent, OpenAIProvider, RunContext, Runner, RunState, tool } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ambitTool } from '../../src/sdk/openai-agents.js';
import type { Judge } from '../../src/sdk/verdict.js';
import { acting, SdkPlace, scripted } from './place.js';

/** A conversation whose tools trim their arguments. */
async function talk(judge: Judge, ...turns: Parameters<typeof scripted>[0]) {
  const model = await scripted(turns);
  const ran: string[] = [];
  const named = (name: string) =>
    tool({
      name,
      description: 'acts',
      parameters: z.object({ what: z.string().trim() }),
      ...ambitTool(judge, name, async ({ what }: { readonly what: string }) => {
        ran.push(`${name} ${what}`);
        return 'done';
      }),
    });
  const modelProvider = new OpenAIProvider({
    apiKey: 'none',
    baseURL: `${model.url}/v1`,
    useResponses: true,
  });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const other = new Agent({ name: 'B', instructions: 'x', model: 'gpt-5', tools: [named('act')] });
  const tools = [named('act'), named('erase')];
  const agent = new Agent({ name: 'A', instructions: 'x', model: 'gpt-5', tools, handoffs: [other] });
  return { runner, agent, ran, model };
}

const none = 'version: 1\ndefault: blocked\n';
const asking = `${none}capabilities:
  tool.call: { decision: needs_approval, match: { tool: [app.act, app.erase] } }
`;
const permitting = `${none}capabilities: { tool.call: pre_approved }\n`;
const but = (decision: string, others: string) => `${none}capabilities:
  tool.call:
    - { decision: ${others} }
    - { decision: ${decision}, when: { '===': [{ var: args.what }, bad] } }
`;

const odd = `    - { decision: needs_approval, when: { '===': [{ var: args.what }, odd] } }\n`;

type Change = (stored: string) => string;
const as: Change = (stored) => stored;
/** In a session of its own, which has no earlier policy. */
const elsewhere: Change = (stored) => stored;
const inPlaceOf = (from: string, to: string) => (stored: string) => stored.replaceAll(from, to);

/** A call of the model, the stored text and the policy that a process continues with, and what runs then. */
const continued: readonly (readonly [string, string, Change, string, readonly string[]])[] = [
  ['the same policy', 'odd', as, asking, ['act odd']],
  ['the same policy, and blanks that the schema removes', ' odd ', as, asking, ['act odd']],
  ['a policy that blocks all', 'odd', as, none, []],
  ['a policy that blocks it', 'bad', as, but('blocked', 'needs_approval'), []],
  ['a policy that blocks only what runs', ' bad ', as, but('blocked', 'pre_approved'), []],
  ['a policy that permits all, beside the first one', 'odd', as, permitting, []],
  ['a policy that permits all, in another session', 'odd', elsewhere, permitting, ['act odd']],
  [
    'one that blocks only what runs, in another session',
    ' bad ',
    elsewhere,
    but('blocked', 'pre_approved'),
    [],
  ],
  ['the same policy, in another session', 'odd', elsewhere, asking, []],
  ['a policy with another question', 'odd', as, but('blocked', 'needs_approval'), []],
  ['other arguments', 'odd', inPlaceOf('odd', 'other'), asking, []],
  [
    'other arguments, which are blocked',
    'odd',
    inPlaceOf('odd', ' bad '),
    but('blocked', 'pre_approved'),
    [],
  ],
  ['another tool', 'odd', inPlaceOf('act', 'erase'), asking, []],
  ['another id', 'odd', inPlaceOf('call_1_0_000', 'call_1_0_001'), asking, []],
  ['another agent', 'odd', inPlaceOf('"name":"A"', '"name":"B"'), but('blocked', 'needs_approval'), []],
];

describe('an interruption that another process continues', () => {
  it.each(
    continued.flatMap((of) =>
      [true, false].map((always) => [always ? 'always ' : '', ...of, always] as const),
    ),
  )(
    '%sapproved, under %s, runs only what that policy permits',
    async (_, _name, what, change, policy, runs, alwaysApprove) => {
      const place = new SdkPlace(asking);
      const session = change === elsewhere ? 'session-2' : 'session-1';
      const before = await talk(await place.judge(), acting(what));
      const stored = change((await before.runner.run(before.agent, 'go')).state.toString());
      writeFileSync(place.policy, policy);
      const { runner, agent, ran } = await talk(await place.judge({ session }), { say: 'ok' });
      const resumed = async () => {
        const state = await RunState.fromString(agent, stored);
        for (const interruption of state.getInterruptions()) state.approve(interruption, { alwaysApprove });
        await runner.run(agent, state);
      };
      // The SDK throws for some changes.
      await resumed().catch(() => undefined);
      expect([before.ran, ran]).toEqual([[], runs]);
      expect(place.told(session).filter((each) => each === 'outcome completed')).toHaveLength(ran.length);
    },
  );

  it('does not run a blocked call of an always approved tool that the schema changes into it', async () => {
    const place = new SdkPlace(`${but('blocked', 'pre_approved')}${odd}`);
    const { runner, agent, ran } = await talk(await place.judge(), acting('odd'), acting(' bad ', ' fine '), {
      say: 'ok',
    });
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
    await runner.run(agent, state);
    expect(ran).toEqual(['act odd', 'act fine']);
  });

  it('does not run if the turn is aborted while it is judged again', async () => {
    const place = new SdkPlace(asking);
    const before = await talk(await place.judge(), acting('odd'));
    const stored = (await before.runner.run(before.agent, 'go')).state.toString();
    const aborting = new AbortController();
    const own = await place.judge();
    const approve: Judge['approve'] = async (call) => {
      const verdict = await own.approve(call);
      aborting.abort();
      return verdict;
    };
    const { runner, agent, ran } = await talk({ ...own, approve }, { say: 'ok' });
    const state = await RunState.fromString(agent, stored);
    for (const interruption of state.getInterruptions()) state.approve(interruption);
    await runner.run(agent, state, { signal: aborting.signal }).catch(() => undefined);
    await own.close();
    expect(ran).toEqual([]);
    expect(place.told()).toEqual(['decision needs_approval', 'approval client', 'outcome failed']);
  });
});

describe('a call whose arguments the schema changes', () => {
  it('is blocked if one of two calls with its id is blocked, and the schema changed its arguments', async () => {
    const own = ambitTool(await new SdkPlace(but('blocked', 'pre_approved')).judge(), 'act');
    const context = { isToolApproved: () => undefined };
    const callId = 'call_same_000';
    for (const what of ['fine', 'bad']) await own.needsApproval(context, { what }, callId);
    const toolCall = { callId, name: 'act', arguments: '{"what":" bad "}' };
    const answer = await own.inputGuardrails[0]?.run({ context, toolCall });
    expect(answer?.behavior.type).toBe('rejectContent');
  });
});

it('a call that another agent of its context approves is judged, although an aborted run permitted one with its id', async () => {
  const own = ambitTool(await new SdkPlace(but('blocked', 'pre_approved')).judge(), 'act');
  // As the SDK: a no of one agent to this call, and a yes of another one to the tool.
  const context = { isToolApproved: ({ agent }: { readonly agent?: unknown }) => agent === 'B' };
  const callId = 'call_same_000';
  await own.needsApproval(context, { what: 'fine' }, callId);
  const toolCall = { callId, name: 'act', arguments: '{"what":"bad"}' };
  const answer = await own.inputGuardrails[0]?.run({ context, agent: 'B', toolCall });
  expect(answer?.behavior.type).toBe('rejectContent');
});

it('a call is judged again if its tool is always approved, although an aborted run permitted an equal one', async () => {
  const place = new SdkPlace(`${but('blocked', 'pre_approved')}${odd}`);
  const own = await place.judge();
  const aborting = new AbortController();
  const judge: Judge['judge'] = async (call) => {
    const verdict = await own.judge(call);
    if (verdict.decision === 'pre_approved') aborting.abort();
    return verdict;
  };
  const fine = { calls: [{ name: 'act', input: { what: 'fine' }, id: 'call_same_000' }] };
  const { runner, agent, ran } = await talk({ ...own, judge }, acting('odd'), fine, fine, { say: 'ok' });
  const context = new RunContext({});
  const { state, interruptions } = await runner.run(agent, 'go', { context });
  await runner.run(agent, 'go', { context, signal: aborting.signal }).catch(() => undefined);
  for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
  writeFileSync(place.policy, none);
  await runner.run(agent, state);
  expect(ran).toEqual([]);
});
