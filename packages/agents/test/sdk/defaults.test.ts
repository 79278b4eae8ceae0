import { createAnthropic } from '@ai-sdk/anthropic';
import { defineTool, defineToolset } from '@ambit/core';
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { Agent, tool as agentTool, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { ambitApproval } from '../../src/sdk/ai-sdk.js';
import { guard } from '../../src/sdk/anthropic.js';
import { ambitTool } from '../../src/sdk/openai-agents.js';
import type { Judge } from '../../src/sdk/verdict.js';
import { SdkPlace, scripted } from './place.js';

type Execute = (args: { readonly to: string }) => Promise<string>;

const name = 'send';
const description = 'sends';
const input = z.object({ to: z.string().default('ada') });
const send = defineTool({
  name,
  description,
  input,
  describe: ({ to }) => ({ capabilities: [{ name: 'message.send', to, channel: 'desk' }] }),
  execute: () => null,
});

const aiSdk = (inputSchema: object) => async (judge: Judge, url: string, execute: Execute) => {
  const offered = tool({ description, inputSchema: inputSchema as typeof input, execute });
  const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('scripted');
  const settings = ambitApproval(judge, { send: offered });
  return generateText({ model, prompt: 'go', stopWhen: isStepCount(3), ...settings });
};

async function anthropic(judge: Judge, url: string, run: Execute) {
  const offered = guard(judge, betaZodTool({ name, description, inputSchema: input, run }));
  const request = {
    model: 'scripted',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'go' }],
  };
  const client = new Anthropic({ apiKey: 'none', baseURL: url });
  return client.beta.messages.toolRunner({ ...request, tools: [offered] }).runUntilDone();
}

async function openAi(judge: Judge, url: string, execute: Execute) {
  const offered = agentTool({ name, description, parameters: input, ...ambitTool(judge, name, execute) });
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses: true });
  const agent = new Agent({ name: 'A', instructions: 'x', model: 'gpt-5', tools: [offered] });
  return new Runner({ modelProvider, tracingDisabled: true }).run(agent, 'go');
}

it.each([
  ['runs through the AI SDK', aiSdk(input), [{ to: 'ada' }], ['decision pre_approved', 'outcome completed']],
  [
    'runs through the Anthropic SDK',
    anthropic,
    [{ to: 'ada' }],
    ['decision pre_approved', 'outcome completed'],
  ],
  ['runs through OpenAI Agents', openAi, [{ to: 'ada' }], ['decision pre_approved', 'outcome completed']],
  [
    'is a question where the SDK leaves it out',
    aiSdk(jsonSchema(send.input.json)),
    [],
    ['decision needs_approval'],
  ],
])('a call with a default of its toolset %s', async (_, talk, expected, told) => {
  const rules = 'capabilities: { message.send: pre_approved }\n';
  const place = new SdkPlace(`version: 1\ndefault: needs_approval\n${rules}`);
  const judge = await place.judge({ toolsets: [defineToolset({ name: 'desk', tools: [send] })] });
  const model = await scripted([{ calls: [{ name, input: {} }] }, { say: 'ok' }]);
  const ran: unknown[] = [];
  await talk(judge, model.url, async (args) => {
    ran.push(args);
    return 'done';
  });
  expect([ran, place.told()]).toEqual([expected, told]);
});
