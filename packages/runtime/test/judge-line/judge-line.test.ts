import { type CapabilityRule, defineTool, defineToolset, type Policy, plainRule } from '@ambit/core';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { explore } from '../../../../test/depth.js';
import { lastPoint, numberOf, pointAt } from '../../../../test/texts.js';
import { describeLine, judgeLine, type LineJudge } from '../../src/judge-line/judge-line.js';

const noon = Date.UTC(2026, 10, 20, 12);

const rule = (name: string, more: Partial<CapabilityRule> = {}): CapabilityRule => ({
  about: 'capability',
  name,
  below: false,
  id: name,
  at: 'p.yaml:1:1',
  decision: 'pre_approved',
  ...plainRule,
  condition: () => true,
  ...more,
});

const policy = (rules: readonly CapabilityRule[], more: Partial<Policy> = {}): Policy => ({
  name: 'p.yaml',
  default: { decision: 'needs_approval', answer: 'any' },
  rules,
  carries: [],
  admits: { workers: false, remember: 'run', reach: 'folder', unattended: true },
  ...more,
});

const files = defineToolset({
  name: 'filesystem',
  tools: [
    defineTool({
      name: 'read',
      description: 'reads',
      input: z.strictObject({ path: z.string(), range: z.number().default(10) }),
      describe: ({ path }) => {
        if (path === 'throw') throw new Error('no such luck');
        const capabilities = [{ name: 'fs.read', path: `/w/${path}` }];
        return path === 'gone' ? { capabilities, cannot: 'there is no such file' } : { capabilities };
      },
      execute: () => null,
    }),
  ],
});

const judge = (
  rules: readonly CapabilityRule[] = [rule('fs.read')],
  more: Partial<LineJudge> = {},
): LineJudge => ({
  policies: [policy(rules)],
  toolsets: [files],
  now: () => noon,
  ...more,
});

const judged = (line: unknown, by = judge()) =>
  judgeLine(typeof line === 'string' ? line : JSON.stringify(line), by) as unknown as Promise<
    Record<string, unknown>
  >;

