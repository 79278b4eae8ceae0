import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { tool as toolOfAgents } from '@openai/agents';
import {
  generateText,
  isStepCount,
  type Tool,
  type ToolSet,
  experimental_toolCaller as toolCaller,
  tool as toolOfAi,
} from 'ai';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ambitApproval } from '../../src/sdk/ai-sdk.js';
import { guard } from '../../src/sdk/anthropic.js';
import { ambitTool } from '../../src/sdk/openai-agents.js';
import { acting, actPolicy, SdkPlace, scripted } from './place.js';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

interface Args {
  what: string;
}

const inputSchema = z.object({ what: z.string() });

/** Calls `act` with each of these, with the real AI SDK; gives what the log says. */
async function withAiSdk(
  toolsOf: (settings: () => ToolSet) => ToolSet,
  {
    whats = ['fine'],
    more = {},
    policy = actPolicy,
  }: { readonly whats?: readonly string[]; readonly more?: object; readonly policy?: string } = {},
) {
  const place = new SdkPlace(policy);
  const { url } = await scripted([acting(...whats), { say: 'ok' }]);
  const own = { tools: {} as ToolSet };
  const given = toolsOf(() => own.tools);
  const settings = ambitApproval(await place.judge(), given);
  own.tools = settings.tools;
  const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('scripted');
  await generateText({ model, ...settings, stopWhen: isStepCount(4), prompt: 'go', ...more });
  return place.told();
}

describe('a tool of the AI SDK', () => {
  it('is judged if another tool passes on the input of its own call', async () => {
    const ran: string[] = [];
    const erase = toolOfAi({ inputSchema, execute: () => void ran.push('erase') });
    const passing = (tools: () => ToolSet) =>
      toolOfAi({ inputSchema, execute: (input, options) => tools().erase?.execute?.(input, options) });
    const told = await withAiSdk((tools) => ({ act: passing(tools), erase }));
    expect(ran).toEqual([]);
    expect(told).toEqual(['decision pre_approved', 'decision blocked', 'outcome refused', 'outcome failed']);
  });

  it('is judged if a tool that the SDK lets call others calls it', async () => {
    const ran: string[] = [];
    const act = (others: ToolSet): Tool =>
      toolCaller(
        toolOfAi({
          inputSchema,
          async execute(_, options) {
            for (const what of ['bad', 'odd', 'fine'])
              await Promise.resolve({ what })
                .then((input) => others.other?.execute?.(input, options))
                .catch(() => undefined);
          },
        }),
        { type: 'local', bind: act },
      );
    const other = toolOfAi({ inputSchema, execute: ({ what }) => void ran.push(what) });
    const told = await withAiSdk(() => ({ act: act({}), other }), {
      more: { experimental_toolCallers: { other: ['act'] } },
      policy: actPolicy.replaceAll('app.act', 'app.*'),
    });
    expect(ran).toEqual(['fine']);
    expect(told).toEqual([
      'decision pre_approved',
      'decision blocked',
      'outcome refused',
      'decision needs_approval',
      'approval client',
      'outcome refused',
      'decision pre_approved',
      'outcome completed',
      'outcome completed',
    ]);
  });

  it.each([false, true])(
    'has run before its outcome if it yields and another calls it; fails: %s',
    async (fails) => {
      const place = new SdkPlace(actPolicy);
      const { tools } = ambitApproval(await place.judge(), {
        act: toolOfAi({
          inputSchema,
          async *execute({ what }) {
            yield 'begun';
            if (fails) throw new Error('it broke');
            yield what;
          },
        }),
      });
      const own: { readonly execute?: (input: Args, options: never) => unknown } = tools.act;
      const ran = Promise.resolve(own.execute?.({ what: 'fine' }, {} as never));
      expect(await ran.catch(String)).toBe(fails ? 'Error: it broke' : 'fine');
      expect(place.told()).toEqual(['decision pre_approved', `outcome ${fails ? 'failed' : 'completed'}`]);
    },
  );

  it('is judged for each run, also if calls share an input', async () => {
    const ran: string[] = [];
    const shared = { what: 'fine' };
    const act = toolOfAi({ inputSchema, execute: ({ what }) => void ran.push(what) });
    const twice = async ({ execute }: { readonly execute: () => Promise<unknown> }) => {
      await execute();
      return execute();
    };
    const more = {
      experimental_refineToolInput: { act: () => shared },
      telemetry: { isEnabled: true, integrations: [{ executeTool: twice }] },
    };
    const told = await withAiSdk(() => ({ act }), { whats: ['fine', 'fine'], more });
    expect(ran).toEqual(['fine', 'fine', 'fine', 'fine']);
    for (const what of ['decision pre_approved', 'outcome completed'])
      expect(told.filter((each) => each === what)).toHaveLength(4);
  });

  it.each([
    ['an object without a prototype is changed before it runs', true],
    ['its input is changed while it runs', false],
  ])('runs only with the judged input if %s', async (_, isBefore) => {
    const ran: string[] = [];
    const held: Args[] = [];
    const change = () => void held.map((each) => Object.assign(each, { what: 'bad' }));
    const bare = inputSchema.transform((value) => Object.assign(Object.create(null) as Args, value));
    const execute = async (input: Args) => {
      await Promise.resolve().then(change);
      ran.push(input.what);
    };
    const onToolExecutionStart = ({ toolCall }: { readonly toolCall: { readonly input: Args } }) => {
      held.push(toolCall.input);
      if (isBefore) change();
    };
    const act = toolOfAi({ inputSchema: bare, execute });
    await withAiSdk(() => ({ act }), { more: { onToolExecutionStart } });
    expect(ran).toEqual(isBefore ? [] : ['fine']);
  });

  it('does not run if a method of its class runs it before the judgement', async () => {
    const ran: string[] = [];
    class Act {
      readonly inputSchema = inputSchema;
      async onInputAvailable({ input }: { readonly input: Args }) {
        await Promise.resolve(input)
          .then((each) => this.execute(each))
          .catch(() => undefined);
      }
      execute({ what }: Args) {
        ran.push(what);
      }
    }
    const told = await withAiSdk(() => ({ act: new Act() }), { whats: ['bad'] });
    expect(ran).toEqual([]);
    expect(told).not.toContain('decision pre_approved');
  });
});

