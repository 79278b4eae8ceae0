import {
  type Capability,
  type Decision,
  defineTool,
  defineToolset,
  entryAuthority,
  guard,
  type LogEvent,
  Run,
} from '@ambit/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { createAdding } from '../../../src/log/line/history.js';
import { decisionEvent } from '../../decision-event.js';

type Call = { readonly decision: Decision; readonly name: string };

/** The events that the guard makes for these calls; questions are approved. */
async function eventsOf(calls: readonly Call[]): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  const tool = defineTool<Call>({
    name: 'put',
    description: 'puts',
    input: { parse: (value) => ({ ok: true, value: value as Call }), json: {} },
    describe: ({ name }) => ({ capabilities: [{ name }] }),
    execute: () => null,
  });
  let ids = 0;
  const run = new Run({
    policies: [
      {
        name: 'policy.yaml',
        default: { decision: 'needs_approval', answer: 'any' },
        rules: [],
        carries: [],
        admits: { workers: false, remember: 'call', reach: 'call', unattended: true },
      },
    ],
    mode: 'approve_all',
    approver: null,
    log: { append: async (more) => void events.push(...more) },
    decide: ({ args }) => {
      const { decision: wanted, name } = args as unknown as Call;
      const given = decisionEvent('c', wanted);
      if (given.decision === null) throw new Error('it is judged');
      const { decision, judgements, reason, instead } = given;
      const capabilities: [Capability] = [{ name }];
      return { decision, capabilities, judgements, reason, instead };
    },
    context: {},
    clock: { now: () => 0, after: () => new Promise<void>(() => {}) },
    newId: () => `id-${ids++}`,
  });
  const box = guard(defineToolset({ name: 'box', tools: [tool] }), entryAuthority(run, 'main'));
  for (const args of calls) await box.call({ tool: 'put', args });
  return events.filter(({ event }) => event !== 'outcome');
}

const call = fc.record({
  decision: fc.constantFrom<Decision>('pre_approved', 'needs_approval', 'blocked'),
  name: fc.constantFrom('fs.read', 'fs.write'),
});
const calls = fc.array(call, { minLength: 4, maxLength: 6 });
/** How far to go among the events of one of two runs; a copy has its names, and no list to follow. */
const step = fc.record({
  of: fc.nat(1),
  by: fc.constantFrom(1, 1, 1, 2, 0, -1),
  isCopied: fc.constantFrom(false, false, false, true),
});

/** The definition: all names are compared each time. */
function plainAdding(): typeof createAdding extends () => infer Adding ? Adding : never {
  let told: readonly string[] = [];
  const asked = new Map<string, readonly string[]>();
  return (event) => {
    if (event.event === 'approval' && event.approved) {
      told = [...told, ...(asked.get(event.call) ?? [])];
      asked.delete(event.call);
    }
    if (event.event !== 'decision') return null;
    const isTold = JSON.stringify(event.history) === JSON.stringify(told);
    const names = event.decision === null ? [] : event.capabilities.map(({ name }) => name);
    const added = event.decision === 'pre_approved' && event.code === undefined ? names : [];
    if (event.decision === 'needs_approval') asked.set(event.call, names);
    told = [...event.history, ...added];
    return { isTold, names: added };
  };
}

describe('createAdding', () => {
  it('treats lists that it follows like names that it reads, in any order', async () => {
    const kinds = { told: 0, other: 0 };
    const property = fc.asyncProperty(
      fc.tuple(calls, calls),
      fc.array(step, { minLength: 10, maxLength: 30 }),
      async (runs, steps) => {
        const events = await Promise.all(runs.map(eventsOf));
        const [following, reading] = [createAdding(), plainAdding()];
        const at = [-1, -1];
        for (const { of, by, isCopied } of steps) {
          const place = Math.max(0, (at[of] ?? 0) + by);
          at[of] = place;
          const event = events[of]?.[place];
          if (event === undefined) continue;
          const added = following(isCopied ? { ...event } : event);
          expect(added).toEqual(reading({ ...event }));
          if (added !== null) kinds[added.isTold ? 'told' : 'other'] += 1;
        }
      },
    );
    await fc.assert(property, explore(3000, 1));
    expect(Math.min(kinds.told, kinds.other)).toBeGreaterThan(200);
  });
});
