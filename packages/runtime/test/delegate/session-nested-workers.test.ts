import { defineTool, defineToolset, type JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { calls, callsIn, runAt, worker, workplace } from '../session.js';

/** A toolset whose tool calls whatever it is told to. */
const passing = defineToolset({
  name: 'crm',
  tools: [
    defineTool({
      name: 'pass',
      description: 'Calls other tools.',
      input: z.strictObject({ tools: z.array(z.string()) }) as unknown as z.ZodType<JsonObject>,
      describe: () => ({ capabilities: [{ name: 'crm.pass' }] }),
      execute: async (args, { call }) => {
        const said = [];
        for (const tool of (args as { tools: string[] }).tools) {
          const outcome = await call(tool, { input: 'x' });
          said.push(`${tool} ${outcome.status === 'refused' ? outcome.refusal.code : outcome.status}`);
        }
        return said;
      },
    }),
  ],
});

describe('a tool that calls workers of its worker', () => {
  it('reaches each of them under its own reference only', async () => {
    const place = workplace({
      'policy.yaml': {
        version: 1,
        default: 'needs_approval',
        capabilities: { 'crm.pass': 'pre_approved', 'worker.call': 'pre_approved' },
      },
      'main.worker': worker({
        toolsets: { crm: {}, first: {}, second: { approvals: { second: 'blocked' } }, third: {} },
      }),
      ...Object.fromEntries(
        ['first', 'second', 'third', 'fourth'].map((name) => [`${name}.worker`, worker({})]),
      ),
      'script.yaml': {
        main: [
          calls(['pass', { tools: ['first', 'second', 'third', 'fourth'].map((name) => `worker.${name}`) }]),
          { say: 'done' },
        ],
        first: [{ say: '1' }],
        third: [{ say: '3' }],
      },
    });
    const { events } = await runAt(place, { toolsets: [passing] });
    expect(callsIn(events).map(([chain, tool, , came]) => `${chain}: ${tool} ${came}`)).toEqual([
      'main: crm.pass completed',
      'main: worker.first completed',
      'main: worker.second blocked',
      'main: worker.third completed',
      'main: worker.fourth unknown_tool',
    ]);
  });
});