describe('a tool of OpenAI Agents', () => {
  it.each([
    ['bad', 0, ['decision blocked', 'outcome refused']],
    ['odd', 0, ['decision needs_approval', 'approval client', 'outcome refused']],
    ['fine', 2, ['decision pre_approved']],
  ])('is judged again if its program invokes it with a call that was %s', async (what, runs, told) => {
    const place = new SdkPlace();
    const ran: string[] = [];
    const own = ambitTool(await place.judge(), 'act', async (args: Args) => void ran.push(args.what));
    const act = toolOfAgents({ name: 'act', description: 'x', parameters: inputSchema, ...own });
    const text = JSON.stringify({ what });
    const toolCall = {
      type: 'function_call',
      callId: 'call_00000001',
      name: 'act',
      arguments: text,
    } as const;
    const context = { isToolApproved: () => undefined };
    await own.needsApproval(context, { what }, toolCall.callId);
    await own.inputGuardrails[0]?.run({ context, toolCall });
    for (const _ of [1, 2]) await act.invoke(context as never, text, { toolCall });
    expect(ran).toHaveLength(runs);
    expect(place.told().slice(-told.length)).toEqual(told);
  });
});

describe('a tool of the Anthropic SDK', () => {
  it('does not run if a method of its class runs it before the judgement', async () => {
    const ran: string[] = [];
    class Act {
      readonly name = 'act';
      readonly type = 'custom';
      readonly input_schema = { type: 'object' } as const;
      parse(input: unknown): Args {
        this.run(input as Args).catch(() => undefined);
        return input as Args;
      }
      async run({ what }: Args) {
        ran.push(what);
        return what;
      }
    }
    const model = await scripted([acting('bad'), { say: 'ok' }]);
    const client = new Anthropic({ apiKey: 'none', baseURL: model.url });
    const tools = [guard(await new SdkPlace().judge(), new Act())];
    const messages = [{ role: 'user', content: 'go' } as const];
    await client.beta.messages.toolRunner({ model: 'scripted', max_tokens: 100, messages, tools });
    expect(ran).toEqual([]);
  });

  it('runs only with the approved arguments if the question changes them later', async () => {
    const ran: string[] = [];
    const run = async (args: Args, _context?: object) => void ran.push(args.what);
    const failed: unknown[] = [];
    const ask = async (_: unknown, args: unknown) => {
      setImmediate(() => {
        try {
          (args as Args).what = 'bad';
        } catch (error) {
          failed.push(error);
        }
      });
      return true;
    };
    await guard(await new SdkPlace().judge(), { name: 'act', run }, ask).run({ what: 'odd' });
    expect([ran, failed.length]).toEqual([['odd'], 1]);
  });
});
