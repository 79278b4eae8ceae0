import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineTool, defineToolset } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ambitApproval } from '../../src/sdk/ai-sdk.js';
import { guard } from '../../src/sdk/anthropic.js';
import { below, type JudgeOptions } from '../../src/sdk/judge.js';
import { ambitTool } from '../../src/sdk/openai-agents.js';
import { actPolicy, SdkPlace } from './place.js';

const act = (what: unknown, id: string | null = 'call_00000001', tool = 'act') => ({
  id,
  tool,
  args: { what },
});

describe('a judge', () => {
  it('is noted with its own process, which is the agent', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    await judge.judge(act('fine'));
    expect(readdirSync(join(place.state, 'running'))).toEqual([`${process.pid}-agent-session-1`]);
    await judge.close();
  });

  it('permits, asks and blocks, with the reason and the rule, and records before answering', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const fine = await judge.judge(act('fine'));
    expect(fine).toMatchObject({ decision: 'pre_approved', call: 'call_00000001' });
    expect(place.told()).toEqual(['decision pre_approved']);
    await judge.ended(act('fine'), null);
    expect(await judge.judge(act('odd', 'call_00000002'))).toMatchObject({
      decision: 'needs_approval',
      reason: 'odd things need a look',
      question: { tool: 'app.act' },
    });
    const bad = await judge.judge(act('bad', 'call_00000003'));
    expect(bad).toMatchObject({ decision: 'blocked', question: null });
    expect(place.told()).toEqual([
      'decision pre_approved',
      'outcome completed',
      'decision needs_approval',
      'decision blocked',
      'outcome refused',
    ]);
  });

  it('permits exactly the approved call, once, as an answer of the client', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    await judge.judge(act('odd'));
    expect((await judge.approve(act('odd'))).decision).toBe('pre_approved');
    expect(place.told()).toEqual(['decision needs_approval', 'approval client']);
    await judge.ended(act('odd'), 'it broke');
    expect(place.told().at(-1)).toBe('outcome failed');
    const again = await judge.approve(act('odd'));
    expect(again.decision).toBe('blocked');
    expect(again.reason).toMatch(/ambit approvals approve \S+/);
  });

  it.each([
    ['other arguments', act('odd ', 'call_00000001')],
    ['another id', act('odd', 'call_00000009')],
    ['another tool', act('odd', 'call_00000001', 'other')],
    ['another agent', { ...act('odd'), agents: ['helper'] }],
  ])('does not apply a yes to %s', async (_what, call) => {
    const judge = await new SdkPlace(
      actPolicy.replace('default: blocked', 'default: needs_approval'),
    ).judge();
    expect((await judge.judge(act('odd'))).decision).toBe('needs_approval');
    expect((await judge.approve(call)).decision).toBe('blocked');
  });

  it('names the agents below the first one, whose history it shares', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const own = below(judge, 'helper');
    const [fine, odd] = [act('fine'), act('odd', 'call_00000002')];
    await own.judge(fine);
    await judge.judge(fine);
    fine.args.what = 'other';
    await own.ended(fine, null);
    await own.judge(odd);
    expect((await judge.approve(odd)).decision).toBe('blocked');
    expect((await below(own, 'reader').judge(act('bad', 'call_00000003'))).decision).toBe('blocked');
    expect((await own.approve(odd)).decision).toBe('pre_approved');
    const chains = place.events().flatMap(({ event, chain }) => (event === 'decision' ? [chain] : []));
    expect(chains).toEqual([
      ['agent', 'helper'],
      ['agent'],
      ['agent', 'helper'],
      ['agent'],
      ['agent', 'helper', 'reader'],
    ]);
    expect(place.events().find(({ outcome }) => outcome === 'completed')).toMatchObject({
      call: 'call_00000001',
    });
  });

  it.each([
    ['agents', 'helper'],
    ['agents', ['helper', 1]],
    ['agents', [['helper']]],
    ['agents', 5],
    ['id', 12_345_678],
    ['tool', 5],
  ])('refuses a call whose `%s` is %j, also for an agent below, and goes on', async (name, value) => {
    const judge = await new SdkPlace().judge();
    for (const each of [judge, below(judge, 'other')]) {
      const { decision, reason } = await each.judge({ ...act('fine'), [name]: value } as never);
      expect([decision, reason]).toEqual(['blocked', expect.stringContaining(`\`${name}\` of the call`)]);
      expect((await each.judge(null as never)).reason).toBe('the call is not an object');
      await each.ended(null as never, null);
    }
    const { args, tool } = act('fine');
    expect((await judge.judge({ tool, args } as never)).decision).toBe('pre_approved');
  });

  it('rejects a yes from another session', async () => {
    const place = new SdkPlace();
    const [one, two] = [await place.judge(), await place.judge({ session: 'session-2' })];
    await one.judge(act('odd'));
    expect((await two.approve(act('odd'))).decision).toBe('blocked');
    expect(Buffer.from(one.secret).equals(two.secret)).toBe(false);
  });

  it('accepts a yes in another process, and one that a person gave elsewhere', async () => {
    const place = new SdkPlace();
    await (await place.judge()).judge(act('odd'));
    expect((await (await place.judge()).approve(act('odd'))).decision).toBe('pre_approved');
    expect((await (await place.judge()).approve(act('odd', 'call_00000002'))).decision).toBe('blocked');
    await place.approve();
    expect((await (await place.judge()).judge(act('odd', 'call_00000003'))).decision).toBe('pre_approved');
    expect((await (await place.judge()).judge(act('odd', 'call_00000004'))).decision).toBe('needs_approval');
  });

  it.each([
    [300_000, 'pre_approved'],
    [600_001, 'blocked'],
  ])('with an approval from elsewhere of %d milliseconds ago, a call is %s', async (ago, decision) => {
    const place = new SdkPlace();
    const judge = await place.judge({ asks: false });
    await judge.judge(act('odd'));
    await place.approve(Date.now() - ago);
    const verdict = await judge.judge(act('odd', 'call_00000002'));
    expect(verdict.decision).toBe(decision);
    expect(verdict.reason.includes('it is older than ten minutes')).toBe(decision === 'blocked');
  });

  it('refuses an approved call if the policy became stricter meanwhile', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    await judge.judge(act('odd'));
    writeFileSync(place.policy, 'version: 1\ndefault: blocked\n');
    expect((await judge.approve(act('odd'))).decision).toBe('blocked');
  });

  it('counts calls that ran between the question and the yes', async () => {
    const place = new SdkPlace(`version: 1
default: blocked
capabilities: { message.send: needs_approval, secret.read: pre_approved }
together:
  - id: no-leak
    decision: blocked
    capabilities: [secret.read, message.send]
    within: run
`);
    const judge = await place.judge({
      describe: {
        read: () => [{ name: 'secret.read' }],
        send: () => [{ name: 'message.send', to: 'a', channel: 'mail' }],
      },
    });
    expect((await judge.judge(act('x', 'call_00000001', 'send'))).decision).toBe('needs_approval');
    expect((await judge.judge(act('x', 'call_00000002', 'read'))).decision).toBe('pre_approved');
    expect((await judge.approve(act('x', 'call_00000001', 'send'))).decision).toBe('blocked');
  });

  it('blocks a call that requires a person, and rejects the client’s approval of it', async () => {
    const place = new SdkPlace();
    writeFileSync(
      place.policy,
      actPolicy.replace('reason: odd things', 'answer: person\n      reason: odd things'),
    );
    const judge = await place.judge();
    const asked = await judge.judge(act('odd'));
    expect(asked).toMatchObject({ decision: 'blocked', question: { tool: 'app.act' } });
    expect((await judge.approve(act('odd', 'call_00000002'))).decision).toBe('blocked');
  });

  it('records the user’s no, after which a yes does not count', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    await judge.judge(act('odd'));
    await judge.deny(act('odd'));
    expect(place.told()).toEqual(['decision needs_approval', 'approval client', 'outcome refused']);
    expect((await judge.approve(act('odd'))).decision).toBe('blocked');
  });

  it('judges simultaneous calls, including equal calls and equal ids', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const ids = ['call_00000001', 'call_00000002', 'call_00000002', null, 'x', 'x'];
    const verdicts = await Promise.all(ids.map((id) => judge.judge(act('fine', id))));
    expect(verdicts.map(({ decision }) => decision)).toEqual(ids.map(() => 'pre_approved'));
    expect(new Set(verdicts.map(({ call }) => call)).size).toBe(ids.length);
    const odd = await Promise.all([
      judge.judge(act('odd', 'call_00000005')),
      judge.judge(act('odd', 'call_00000006')),
    ]);
    expect(odd.map(({ decision }) => decision)).toEqual(['needs_approval', 'needs_approval']);
  });

  it.each([
    ['not an object', 'fine'],
    ['a date', { what: new Date(0) }],
    ['a map', { what: new Map() }],
    ['a number that JSON cannot express', { what: Number.NaN }],
    [
      'an instance of a class',
      new (class Odd {
        what = 'fine';
      })(),
    ],
  ])('refuses arguments that are not plain JSON: %s', async (_what, args) => {
    const judge = await new SdkPlace().judge();
    expect((await judge.judge({ id: null, tool: 'act', args })).decision).toBe('blocked');
  });

  it.each(['judge', 'approve', 'deny', 'ended'] as const)(
    'goes on after `%s` with arguments that are too deep',
    async (method) => {
      const judge = await new SdkPlace().judge();
      let args: object = {};
      for (let depth = 0; depth < 100_000; depth += 1) args = { args };
      const answer = await judge[method]({ id: 'call_00000001', tool: 'act', args }, null);
      if (answer !== undefined) expect(answer.reason).toContain('are not a plain JSON object');
      expect((await judge.judge(act('fine', 'call_00000002'))).decision).toBe('pre_approved');
    },
  );

  it('gives each of two equal calls at once its own outcome', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const calls = [act('fine'), act('fine')] as const;
    const ids = (await Promise.all(calls.map((call) => judge.judge(call)))).map(({ call }) => call);
    await Promise.all([judge.ended(calls[0], 'it broke'), judge.ended(calls[1], null)]);
    const ended = place
      .events()
      .flatMap(({ event, call, outcome }) => (event === 'outcome' ? [[call, outcome]] : []));
    expect(ended).toEqual([
      [ids[0], 'failed'],
      [ids[1], 'completed'],
    ]);
  });

  it('permits a call without an id after the approval, and records its no and its outcome', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const [yes, no] = [act('odd', null), act('odd', null)];
    for (const call of [yes, no]) await judge.judge(call);
    await judge.deny(no);
    expect((await judge.approve(yes)).decision).toBe('pre_approved');
    await judge.ended(yes, null);
    expect(place.told().slice(2)).toEqual([
      'approval client',
      'outcome refused',
      'approval client',
      'outcome completed',
    ]);
  });

  it('records the outcome of a tool that changes its arguments', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const call = act('fine');
    await judge.judge(call);
    call.args.what = 'other';
    await judge.ended(call, null);
    expect(place.told()).toEqual(['decision pre_approved', 'outcome completed']);
  });

  it.each(['constructor', '__proto__', 'Act', 'a.ct', 'аct', 'act\u0000', ''])(
    'does not match a rule for another name with the tool name %j',
    async (tool) => {
      const judge = await new SdkPlace(actPolicy.replaceAll('app.act', 'app.other')).judge();
      expect((await judge.judge(act('fine', null, tool))).decision).toBe('blocked');
      const open = await new SdkPlace().judge();
      // `Act` is `act`; a name with other characters is never a plain one.
      expect((await open.judge(act('fine', null, tool))).decision).toBe(
        tool === 'Act' ? 'pre_approved' : 'blocked',
      );
    },
  );

  it('refuses a call that its description says nothing of', async () => {
    const describe = { act: () => undefined } as unknown as NonNullable<JudgeOptions['describe']>;
    const judge = await new SdkPlace().judge({ describe });
    const { decision, reason } = await judge.judge(act('fine'));
    expect([decision, reason]).toEqual(['blocked', 'the tool returned no list of capabilities']);
  });

  it('uses the schema and the description of a registered tool', async () => {
    const place = new SdkPlace(`version: 1
default: blocked
capabilities: { message.send: { decision: pre_approved, match: { to: sales } } }
`);
    const desk = defineToolset({
      name: 'desk',
      tools: [
        defineTool({
          name: 'send',
          description: 'Sends.',
          input: z.strictObject({ to: z.string().default('sales') }),
          describe: ({ to }) => ({ capabilities: [{ name: 'message.send', to, channel: 'desk' }] }),
          execute: () => null,
        }),
      ],
    });
    const judge = await place.judge({ toolsets: [desk] });
    const send = (args: object) => judge.judge({ id: null, tool: 'send', args });
    expect((await send({ to: 'sales' })).decision).toBe('pre_approved');
    expect((await send({ to: 'rival' })).decision).toBe('blocked');
    expect(await send({ to: 'sales', cc: 'rival' })).toMatchObject({
      decision: 'blocked',
      reason: expect.stringContaining('cc'),
    });
    await expect(place.judge({ toolsets: [desk, desk] })).rejects.toThrow('two tools are offered as `send`');
  });

  it.each([{ to: 'ada', bcc: 'eve' }, { to: ' ada' }, {}])(
    'records and judges the arguments that the SDK runs where the schema makes others of %j',
    async (args) => {
      const known = 'version: 1\ndefault: blocked\ncapabilities:\n  message.send: pre_approved\n';
      const rule = '  tool.call: { decision: needs_approval, match: { tool: desk.send } }\n';
      const place = new SdkPlace(known + rule);
      const send = defineTool({
        name: 'send',
        description: 'Sends.',
        input: z.object({ to: z.string().trim().default('ada') }),
        describe: ({ to }) => ({ capabilities: [{ name: 'message.send', to, channel: 'desk' }] }),
        execute: () => null,
      });
      const judge = await place.judge({ toolsets: [defineToolset({ name: 'desk', tools: [send] })] });
      expect((await judge.judge({ id: null, tool: 'send', args: { to: 'ada' } })).decision).toBe(
        'pre_approved',
      );
      const call = { id: 'call_00000001', tool: 'send', args };
      expect(await judge.judge(call)).toMatchObject({ decision: 'needs_approval', question: { args } });
      const of = (await place.judge({ toolsets: [defineToolset({ name: 'desk', tools: [send] })] })).approve(
        call,
      );
      expect((await of).decision).toBe('pre_approved');
      expect(place.events().filter(({ event }) => event === 'decision')[1]).toMatchObject({
        args,
        capabilities: [
          { name: 'message.send', to: 'ada' },
          { name: 'tool.call', tool: 'desk.send' },
        ],
      });
    },
  );

  it.each([
    ['not described', {}, 'needs_approval'],
    ['described', { sendMail: () => [], send_mail: () => [] }, 'blocked'],
  ])(
    'does not use an answer about one tool for another tool in a later judge: %s',
    async (_, describe, decision) => {
      const place = new SdkPlace('version: 1\ndefault: needs_approval\n');
      const decided = async (tool: string, id: string, asks: boolean) => {
        const judge = await place.judge({ describe, asks });
        const verdict = await judge.judge({ id, tool, args: {} });
        await judge.close();
        return verdict.decision;
      };
      expect(await decided('sendMail', 'call_00000001', false)).toBe('blocked');
      await place.approve();
      expect(await decided('send_mail', 'call_00000002', true)).toBe(decision);
      expect(await decided('sendMail', 'call_00000003', true)).toBe('pre_approved');
    },
  );

  it('refuses a tool with the name of another in policies', async () => {
    const judge = await new SdkPlace().judge();
    await judge.judge(act('odd', 'call_00000001', 'Act'));
    const { decision, reason } = await judge.approve(act('odd'));
    expect([decision, reason]).toEqual(['blocked', '`Act` and `act` are both `app.act`: rename one of them']);
    expect((await judge.approve(act('odd', 'call_00000001', 'Act'))).decision).toBe('pre_approved');
  });

  it.each<[string, object, string]>([
    [
      'a path as policies',
      { policies: 'policy.yaml' },
      "`policies` must be a list of paths: `['policy.yaml']`",
    ],
    ['no policies', { policies: undefined }, '`policies` must be'],
    ['no session', { session: undefined }, '`session` must be the id of the conversation'],
    ['an empty session', { session: '' }, '`session` must be the id of the conversation'],
    ['a number as session', { session: 7 }, '`session` must be the id of the conversation'],
    ['an agent with a blank', { agent: 'My Agent' }, '`agent` must be a name: [a-z][a-z0-9_-]*'],
    ['an endless time', { timeout: Number.POSITIVE_INFINITY }, '`timeout` must be a number of milliseconds'],
    ['a time as text', { timeout: '10' }, '`timeout` must be a number of milliseconds'],
    ['toolsets as an object', { toolsets: {} }, '`toolsets` must be a list of toolsets'],
    ['an empty toolset', { toolsets: [{}] }, '`toolsets` must be a list of toolsets'],
    ['no toolset', { toolsets: [null] }, '`toolsets` must be a list of toolsets'],
    [
      'no function',
      { describe: { act: 7 } },
      '`describe` must be an object that has a function for each tool',
    ],
    ['an unknown option', { toolset: [] }, 'there is no option `toolset`; did you mean `toolsets`?'],
    [
      'two wrong options',
      { asks: 1, root: '' },
      '`root` must be the path of a folder; `asks` must be true or false',
    ],
  ])('does not open with %s', async (_what, options, message) => {
    await expect(new SdkPlace().judge(options)).rejects.toThrow(message);
  });

  it('finds its state by a path from the working folder', async () => {
    const place = new SdkPlace();
    const judge = await place.judge({ state: relative(process.cwd(), place.state) });
    expect((await judge.judge(act('fine'))).decision).toBe('pre_approved');
    expect(place.told()).toEqual(['decision pre_approved']);
  });

  it.each<[string, (judge: never) => unknown]>([
    ['the AI SDK', (judge) => ambitApproval(judge, {})],
    ['OpenAI Agents', (judge) => ambitTool(judge, 'act')],
    ['the Anthropic SDK', (judge) => guard(judge, { name: 'act', run: () => 'x' })],
  ])('is not given to %s before it is open', async (_, give) => {
    const opening = new SdkPlace().judge();
    expect(() => give(opening as never)).toThrow('must be the result of `await openJudge(…)`');
    await (await opening).close();
  });

  it('refuses unjudgeable calls: no time, no policy, an unrecorded outcome', async () => {
    const place = new SdkPlace();
    const hurried = await place.judge({ session: 'hurried', timeout: 60_000 });
    await expect(place.judge({ policies: ['missing.yaml'] })).rejects.toThrow('missing.yaml');
    await expect(place.judge({ root: '/none/here' })).rejects.toThrow(
      'the working folder does not exist: /none/here; give a folder that exists',
    );
    rmSync(place.policy);
    expect((await hurried.judge(act('fine'))).decision).toBe('blocked');
    writeFileSync(place.policy, actPolicy);
    expect((await hurried.judge(act('fine', 'call_00000002'))).decision).toBe('pre_approved');
    rmSync(place.policy);
    await hurried.ended(act('fine', 'call_00000002'), null);
    writeFileSync(place.policy, actPolicy);
    expect(await hurried.judge(act('fine', 'call_00000003'))).toMatchObject({
      decision: 'blocked',
      reason: expect.stringContaining('could not be recorded'),
    });
  });

  it('refuses if the decision takes too long, and records that the call was not made', async () => {
    const place = new SdkPlace();
    const judge = await place.judge({ timeout: 0 });
    expect(await judge.judge(act('fine'))).toMatchObject({
      decision: 'blocked',
      reason: 'no decision within 0 ms',
    });
    await expect
      .poll(() => place.told(), { timeout: 120_000 })
      .toEqual(['decision pre_approved', 'outcome failed']);
  });

  it('waits for a description up to the given time', async () => {
    const slow = defineTool({
      name: 'slow',
      description: 'Is described by nobody.',
      input: z.strictObject({}),
      describe: () => new Promise<never>(() => undefined),
      execute: () => null,
    });
    const toolsets = [defineToolset({ name: 'slow', tools: [slow] })];
    const judge = await new SdkPlace().judge({ toolsets, timeout: 60_000, describeLimit: 1 });
    expect(await judge.judge({ id: null, tool: 'slow', args: {} })).toMatchObject({
      decision: 'blocked',
      reason: expect.stringContaining('describing took too long'),
    });
  });
});