describe('judgeLine', () => {
  it('returns the whole decision, under the id of the line', async () => {
    const line = {
      id: 7,
      tool: 'crm.export',
      capabilities: ['fs.read', { name: 'net.connect', host: 'a.example' }],
    };
    expect(await judged(line)).toEqual({
      id: 7,
      decision: 'needs_approval',
      capabilities: [{ name: 'fs.read' }, { name: 'net.connect', host: 'a.example' }],
      origins: [{ by: 'map' }, { by: 'map' }],
      judgements: [
        {
          capability: 0,
          policy: 'p.yaml',
          decision: 'pre_approved',
          default: false,
          rules: [{ id: 'fs.read', at: 'p.yaml:1:1', decision: 'pre_approved' }],
          undecided: [],
          answer: null,
          answered_by: null,
        },
        {
          capability: 1,
          policy: 'p.yaml',
          decision: 'needs_approval',
          default: true,
          rules: [],
          undecided: [],
          answer: 'any',
          answered_by: null,
        },
      ],
      reason: null,
      instead: null,
    });
  });

  it('judges the members of a file set, and treats another object as a missing path', async () => {
    const permitted = ({ capability }: { readonly capability: { readonly path?: unknown } }) =>
      Object.hasOwn(capability, 'path') ? capability.path !== '/w/.env' : { undecided: 'no path' };
    const said = async (path: unknown) => {
      const line = JSON.stringify({ tool: 'x.y', capabilities: [{ name: 'fs.read', path }] });
      const judged = await judgeLine(line, judge([rule('fs.read', { condition: permitted as never })]));
      return 'error' in judged ? judged.error : [judged.decision, judged.judgements[0]?.member];
    };
    expect(await said({ paths: ['/w/a', '/w/b'] })).toEqual([
      'pre_approved',
      { path: '/w/a', count: 2, of: 2 },
    ]);
    expect(await said({ paths: ['/w/a', '/w/.env'] })).toEqual([
      'needs_approval',
      { path: '/w/.env', count: 1, of: 2 },
    ]);
    expect(await said({ folder: '/w', count: 2, digest: 'd' })).toEqual(['needs_approval', undefined]);
    expect(await said({ paths: ['/w/a'], open: true, below: '/w' })).toEqual({
      code: 'bad_value',
      message: '`capabilities[0]`: `path` is not a file set: unknown key `below`',
    });
  });

  it.each([
    ['an empty list', { tool: 'filesystem.read', args: { path: 'a' }, capabilities: [] }, 'filesystem.read'],
    ['an unknown tool', { tool: 'filesystem.raed', args: { path: 'a' } }, 'filesystem.raed'],
    ['an unknown toolset', { tool: 'x.y' }, 'x.y'],
    ['an inherited property name', { tool: 'filesystem.constructor' }, 'filesystem.constructor'],
  ])('judges tool.call for %s', async (_, line, tool) => {
    expect((await judged(line)).capabilities).toEqual([{ name: 'tool.call', tool }]);
  });

  it('lets a built-in toolset describe a call without capabilities', async () => {
    const answer = await judged({ tool: 'filesystem.read', args: { path: 'a.md' } });
    expect([answer.id, answer.decision, answer.capabilities]).toEqual([
      null,
      'pre_approved',
      [{ name: 'fs.read', path: '/w/a.md' }],
    ]);
  });

  it('judges a call that cannot be done, and gives the reason', async () => {
    const answer = await judged({ tool: 'filesystem.read', args: { path: 'gone' } });
    expect([answer.decision, answer.cannot]).toEqual(['pre_approved', 'there is no such file']);
  });

  it('passes arguments with defaults, context, chain and time to conditions', async () => {
    const views: unknown[] = [];
    const seeing = rule('fs.read', {
      condition: ({ args, context, chain, worker, now }) => {
        views.push({ args, context, chain, worker, now });
        return true;
      },
    });
    await judged(
      {
        worker: ['a', 'created:b'],
        tool: 'filesystem.read',
        args: { path: 'x' },
        context: { env: 'ci' },
        now: '2026-11-20T10:00:00+01:00',
      },
      judge([seeing]),
    );
    await judged({ worker: 'a', tool: 'filesystem.read', args: { path: 'x' } }, judge([seeing]));
    const args = { path: 'x', range: 10 };
    expect(views).toEqual([
      {
        args,
        context: { env: 'ci' },
        chain: ['a', 'created:b'],
        worker: 'created:b',
        now: Date.UTC(2026, 10, 20, 9),
      },
      { args, context: {}, chain: ['a'], worker: 'a', now: noon },
    ]);
  });

  it('uses a grant for the acting worker, only if a policy admits it', async () => {
    const line = {
      worker: ['main', 'evaluator'],
      tool: 'x.y',
      capabilities: ['fs.write'],
      grants: [{ worker: 'evaluator', tool: 'x.y', capabilities: ['fs.write'] }],
    };
    const admitting = (workers: boolean | readonly string[]) =>
      judge([], {
        policies: [policy([], { admits: { workers, remember: 'run', reach: 'folder', unattended: true } })],
      });
    const decisionFor = async (change: object, workers: boolean | readonly string[] = true) =>
      (await judged({ ...line, ...change }, admitting(workers))).decision;
    expect({
      admitted: await decisionFor({}),
      byTool: await decisionFor({}, ['x.y']),
      notAdmitted: await decisionFor({}, false),
      delegate: await decisionFor({ worker: ['evaluator', 'main'] }),
      otherTool: await decisionFor({ tool: 'x.z' }),
      otherCapability: await decisionFor({ capabilities: ['fs.write', 'net.connect'] }),
      allOfTheTool: await decisionFor({
        capabilities: ['fs.write', 'net.connect'],
        grants: [{ worker: 'evaluator', tool: 'x.y' }],
      }),
      noneOfTheTool: await decisionFor({ grants: [{ worker: 'evaluator', tool: 'x.y', capabilities: [] }] }),
    }).toEqual({
      admitted: 'pre_approved',
      byTool: 'pre_approved',
      notAdmitted: 'needs_approval',
      delegate: 'needs_approval',
      otherTool: 'needs_approval',
      otherCapability: 'needs_approval',
      allOfTheTool: 'pre_approved',
      noneOfTheTool: 'needs_approval',
    });
  });

  it.each([
    ['', 'bad_json'],
    ['{"id":1,', 'bad_json'],
    ['[]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['"x.y"', 'not_an_object'],
    ['{"id":1,"tool":"x.y","args":{"n":1e999}}', 'not_plain'],
    ['{"id":1,"tool":"x.y","capabilities":[{"name":"pay","account":9007199254740993}]}', 'not_plain'],
    [`{"id":1,"tool":"x.y","args":{"n":${'['.repeat(5000)}${']'.repeat(5000)}}}`, 'not_plain'],
    ['{"id":1,"tool":"x.y","capabilities":["net.connect"],"capabilities":["fs.read"]}', 'duplicate_key'],
    ['{"id":1,"tool":"x.y","args":{"a":[{"b":1,"\\u0062":2}]}}', 'duplicate_key'],
    ['{"id":1,"tool":"x.y","capabilitys":[]}', 'unknown_key'],
    ['{"id":1,"tool":"x.y","__proto__":{"now":"2026-11-20T10:00:00Z"}}', 'unknown_key'],
    ['{"id":1}', 'missing_key'],
    ['{"id":1,"tool":null}', 'bad_value'],
    ['{"id":1,"tool":"write_file"}', 'bad_value'],
    ['{"id":1,"tool":"X.y"}', 'bad_value'],
    ['{"id":1,"tool":"x.y","worker":"Main"}', 'bad_value'],
    ['{"id":1,"tool":"x.y","worker":[]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","worker":["main",null]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","worker":null}', 'bad_value'],
    ['{"id":1,"tool":"x.y","args":[]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","args":null}', 'bad_value'],
    ['{"id":1,"tool":"x.y","capabilities":null}', 'bad_value'],
    ['{"id":1,"tool":"x.y","capabilities":"fs.read"}', 'bad_value'],
    ['{"id":1,"tool":"x.y","capabilities":["fs.*"]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","capabilities":[{"path":"/a"}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","capabilities":[{"name":["fs.read"]}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","capabilities":[{"name":"fs.read","path":{"paths":[]}}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","capabilities":[{"name":"fs.read","path":{"paths":"/a"}}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","history":[{"name":"fs.read","path":{"paths":["/a"],"under":"/"}}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","history":[{"name":"fs.read","path":{"paths":["/a"],"all":true}}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","context":[]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","history":{}}', 'bad_value'],
    ['{"id":1,"tool":"x.y","history":[7]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","grants":{}}', 'bad_value'],
    ['{"id":1,"tool":"x.y","grants":[{"worker":"main"}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","grants":[{"worker":"main","tool":"x.*"}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","grants":[{"worker":"main","tool":"x.y","capabilities":null}]}', 'bad_value'],
    ['{"id":1,"tool":"x.y","grants":[{"worker":"main","tool":"x.y","source":"kept"}]}', 'unknown_key'],
    ['{"id":1,"tool":"x.y","now":1763632800000}', 'bad_value'],
    ['{"id":1,"tool":"x.y","now":null}', 'bad_value'],
    ['{"id":1,"tool":"x.y","now":"2026-11-20"}', 'bad_value'],
    ['{"id":1,"tool":"x.y","now":"2026-02-30T10:00:00Z"}', 'bad_value'],
    ['{"id":1,"tool":"x.y","now":"2026-11-20T10:00:00"}', 'bad_value'],
    ['{"id":1,"tool":"filesystem.read","args":{}}', 'bad_args'],
    ['{"id":1,"tool":"filesystem.read","args":{"path":"a","mode":"x"}}', 'bad_args'],
    ['{"id":1,"tool":"filesystem.read","args":{"path":"throw"}}', 'undescribed'],
  ])('refuses %j as %s', async (line, code) => {
    const answer = await judged(line);
    expect(Object.keys(answer)).toEqual(['id', 'error']);
    expect([answer.id, (answer.error as { code: string }).code]).toEqual([
      ['bad_json', 'not_an_object'].includes(code) ? null : 1,
      code,
    ]);
  });

  it.each([
    ['{"tool": }', 'character 10: expected a value, found `}`'],
    ['{"a":1,}', 'character 8: expected a key in double quotes, found `}`'],
    ["{'a':1}", "character 2: expected a key in double quotes, or `}`, found `'a':1}`"],
    ['{"a" 1}', 'character 6: expected `:`, found `1}`'],
    ['{"a":[1,]}', 'character 9: expected a value, found `]}`'],
    ['{"a":[1 2]}', 'character 9: expected `,`, or `]`, found `2]}`'],
    ['{"a":1', 'character 7: expected `,`, or `}`, found nothing'],
    ['{"a":1} x', 'character 9: expected the end, found `x`'],
    ['{"a":tru}', 'character 6: expected a value, found `tru}`'],
    ['', 'character 1: expected a value, found nothing'],
    ['\ufeff{}', 'character 1: expected a value, found `\ufeff{}`'],
    ['{"a":\u00a01}', 'character 6: expected a value, found `\u00a01}`'],
  ])('says where %j stops being JSON', async (line, where) => {
    expect((await judged(line)).error).toEqual({ code: 'bad_json', message: `not JSON at ${where}` });
  });

  it('suggests a similar key', async () => {
    expect(await judged('{"tool":"x.y","Worker":"a"}')).toEqual({
      id: null,
      error: { code: 'unknown_key', message: 'unknown key `Worker`: did you mean `worker`?' },
    });
  });

  it('accepts a fact called `__proto__`', async () => {
    const answer = await judgeLine(
      '{"tool":"x.y","capabilities":[{"name":"fs.read","__proto__":{"path":"/a"}}]}',
      judge(),
    );
    expect(JSON.stringify(answer)).toContain('"capabilities":[{"name":"fs.read","__proto__":{"path":"/a"}}]');
  });

  it('ignores colons and quotes within texts when it looks for keys', async () => {
    const args = { 'a:"b\\': '{"tool":1}', c: ['\\":"', { ':': ':' }] };
    expect(await judged({ tool: 'x.y', args })).toMatchObject({ decision: 'needs_approval' });
  });

  it('returns an error and no decision if judging fails', async () => {
    const broken = rule('fs.read', {
      condition: () => {
        throw new Error('a bug');
      },
    });
    expect(await judged('{"id":1,"tool":"x.y","capabilities":["fs.read"]}', judge([broken]))).toEqual({
      id: 1,
      error: { code: 'unjudged', message: 'judging failed: a bug' },
    });
  });

  it('returns a decision or an error for any text and any JSON', async () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf) }),
      fc.json(),
      fc
        .record(
          {
            id: fc.jsonValue(),
            tool: fc.oneof(fc.constant('x.y'), fc.jsonValue()),
            worker: fc.jsonValue(),
            args: fc.jsonValue(),
            capabilities: fc.oneof(fc.constant(['fs.read']), fc.jsonValue()),
            grants: fc.jsonValue(),
            now: fc.jsonValue(),
          },
          { requiredKeys: ['tool'] },
        )
        .map((call) => JSON.stringify(call)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const answer = await judged(text);
        expect('decision' in answer).not.toBe('error' in answer);
        expect(answer).toHaveProperty('id');
        expect(JSON.stringify(answer)).not.toContain('judging failed');
      }),
      explore(3000),
    );
  });
});

