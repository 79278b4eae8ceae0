import { existsSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import { deferred } from '@ambit/core';
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { Agent, OpenAIProvider, Runner, tool as toolOfAgents } from '@openai/agents';
import { generateText, isStepCount, tool as toolOfAi } from 'ai';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { ambitApproval } from '../../src/sdk/ai-sdk.js';
import { guard } from '../../src/sdk/anthropic.js';
import type { Judge } from '../../src/sdk/judge.js';
import { ambitTool } from '../../src/sdk/openai-agents.js';
import { SdkPlace, scripted } from './place.js';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

type Runs = Readonly<Record<'link' | 'read', () => Promise<string>>>;

const names = ['link', 'read'] as const;
const description = 'acts';
const nothing = z.object({});

/** One conversation with these tools. */
const sdks: Readonly<Record<string, (judge: Judge, url: string, runs: Runs) => Promise<unknown>>> = {
  'the AI SDK': (judge, url, runs) => {
    const tools = names.map((name) => {
      return [name, toolOfAi({ description, inputSchema: nothing, execute: runs[name] })] as const;
    });
    return generateText({
      model: createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('scripted'),
      ...ambitApproval(judge, Object.fromEntries(tools)),
      stopWhen: isStepCount(10),
      prompt: 'go',
    });
  },
  'OpenAI Agents': (judge, url, runs) => {
    const tools = names.map((name) =>
      toolOfAgents({ name, description, parameters: nothing, ...ambitTool(judge, name, runs[name]) }),
    );
    const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses: true });
    const agent = new Agent({ name: 'A', instructions: 'x', model: 'gpt-5', tools });
    return new Runner({ modelProvider, tracingDisabled: true }).run(agent, 'go');
  },
  'the Anthropic SDK': (judge, url, runs) =>
    new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 }).beta.messages
      .toolRunner({
        model: 'claude-sonnet-5-5',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'go' }],
        tools: names.map((name) =>
          guard(judge, betaZodTool({ name, description, inputSchema: nothing, run: runs[name] })),
        ),
      })
      .runUntilDone(),
};

const policy = `version: 1
default: pre_approved
capabilities:
  fs: { decision: blocked, match: { path: ./.env } }
`;

it.each(Object.keys(sdks))('a call of %s waits for one of its turn that changes its file', async (name) => {
  const place = new SdkPlace(policy);
  const [secret, file] = ['.env', 'l'].map((each) => join(place.root, each));
  writeFileSync(secret ?? '', 'the secret');
  const path = () => (existsSync(file ?? '') ? realpathSync(file ?? '') : (file ?? ''));
  const own = await place.judge({
    describe: {
      link: () => [{ name: 'fs.write', path: path() }],
      read: () => [{ name: 'fs.read', path: path() }],
    },
  });
  const [judged, linked] = [deferred(), deferred()];
  const judge: Judge = {
    ...own,
    judge: (call) => own.judge(call).finally(call.tool === 'read' ? judged.resolve : undefined),
  };
  const told: string[] = [];
  const runs: Runs = {
    async link() {
      await judged.promise;
      symlinkSync('.env', file ?? '');
      linked.resolve();
      return 'linked';
    },
    async read() {
      await linked.promise;
      told.push(readFileSync(file ?? '', 'utf8'));
      return 'read';
    },
  };
  const both = { calls: names.map((each) => ({ name: each, input: {} })) };
  const { url, requests } = await scripted([both, { calls: [{ name: 'read', input: {} }] }, { say: 'ok' }]);
  await sdks[name]?.(judge, url, runs);
  expect(told).toEqual([]);
  expect(JSON.stringify(requests)).toMatch(/wait until it has ended.*fs\.read is blocked by the rule/);
});
