import { defineTool, defineToolset, type Question } from '@ambit/core';
import { withCapabilities } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { judgeLine } from '../../src/index.js';
import { calls, decisionOn, runAt, worker, workplace, yes } from '../session.js';

const policy = {
  version: 1,
  default: 'needs_approval',
  carries: { 'crm.export': ['crm.contact.export', 'crm.read'] },
};

/** A toolset whose host says more about it than it does itself. */
function crm() {
  const tool = defineTool({
    name: 'export',
    description: 'exports contacts',
    input: z.strictObject({}),
    describe: () => ({ capabilities: [{ name: 'crm.read' }] }),
    execute: () => 'done',
  });
  const toolset = defineToolset({ name: 'crm', tools: [tool] });
  return withCapabilities(toolset, { export: ['crm.read', 'crm.list'] });
}

const origins = [
  { by: 'tool' },
  { by: 'map' },
  { by: 'carries', at: expect.stringMatching(/policy\.yaml:\d+:\d+$/) },
];

describe('the origin of a capability', () => {
  it('is the tool, the host’s map or a policy line, in the log and the question', async () => {
    const place = workplace({
      'policy.yaml': policy,
      'main.worker': worker({ toolsets: { crm: {} } }),
      'script.yaml': { main: [calls(['export', {}]), { say: 'done' }] },
    });
    const asked: Question[] = [];
    const { events } = await runAt(place, {
      mode: 'interactive',
      toolsets: [crm()],
      approver: (question) => {
        asked.push(question);
        return yes;
      },
    });
    const decision = decisionOn(events, 'crm.export');
    expect(decision.capabilities).toEqual([
      { name: 'crm.read' },
      { name: 'crm.list' },
      { name: 'crm.contact.export' },
    ]);
    expect(decision.origins).toEqual(origins);
    // What the tool says itself is not remarked on.
    expect(asked[0]?.capabilities.map(({ origin }) => origin ?? null)).toEqual([null, ...origins.slice(1)]);
  });

  it('is in the result of `decide`, also for capabilities from the host', async () => {
    const made = { name: 'crm.contact.export' };
    const judge = {
      policies: [
        {
          name: 'own',
          default: { decision: 'needs_approval', answer: 'any' },
          rules: [],
          carries: [{ tool: 'crm.*', capability: made, at: 'policy.yaml:4:9' }],
          admits: { workers: false, remember: 'call', reach: 'call', unattended: true },
        },
      ],
      toolsets: [],
      now: () => 0,
    } as const;
    const line = JSON.stringify({ tool: 'crm.export', capabilities: ['crm.read'] });
    expect(await judgeLine(line, judge)).toMatchObject({
      capabilities: [{ name: 'crm.read' }, made],
      origins: [{ by: 'map' }, { by: 'carries', at: 'policy.yaml:4:9' }],
    });
    expect(await judgeLine(JSON.stringify({ tool: 'other.tool' }), judge)).toMatchObject({
      capabilities: [{ name: 'tool.call', tool: 'other.tool' }],
      origins: [{ by: 'tool' }],
    });
  });
});
