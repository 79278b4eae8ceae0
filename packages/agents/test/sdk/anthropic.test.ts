import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type AskUser, guard } from '../../src/sdk/anthropic.js';
import type { Judge } from '../../src/sdk/verdict.js';
import { acting, SdkPlace, scripted } from './place.js';

async function talk(judge: Judge, ask: AskUser | undefined, ...turns: Parameters<typeof scripted>[0]) {
  const model = await scripted(turns);
  const ran: string[] = [];
  const act = betaZodTool({
    name: 'act',
    description: 'acts',
    inputSchema: z.object({ what: z.string() }),
    run: async ({ what }) => {
      ran.push(what);
      if (what === 'fine') return 'done';
      throw new Error('it broke');
    },
  });
  const client = new Anthropic({ apiKey: 'none', baseURL: model.url });
  const runner = client.beta.messages.toolRunner({
    model: 'claude-sonnet-5-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'go' }],
    tools: [guard(judge, act, ask)],
  });
  const end = await runner.runUntilDone();
  return { ran, end: end.stop_reason, told: JSON.stringify(model.requests[1]?.body) };
}

/** Is `fine` once, and `bad` after that. */
function changing(): object {
  const answers = ['fine'];
  return Object.defineProperty({}, 'what', { enumerable: true, get: () => answers.pop() ?? 'bad' });
}

describe('guard', () => {
  it('runs permitted calls, records outcomes, and tells the model why other calls do not run', async () => {
    const place = new SdkPlace();
    const { ran, told, end } = await talk(await place.judge(), undefined, acting('fine', 'bad', 'odd'), {
      say: 'ok',
    });
    expect([ran, end]).toEqual([['fine'], 'end_turn']);
    expect(told).toContain('refused by policy: odd things need a look');
    expect([...place.told()].sort()).toEqual([
      'approval client',
      'decision blocked',
      'decision needs_approval',
      'decision pre_approved',
      'outcome completed',
      'outcome refused',
      'outcome refused',
    ]);
  });

  it('records the outcome of a tool that changes its arguments', async () => {
    const place = new SdkPlace();
    const run = async (args: { what: string }, _context?: object) => void Object.assign(args, { what: '' });
    const guarded = guard(await place.judge(), { name: 'act', run });
    await guarded.run({ what: 'fine' }, { toolUse: { id: 'toolu_00000001' } });
    expect(place.told()).toEqual(['decision pre_approved', 'outcome completed']);
  });

  it('reads the arguments as a tool does that is an instance of a class', async () => {
    class Act {
      private readonly what = 'fine';
      readonly name = 'act';
      readonly type = 'custom';
      readonly input_schema = { type: 'object' } as const;
      parse(_input: unknown): { readonly what: string } {
        return { what: this.what };
      }
      run({ what }: { readonly what: string }): string {
        return `${what}: ${this.what}`;
      }
    }
    const place = new SdkPlace();
    const model = await scripted([acting('bad'), { say: 'ok' }]);
    const client = new Anthropic({ apiKey: 'none', baseURL: model.url });
    const tools = [guard(await place.judge(), new Act())];
    const messages = [{ role: 'user', content: 'go' } as const];
    await client.beta.messages.toolRunner({ model: 'scripted', max_tokens: 100, messages, tools });
    expect(JSON.stringify(model.requests[1]?.body)).toContain('fine: fine');
    expect(place.told()).toEqual(['decision pre_approved', 'outcome completed']);
  });

  it('asks the user, and runs the call after the approval', async () => {
    const place = new SdkPlace();
    const asked: string[] = [];
    const ask: AskUser = async ({ reason }) => {
      asked.push(reason);
      return true;
    };
    const { ran } = await talk(await place.judge(), ask, acting('odd', 'odd'), { say: 'ok' });
    expect([ran, asked.length]).toEqual([['odd', 'odd'], 2]);
    expect(place.told().filter((each) => each === 'outcome failed')).toHaveLength(2);
  });

  it.each<[string, AskUser]>([
    ['says no', async () => false],
    ['throws', () => Promise.reject(new Error('closed'))],
    ['says something else', async () => 'yes' as unknown as boolean],
    [
      'changes the arguments',
      async (_verdict, args) => {
        (args as { what: string }).what = 'bad';
        return true;
      },
    ],
  ])('runs nothing if the user %s', async (_what, ask) => {
    const { ran } = await talk(await new SdkPlace().judge(), ask, acting('odd'), { say: 'ok' });
    expect(ran).toEqual([]);
  });

  it('runs nothing after an abort, whatever the user says then', async () => {
    const place = new SdkPlace();
    const judge = await place.judge();
    const aborting = new AbortController();
    const ran: string[] = [];
    const act = {
      name: 'act',
      run: async ({ what }: { what: string }, _context?: object) => void ran.push(what),
    };
    const ask: AskUser = async () => {
      aborting.abort();
      return true;
    };
    const { run } = guard(judge, act, ask);
    for (const what of ['odd', 'fine'])
      await expect(
        run({ what }, { toolUse: { id: `toolu_0000_${what}` }, signal: aborting.signal }),
      ).rejects.toThrow();
    expect(ran).toEqual([]);
    expect(place.told()).toEqual([
      'decision needs_approval',
      'approval client',
      'outcome refused',
      'decision pre_approved',
      'outcome failed',
    ]);
  });

  it('asks the user about a call with a repeated id, and runs it after the approval', async () => {
    const calls = (what: string) => ({ calls: [{ name: 'act', input: { what }, id: 'call_same_000' }] });
    const { ran } = await talk(await new SdkPlace().judge(), async () => true, calls('fine'), calls('odd'));
    expect(ran).toEqual(['fine', 'odd']);
  });

  it.each<[string, () => object]>([
    ['a getter', () => changing()],
    ['a proxy', () => new Proxy({ what: 'fine' }, { get: () => 'bad' })],
    ['a later change', () => ({ what: 'fine' })],
  ])('runs a tool only with the judged arguments, in spite of %s', async (what, args) => {
    const judge = await new SdkPlace().judge();
    const given = args() as { what: string };
    const ran: unknown[] = [];
    const tool = { name: 'act', run: async (last: { what: string }) => void ran.push(last.what) };
    const running = guard(judge, tool)
      .run(given)
      .catch(() => undefined);
    if (what === 'a later change') given.what = 'bad';
    await running;
    expect(ran).not.toContain('bad');
  });

  it('runs nothing if the judge throws', async () => {
    const judge = { ...(await new SdkPlace().judge()), judge: () => Promise.reject(new Error('broken')) };
    const { ran } = await talk(judge, async () => true, acting('fine'), { say: 'ok' });
    expect(ran).toEqual([]);
  });
});
