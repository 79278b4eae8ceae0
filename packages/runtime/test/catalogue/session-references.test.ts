import { defineTool, defineToolset, type JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  calls,
  callsIn,
  decisionOn,
  type Entry,
  type Files,
  openAt,
  out,
  runAt,
  worker,
  workplace,
} from '../session.js';

/** One instance, whose calls can be held until all that are expected have come. */
function crm({ together = 1 } = {}) {
  const done: string[] = [];
  let waiting = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  const tool = (name: string) =>
    defineTool({
      name,
      description: name,
      input: z.strictObject({}) as unknown as z.ZodType<JsonObject>,
      // Described at the same moment, so that they are judged side by side.
      describe: async () => {
        waiting += 1;
        if (waiting >= together) release();
        await all;
        return { capabilities: [{ name: `crm.${name}` }] };
      },
      execute: (_, { chain }) => {
        done.push(`${chain.join(' > ')} ${name}`);
        return null;
      },
    });
  return { toolset: defineToolset({ name: 'crm', tools: [tool('note'), tool('export')] }), done };
}

const policy = (workers: unknown) => ({
  version: 1,
  default: 'needs_approval',
  capabilities: { 'worker.call': 'pre_approved' },
  grants: { workers },
});
const each = calls(['note'], ['export']);
const files = (workers: unknown = true): Files => ({
  'policy.yaml': policy(workers) as never,
  'main.worker': worker({ toolsets: { crm: { approvals: { note: 'pre_approved' } }, helper: {} } }),
  'helper.worker': worker({ toolsets: { crm: { approvals: { export: 'pre_approved', note: 'blocked' } } } }),
  'script.yaml': {
    main: [each, calls(['helper', { input: 'x' }]), each, { say: 'done' }],
    helper: [each, { say: 'done' }],
  },
});

const sorted = (events: readonly Entry[]) =>
  callsIn(events)
    .filter(([, tool]) => String(tool).startsWith('crm.'))
    .map(([chain, tool, decision, came]) => `${chain} ${tool} ${decision} ${came}`)
    .sort();

const separate = [
  'main > helper crm.export pre_approved completed',
  'main > helper crm.note blocked blocked',
  'main crm.export needs_approval strict',
  'main crm.note pre_approved completed',
];

describe('an instance with references from two workers', () => {
  it('has separate approvals for each reference, before, during and after a delegation', async () => {
    const { toolset, done } = crm();
    const { events, totals } = await runAt(workplace(files()), { toolsets: [toolset] });
    expect([...new Set(sorted(events))]).toEqual(separate);
    expect(done.sort()).toEqual(['main > helper export', 'main note', 'main note']);
    expect(totals.approvedBy).toEqual({ grant: 3 });
  });

  it('has them during simultaneous calls too', async () => {
    const { toolset, done } = crm({ together: 4 });
    const place = workplace({
      ...files(),
      'script.yaml': {
        main: [calls(['note'], ['export'], ['helper', { input: 'x' }]), { say: 'done' }],
        helper: [each, { say: 'done' }],
      },
    });
    const { events } = await runAt(place, { toolsets: [toolset] });
    expect(sorted(events)).toEqual(separate);
    expect(done.sort()).toEqual(['main > helper export', 'main note']);
  });

  it('names the reference that permits, and uses no grant of another one', async () => {
    const { toolset } = crm();
    const { events } = await runAt(workplace(files()), { toolsets: [toolset] });
    const decision = decisionOn(events, 'crm.note');
    expect(decision).toMatchObject({
      grants: [{ source: 'reference', worker: 'main', tool: 'crm.note' }],
      judgements: [{ answered_by: { by: 'reference', worker: 'main', tool: 'crm.note' } }],
    });
    const exporting = events.filter(({ event, tool }) => event === 'decision' && tool === 'crm.export');
    expect(exporting.map(({ chain, grants }) => [chain, grants])).toEqual([
      [['main'], []],
      [['main', 'helper'], [{ source: 'reference', worker: 'helper', tool: 'crm.export' }]],
      [['main'], []],
    ]);
  });

  it('accepts only `approvals`', async () => {
    const main = worker({ toolsets: { crm: { key: 'x', approvals: {} } } });
    const opened = await openAt(workplace({ ...files(), 'main.worker': main }), {
      toolsets: [crm().toolset],
    });
    expect(opened).toMatchObject({
      ok: false,
      problems: [{ code: 'UNKNOWN_KEY' }],
    });
  });

  it('has no tool that is only named in `approvals`', async () => {
    const main = worker({ toolsets: { crm: { approvals: { constructor: 'pre_approved' } } } });
    const opened = await openAt(workplace({ ...files(), 'main.worker': main }), {
      toolsets: [crm().toolset],
    });
    expect(opened).toMatchObject({ ok: false, problems: [{ code: 'UNKNOWN_TOOL' }] });
  });
});