describe('describeLine', () => {
  const described = (line: unknown) => describeLine(JSON.stringify(line), { toolsets: [files] });

  it('returns what the toolset reports, without a judgement', async () => {
    expect(await described({ id: 'a', tool: 'filesystem.read', args: { path: 'gone' } })).toEqual({
      id: 'a',
      capabilities: [{ name: 'fs.read', path: '/w/gone' }],
      cannot: 'there is no such file',
    });
  });

  it('returns tool.call for an unknown tool', async () => {
    expect(await described({ id: 1, tool: 'x.y' })).toEqual({
      id: 1,
      capabilities: [{ name: 'tool.call', tool: 'x.y' }],
    });
  });

  it.each([
    [{ id: 1, tool: 'filesystem.read', capabilities: [] }, 'unknown_key'],
    [{ id: 1, tool: 'filesystem.read', args: { path: 7 } }, 'bad_args'],
    [{ id: 1, tool: 'read' }, 'bad_value'],
  ])('refuses %j as %s', async (line, code) => {
    expect(await described(line)).toMatchObject({ id: 1, error: { code } });
  });
});

describe('a line with too many capabilities', () => {
  it('is an error that names the limit', async () => {
    const capabilities = Array.from({ length: 10_001 }, (_, at) => ({ name: 'fs.read', path: `/w/${at}` }));
    const answer = await judged({ tool: 'x.y', capabilities });
    const message = expect.stringContaining('10 001 capabilities, and at most 10 000 are judged') as string;
    expect(answer).toMatchObject({ error: { code: 'bad_value', message } });
  });
});
