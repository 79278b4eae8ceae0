import { deferred } from '@ambit/core';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { createWorld, policyOf } from './world.js';

const rules = '  mcp.call: { decision: pre_approved, match: { tool: echo } }\n';

it('a question of a server is withdrawn once the client has cancelled every call that it may be about', async () => {
  const { client } = await createWorld(policyOf(rules)).open('asks', () => ({ action: 'cancel' }));
  const [asked, withdrawn] = [deferred(), deferred()];
  client.setRequestHandler(ElicitRequestSchema, (_, { signal }) => {
    signal.addEventListener('abort', () => withdrawn.resolve());
    asked.resolve();
    return deferred<never>().promise;
  });
  const cancelling = [new AbortController(), new AbortController()];
  const calls = cancelling.map(({ signal }) => {
    const call = client.callTool({ name: 'echo', arguments: { text: 'a' } }, undefined, { signal });
    return call.catch(() => 'cancelled');
  });
  await asked.promise;
  for (const each of cancelling) each.abort();
  expect(await Promise.all(calls)).toEqual(['cancelled', 'cancelled']);
  await withdrawn.promise;
});
