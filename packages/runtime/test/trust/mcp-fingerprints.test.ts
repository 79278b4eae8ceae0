import { expect, it } from 'vitest';
import { fingerprintStore } from '../../src/trust/mcp-fingerprints.js';
import { workplace } from '../session.js';

it('runs that add definitions of a server at the same time keep those of each other', async () => {
  const { state } = workplace({});
  const print = { whole: 'a'.repeat(64), body: 'b'.repeat(64) };
  const tools = Array.from({ length: 20 }, (_, index) => `tool_${index}`);
  await Promise.all(tools.map((tool) => fingerprintStore(state).add('web', new Map([[tool, print]]))));
  const kept = await fingerprintStore(state).read('web');
  expect([...kept.keys()].sort()).toEqual([...tools].sort());
});
