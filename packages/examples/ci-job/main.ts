import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guard } from '@ambit/agents/anthropic';
import { openJudge } from '@ambit/agents/judge';
import { FailedError } from '@ambit/core';
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import * as z from 'zod';
import { withScratch } from '../scratch.js';
import { startScriptedModel } from '../scripted-model.js';

const home = fileURLToPath(new URL('../ci-job/', import.meta.url));

await withScratch(async ({ folder, environment }) => {
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/add.js'), 'exports.add = (a, b) => a - b;\n');
  await writeFile(join(folder, '.env'), 'TOKEN=secret\n');
  const check = `node -e "process.exit(require('./src/add.js').add(2, 2) === 4 ? 0 : 1)"`;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { test: check } }));

  const judge = await openJudge({
    policies: [join(home, 'policy.yaml')],
    session: 'pull-7',
    agent: 'reviewer',
    root: folder,
    state: environment.AMBIT_HOME ?? folder,
    describe: {
      read: ({ path }) => [
        { name: 'fs.read', ...(typeof path === 'string' ? { path: join(folder, path) } : {}) },
      ],
      test: () => [{ name: 'proc.exec', program: 'npm', argv: ['npm', 'test'] }],
      comment: () => [{ name: 'message.send', to: '7', channel: 'pull-request' }],
      push: () => [{ name: 'vcs.push' }],
    },
  });

  const comments: string[] = [];
  const pushed: string[] = [];
  const text = z.object({ text: z.string() });
  const tools = [
    betaZodTool({
      name: 'read',
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      run: ({ path }) => readFile(join(folder, path), 'utf8'),
    }),
    betaZodTool({
      name: 'test',
      description: 'Runs the tests.',
      inputSchema: z.object({}),
      run: () => tested(folder),
    }),
    betaZodTool({
      name: 'comment',
      description: 'Comments on the pull request.',
      inputSchema: text,
      run: ({ text: said }) => `comment ${comments.push(said)}`,
    }),
    betaZodTool({
      name: 'push',
      description: 'Pushes a commit.',
      inputSchema: text,
      run: ({ text: said }) => `commit ${pushed.push(said)}`,
    }),
  ];

  const model = await startScriptedModel([
    {
      calls: [
        { name: 'read', input: { path: 'src/add.js' } },
        { name: 'read', input: { path: '.env' } },
        { name: 'read', input: { path: 'src/../.env' } },
        { name: 'test', input: {} },
      ],
    },
    { calls: [{ name: 'push', input: { text: 'a + b' } }] },
    { calls: [{ name: 'comment', input: { text: '`add` subtracts: write a + b' } }] },
    { say: 'Reviewed.' },
  ]);
  const client = new Anthropic({ apiKey: 'none', baseURL: model.url });
  const runner = client.beta.messages.toolRunner({
    model: 'claude-sonnet-5-5',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Review pull request 7.' }],
    // Nobody can be asked, so calls that need approval are refused.
    tools: tools.map((tool) => guard(judge, tool)),
  });
  const last = await runner.runUntilDone();
  await model.close();

  assert.deepEqual([last.stop_reason, pushed, comments], ['end_turn', [], ['`add` subtracts: write a + b']]);
  const told = JSON.stringify(model.requests);
  assert.match(told, /a - b/);
  assert.match(told, /the tests failed/);
  assert.match(told, /a job publishes nothing/);
  assert.doesNotMatch(told, /TOKEN=secret/);
  process.stdout.write('one comment, nothing pushed, and no secret read\n');
});

function tested(cwd: string): string {
  try {
    return execFileSync('npm', ['test'], { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new FailedError('the tests failed', { cause: error });
  }
}
