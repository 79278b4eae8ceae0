import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { Agent, OpenAIProvider, Runner, tool as toolOfAgents } from '@openai/agents';
import { generateText, isStepCount, streamText, tool as toolOfAi } from 'ai';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ambitApproval } from '../../src/sdk/ai-sdk.js';
import { guard } from '../../src/sdk/anthropic.js';
import { ambitTool } from '../../src/sdk/openai-agents.js';
import type { Judge } from '../../src/sdk/verdict.js';
import { SdkPlace, scripted } from './place.js';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

interface Conversation {
  readonly judge: Judge;
  readonly url: string;
  readonly run: (args: { readonly what: string }) => string;
}

const description = 'acts';
const input = z.object({ what: z.string() });

const aiSdk = ({ judge, url, run }: Conversation) => ({
  model: createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('scripted'),
  ...ambitApproval(judge, { act: toolOfAi({ description, inputSchema: input, execute: run }) }),
  stopWhen: isStepCount(4),
  prompt: 'go',
});

function openAiAgents({ judge, url, run }: Conversation) {
  const own = ambitTool(judge, 'act', async (args: z.infer<typeof input>) => run(args));
  const act = toolOfAgents({ name: 'act', description, parameters: input, ...own });
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses: true });
  return {
    runner: new Runner({ modelProvider, tracingDisabled: true }),
    agent: new Agent({ name: 'A', instructions: 'x', model: 'gpt-5', tools: [act] }),
  };
}

function anthropicSdk({ judge, url, run }: Conversation, stream: boolean) {
  const act = betaZodTool({ name: 'act', description, inputSchema: input, run });
  return new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 }).beta.messages.toolRunner({
    model: 'claude-sonnet-5-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'go' }],
    tools: [guard(judge, act)],
    stream,
  });
}

/** One conversation, up to its end or to an error of the SDK. */
const sdks: Readonly<Record<string, (of: Conversation) => Promise<unknown>>> = {
  'the AI SDK': (of) => generateText(aiSdk(of)),
  'the AI SDK, streamed': async (of) =>
    streamText({ ...aiSdk(of), onError: () => undefined }).consumeStream(),
  'OpenAI Agents': (of) => {
    const { runner, agent } = openAiAgents(of);
    return runner.run(agent, 'go');
  },
  'OpenAI Agents, streamed': async (of) => {
    const { runner, agent } = openAiAgents(of);
    await (await runner.run(agent, 'go', { stream: true })).completed;
  },
  'the Anthropic SDK': (of) => anthropicSdk(of, false).runUntilDone(),
  'the Anthropic SDK, streamed': (of) => anthropicSdk(of, true).runUntilDone(),
};

const act = (what: string, id?: string) => ({
  name: 'act',
  input: { what },
  ...(id === undefined ? {} : { id }),
});
const raw = (text: string) => ({ name: 'act', input: text });
const same = 'call_same_000';

const turns: readonly (readonly [string, Parameters<typeof scripted>[0]])[] = [
  ['three calls at once', [{ calls: [act('bad'), act('fine'), act('odd')] }]],
  ['a blocked and a permitted call with one id', [{ calls: [act('bad', same), act('fine', same)] }]],
  ['a permitted and a blocked call with one id', [{ calls: [act('fine', same), act('bad', same)] }]],
  ['an asked and a permitted call with one id', [{ calls: [act('odd', same), act('fine', same)] }]],
  ['a permitted and an asked call with one id', [{ calls: [act('fine', same), act('odd', same)] }]],
  ['a permitted call twice with one id', [{ calls: [act('fine', same), act('fine', same)] }]],
  ['a later blocked call with the same id', [{ calls: [act('fine', same)] }, { calls: [act('bad', same)] }]],
  ['a later asked call with the same id', [{ calls: [act('fine', same)] }, { calls: [act('odd', same)] }]],
  ['a part of an object', [{ calls: [raw('{"what":"fine"')] }]],
  ['a duplicate key', [{ calls: [raw('{"what":"fine","what":"bad"}')] }]],
  ['a prototype', [{ calls: [raw('{"__proto__":{"what":"bad"},"what":"fine"}')] }]],
  ['only a prototype', [{ calls: [raw('{"__proto__":{"what":"fine"}}')] }]],
  ['a number that is too large', [{ calls: [raw('{"what":"fine","count":1e999}')] }]],
  ['a text', [{ calls: [raw('"fine"')] }]],
  ['a list', [{ calls: [raw('[{"what":"fine"}]')] }]],
  ['nothing', [{ calls: [raw('')] }]],
  ['an unknown tool', [{ calls: [{ name: 'other', input: {} }, act('fine')] }]],
];

describe('a hostile model', () => {
  it.each(turns.flatMap(([name, script]) => Object.keys(sdks).map((sdk) => [name, sdk, script] as const)))(
    'that sends %s to %s runs only permitted calls, each with its outcome in the log',
    async (_, sdk, script) => {
      const place = new SdkPlace();
      const judge = await place.judge();
      const { url } = await scripted(script);
      const ran: string[] = [];
      const run: Conversation['run'] = ({ what }) => {
        ran.push(what);
        return 'done';
      };
      await sdks[sdk]?.({ judge, url, run }).catch(() => undefined);
      await judge.close();
      expect(ran.filter((what) => what !== 'fine')).toEqual([]);
      const events = place.events();
      const outcomes = events.flatMap(({ event, call, outcome }) =>
        event === 'outcome' && outcome === 'completed' ? [call] : [],
      );
      const permitted = events.flatMap(({ event, call, decision }) =>
        event === 'decision' && decision === 'pre_approved' ? [call] : [],
      );
      expect(outcomes).toHaveLength(ran.length);
      expect(permitted).toEqual(expect.arrayContaining(outcomes));
      const ended = events.filter(({ event }) => event === 'outcome').map(({ call }) => call);
      expect(ended).toEqual(expect.arrayContaining(permitted));
      expect(new Set(ended).size).toBe(ended.length);
    },
  );
});
