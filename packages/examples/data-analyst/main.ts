import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openJudge } from '@ambit/agents/judge';
import { ambitTool } from '@ambit/agents/openai-agents';
import { Agent, OpenAIProvider, Runner, RunState, tool } from '@openai/agents';
import Database from 'libsql';
import * as z from 'zod';
import { withScratch } from '../scratch.js';
import { startScriptedModel } from '../scripted-model.js';
import { databaseToolset, rows } from './database.js';

const home = fileURLToPath(new URL('../data-analyst/', import.meta.url));
const parameters = z.object({ sql: z.string() });

await withScratch(async ({ folder, environment }) => {
  const file = join(folder, 'shop.db');
  const made = new Database(file);
  made.exec(`CREATE TABLE orders (id INTEGER, euros INTEGER);
             INSERT INTO orders VALUES (1, 40), (2, 2)`);
  made.close();

  const state = environment.AMBIT_HOME ?? folder;
  const toolsets = [databaseToolset(file)];
  const policies = [join(home, 'policy.yaml')];
  const judge = await openJudge({
    policies,
    session: 'orders',
    agent: 'analyst',
    root: folder,
    state,
    toolsets,
  });

  const model = await startScriptedModel([
    { calls: [{ name: 'query', input: { sql: 'SELECT sum(euros) AS euros FROM orders' } }] },
    {
      calls: [
        { name: 'query', input: { sql: "ATTACH '/tmp/other.db' AS other" } },
        { name: 'change', input: { sql: 'DELETE FROM orders WHERE euros < 10' } },
      ],
    },
    { say: 'It was 42 euros. The small order is gone.' },
  ]);
  const tools = ['query', 'change'].map((name) =>
    tool({
      name,
      description: `${name} the shop's database`,
      parameters,
      ...ambitTool(judge, name, ({ sql }: z.infer<typeof parameters>) =>
        JSON.stringify(rows(file, sql, name === 'query')),
      ),
    }),
  );
  const agent = new Agent({
    name: 'Analyst',
    instructions: 'Answer from the database.',
    model: 'gpt-5',
    tools,
  });
  const modelProvider = new OpenAIProvider({
    apiKey: 'none',
    baseURL: `${model.url}/v1`,
    useResponses: true,
  });
  const runner = new Runner({ modelProvider, tracingDisabled: true });

  const asked = await runner.run(agent, 'How much did we sell? Drop orders below 10 euros.');
  assert.equal(asked.interruptions.length, 1);
  assert.match(JSON.stringify(model.requests[1]?.body), /42/);
  assert.equal(rows(file, 'SELECT * FROM orders', true).length, 2);

  // The question may wait for days: the state is a text, and the call is judged again after the approval.
  const state2 = await RunState.fromString(agent, asked.state.toString());
  for (const question of state2.getInterruptions()) state2.approve(question);
  const ended = await runner.run(agent, state2);
  await model.close();
  assert.equal(ended.finalOutput, 'It was 42 euros. The small order is gone.');
  assert.deepEqual(rows(file, 'SELECT id FROM orders', true), [{ id: 1 }]);
  assert.match(JSON.stringify(model.requests[2]?.body), /`query` takes one SELECT/);
  process.stdout.write('42 euros, one order dropped after a question, and no other database opened\n');
});