describe('the grants of a worker file', () => {
  it.each([
    ['nothing if the policy does not mention them', undefined, ['strict', 'strict']],
    ['nothing if the policy admits none', false, ['strict', 'strict']],
    ['given if the policy admits all', true, ['completed', 'strict']],
    ['given if the policy admits that tool', ['crm.note'], ['completed', 'strict']],
    ['nothing if the policy admits another tool', ['crm.export'], ['strict', 'strict']],
    [
      'nothing if the policy admits a tool with a similar name',
      ['crm.notes', 'other.note'],
      ['strict', 'strict'],
    ],
  ])('count as %s', async (_, workers, came) => {
    const { toolset } = crm();
    const place = workplace({
      ...files(workers ?? false),
      ...(workers === undefined ? { 'policy.yaml': { version: 1, default: 'needs_approval' } } : {}),
      'script.yaml': { main: [calls(['note']), calls(['export']), { say: 'done' }] },
    });
    const { events } = await runAt(place, { toolsets: [toolset] });
    expect(callsIn(events).map(([, , , outcome]) => outcome)).toEqual(came);
  });

  it('count only if every policy admits them', async () => {
    const place = workplace({
      ...files(true),
      'other.yaml': policy(false) as never,
      'script.yaml': { main: [calls(['note']), { say: 'done' }] },
    });
    const { events } = await runAt(place, {
      policies: ['policy.yaml', 'other.yaml'],
      toolsets: [crm().toolset],
    });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['needs_approval', 'strict']);
  });

  it.each([
    ['a rule for everybody', { capabilities: { 'crm.note': 'blocked' } }],
    ['a rule about the name above', { capabilities: { crm: 'blocked' } }],
    ['a rule about the tool', { tools: { 'crm.note': 'blocked' } }],
    ['a rule about the toolset', { tools: { 'crm.*': 'blocked' } }],
    ['a rule for the worker', { workers: { main: { capabilities: { 'crm.note': 'blocked' } } } }],
    ['the default', { default: 'blocked' }],
  ])('do not lift a block: %s', async (_, more) => {
    const { toolset, done } = crm();
    const place = workplace({
      ...files(),
      'policy.yaml': { ...policy(true), ...more } as never,
      'script.yaml': { main: [calls(['note']), { say: 'done' }] },
    });
    const { events } = await runAt(place, { toolsets: [toolset], mode: 'approve_all' });
    expect([callsIn(events)[0]?.slice(2), done]).toEqual([['blocked', 'blocked'], []]);
  });

  it('do not answer a question that requires a person', async () => {
    const { toolset } = crm();
    const capabilities = { 'crm.note': { decision: 'needs_approval', answer: 'person' } };
    const place = workplace({
      ...files(),
      'policy.yaml': { ...policy(true), capabilities } as never,
      'script.yaml': { main: [calls(['note']), { say: 'done' }] },
    });
    const { events } = await runAt(place, { toolsets: [toolset], mode: 'approve_all' });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['needs_approval', 'wants_person']);
  });

  it('may permit a worker as a tool', async () => {
    const place = (approval: string) =>
      workplace({
        'policy.yaml': { version: 1, default: 'needs_approval', grants: { workers: ['worker.helper'] } },
        'main.worker': worker({ toolsets: { helper: { approvals: { helper: approval } } } }),
        'helper.worker': worker({
          sandbox: out,
          toolsets: { filesystem: { approvals: { list_files: 'pre_approved' } } },
        }),
        'script.yaml': {
          main: [calls(['helper', { input: 'x' }]), { say: 'done' }],
          helper: [calls(['list_files', { path: 'out' }]), { say: 'done' }],
        },
      });
    const rows = async (approval: string) =>
      callsIn((await runAt(place(approval))).events).map(([, tool, decision]) => `${tool} ${decision}`);
    // What the callee's own file grants is for a tool that this policy does not admit.
    expect(await rows('pre_approved')).toEqual([
      'worker.helper pre_approved',
      'filesystem.list_files needs_approval',
    ]);
    expect(await rows('needs_approval')).toEqual(['worker.helper needs_approval']);
    expect(await rows('blocked')).toEqual(['worker.helper blocked']);
  });

  it('of one worker do not apply to another one through the same tool', async () => {
    const place = workplace({
      'policy.yaml': {
        version: 1,
        default: 'needs_approval',
        capabilities: { 'worker.call': 'pre_approved' },
        grants: { workers: true },
      },
      'main.worker': worker({ toolsets: { crm: { approvals: { note: 'pre_approved' } }, helper: {} } }),
      'helper.worker': worker({ toolsets: { crm: {} } }),
      'script.yaml': {
        main: [calls(['helper', { input: 'x' }]), { say: 'done' }],
        helper: [calls(['note']), { say: 'done' }],
      },
    });
    const { toolset, done } = crm();
    const { events } = await runAt(place, { toolsets: [toolset] });
    expect([callsIn(events)[1], done]).toEqual([
      ['main > helper', 'crm.note', 'needs_approval', 'strict'],
      [],
    ]);
  });
});
