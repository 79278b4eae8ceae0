import {
  type CallOutcome,
  type Capability,
  type Description,
  decide,
  defineTool,
  defineToolset,
  entryAuthority,
  guard,
  type JsonObject,
  type LogEvent,
  type Policy,
  type Rule,
  Run,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { fromNeedsApproval, only, prefixed, withCapabilities } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { OwnJudgement } from '../../src/wrappers/from-needs-approval.js';

const any = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;

function tool(name: string, capabilities: readonly Capability[] = []): Tool {
  return defineTool({
    name,
    description: `does ${name}`,
    input: any,
    summary: () => `please ${name}`,
    describe: (): Description => ({ capabilities }),
    execute: () => `did ${name}`,
  });
}

const crm = defineToolset({
  name: 'crm',
  tools: [tool('find', [{ name: 'crm.read' }]), tool('export', [{ name: 'crm.export' }]), tool('ping')],
});

const context = { chain: ['main'], signal: new AbortController().signal } as const;

async function described(toolset: Toolset, name: string, args: JsonObject = {}): Promise<Description> {
  const found = toolset.tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found.describe(args, context);
}

/** Everything is permitted, except for what a wrapper's policy says. */
async function called(
  toolset: Toolset,
  policies: readonly Policy[],
  name: string,
): Promise<CallOutcome & { readonly events: readonly LogEvent[] }> {
  const events: LogEvent[] = [];
  const permitting: Policy = {
    name: 'all',
    default: { decision: 'pre_approved', answer: 'any' },
    rules: [],
    carries: [],
    admits: { workers: false, remember: 'run', reach: 'folder', unattended: true },
  };
  const run = new Run({
    policies: [permitting, ...policies],
    open: true,
    mode: 'strict',
    approver: null,
    decide,
    log: { append: async (added) => void events.push(...added) },
    context: {},
    clock: { now: () => 0, after: () => new Promise(() => undefined) },
    newId: () => `id-${events.length}`,
  });
  const outcome = await guard(toolset, entryAuthority(run, 'main')).call({ tool: name, args: {} });
  return { ...outcome, events };
}

describe('only', () => {
  it('keeps the named tools, and does not modify its input', () => {
    expect(only(crm, ['ping', 'find']).tools.map(({ name }) => name)).toEqual(['find', 'ping']);
    expect(crm.tools).toHaveLength(3);
  });

  it('throws for a tool that the toolset does not have', () => {
    expect(() => only(crm, ['find', 'constructor'])).toThrow(
      'crm has no tool `constructor`: find, export, ping',
    );
  });
});

describe('prefixed', () => {
  it('changes the names for the model, and not for policies or logs', async () => {
    const wrapped = prefixed(prefixed(crm, 'a_'), 'b_');
    expect(wrapped.tools.map(({ name, offered_as }) => [name, offered_as])).toEqual([
      ['find', 'b_a_find'],
      ['export', 'b_a_export'],
      ['ping', 'b_a_ping'],
    ]);
    const { status, events } = await called(wrapped, [], 'find');
    expect(status).toBe('completed');
    expect(events).toMatchObject([{ tool: 'crm.find' }, { event: 'outcome' }]);
  });

  it('throws for a prefix that makes invalid tool names', () => {
    expect(() => prefixed(crm, 'A ')).toThrow('`A find` is not a tool name');
  });
});

describe('withCapabilities', () => {
  it('adds capabilities by name, as a whole, or by arguments', async () => {
    const wrapped = withCapabilities(crm, {
      find: ['crm.audit', { name: 'net.connect', host: 'crm.example' }],
      ping: ({ host = 'x.example' }) => [{ name: 'net.connect', host }],
    });
    expect(await described(wrapped, 'find')).toEqual({
      capabilities: [
        { name: 'crm.read' },
        { name: 'crm.audit' },
        { name: 'net.connect', host: 'crm.example' },
      ],
      mapped: [{ name: 'crm.audit' }, { name: 'net.connect', host: 'crm.example' }],
    });
    expect(await described(wrapped, 'ping', { host: 'y.example' })).toEqual({
      capabilities: [{ name: 'net.connect', host: 'y.example' }],
      mapped: [{ name: 'net.connect', host: 'y.example' }],
    });
    expect(await described(wrapped, 'export')).toEqual({ capabilities: [{ name: 'crm.export' }] });
  });

  it('throws for an unknown tool, even an inherited property name', () => {
    expect(() => withCapabilities(crm, { toString: ['x.y'] })).toThrow('crm has no tool `toString`');
    expect(withCapabilities(crm, {}).tools).toHaveLength(3);
  });

  it('refuses the call if the added capabilities cannot be determined', async () => {
    const wrapped = withCapabilities(crm, {
      ping: () => {
        throw new Error('no idea');
      },
    });
    expect(await called(wrapped, [], 'ping')).toMatchObject({ refusal: { code: 'undescribed' } });
  });
});

describe('fromNeedsApproval', () => {
  it.each<readonly [OwnJudgement, Partial<Description>, string]>([
    ['pre_approved', { capabilities: [{ name: 'crm.read' }] }, 'completed'],
    [
      { decision: 'needs_approval', reason: 'many rows' },
      {
        capabilities: [
          { name: 'crm.read' },
          { name: 'tool.call.doubted', tool: 'crm.find', why: 'many rows' },
        ],
      },
      'strict',
    ],
    ['blocked', { capabilities: [{ name: 'crm.read' }], cannot: 'crm.find refuses this call' }, 'cannot'],
    [{ decision: 'blocked', reason: 'no' }, { capabilities: [{ name: 'crm.read' }], cannot: 'no' }, 'cannot'],
  ])('turns %j into a fact, and the call into %j, %s', async (judgement, description, result) => {
    const { toolset, policy } = fromNeedsApproval(crm, () => judgement);
    expect(await described(toolset, 'find')).toEqual(description);
    const outcome = await called(toolset, [policy], 'find');
    expect(outcome.status === 'refused' ? outcome.refusal.code : outcome.status).toBe(result);
  });

  it.each([undefined, null, 'allow', { decision: 'APPROVED' }, {}])(
    'refuses the call if the toolset returns an invalid judgement: %j',
    async (judgement) => {
      const { toolset, policy } = fromNeedsApproval(crm, () => judgement as OwnJudgement);
      expect(await called(toolset, [policy], 'find')).toMatchObject({ refusal: { code: 'undescribed' } });
    },
  );

  it('asks a question that another policy’s default blocks, until a rule permits it', async () => {
    const { toolset, policy } = fromNeedsApproval(crm, () => 'needs_approval');
    const rule = { ...policy.rules[0], decision: 'pre_approved' } as Rule;
    const closed: Policy = {
      ...policy,
      name: 'closed',
      default: { decision: 'blocked', answer: 'any' },
      rules: [{ ...rule, id: 'read', name: 'crm.read' } as Rule],
    };
    const admitting: Policy = { ...closed, rules: [...closed.rules, rule] };
    expect(await called(toolset, [policy, closed], 'find')).toMatchObject({ refusal: { code: 'blocked' } });
    expect(await called(toolset, [policy, admitting], 'find')).toMatchObject({ refusal: { code: 'strict' } });
  });

  it('never loosens a policy', async () => {
    const { toolset, policy } = fromNeedsApproval(crm, () => 'pre_approved');
    const strict: Policy = { ...policy, name: 'b', default: { decision: 'blocked', answer: 'any' } };
    expect(await called(toolset, [policy, strict], 'find')).toMatchObject({ refusal: { code: 'blocked' } });
  });
});

describe('a wrapper', () => {
  it('keeps the methods of a tool that is an instance of a class', async () => {
    class Find {
      readonly name = 'find';
      readonly description = 'finds';
      readonly input = tool('x').input;
      readonly found = 'a contact';
      describe() {
        return { capabilities: [{ name: 'crm.read', what: this.found }] };
      }
      summary() {
        return this.found;
      }
      preview() {
        return { path: this.found, before: null, after: '' };
      }
      execute() {
        return this.found;
      }
    }
    const wrapped = prefixed(defineToolset({ name: 'crm', tools: [new Find()] }), 'x_');
    const [find] = wrapped.tools as [Tool];
    expect(find.summary?.({})).toBe('a contact');
    expect(await find.preview?.({}, context)).toMatchObject({ path: 'a contact' });
    expect(await called(wrapped, [], 'find')).toMatchObject({ status: 'completed', result: 'a contact' });
  });

  it('keeps the digest of a definition, on which kept answers depend, and what is confined', () => {
    const defined = { ...tool('find'), digest: 'd', confines: true };
    const [found] = prefixed(defineToolset({ name: 'crm', tools: [defined] }), 'x_').tools;
    expect(found).toMatchObject({ digest: 'd', confines: true });
  });
});
