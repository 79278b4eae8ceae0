import { type CallDecision, createRequest, decide, type Json, type NonEmpty, type Policy } from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { folders } from '../world.js';

const engine = createEngine();

function policyOf(lines: readonly string[]): NonEmpty<Policy> {
  const loaded = loadPolicyText('policy.yaml', ['version: 1', ...lines].join('\n'), folders);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return [loaded.policy];
}

/** The decision of both engines. */
function decided(policies: NonEmpty<Policy>, path: Json, name = 'fs.read'): CallDecision {
  const request = createRequest({
    tool: 'shell.run',
    chain: ['main'],
    args: {},
    capabilities: [{ name, path }],
    context: {},
    history: [],
    now: 0,
  });
  const decision = engine.decide(request, policies);
  expect(engine.settle(request, policies)).toBe(decision.decision);
  if (!isLarge(path)) expect(decision).toEqual(decide(request, policies));
  return decision;
}

function isLarge(path: Json): boolean {
  return JSON.stringify(path).length > 100_000;
}

function about({ decision, judgements }: CallDecision) {
  return [decision, judgements.at(-1)?.member];
}

const reading = policyOf([
  'default: blocked',
  'capabilities:',
  '  fs.read:',
  '    - { decision: pre_approved, match: { path: /w/src/** } }',
  '    - { decision: pre_approved, match: { path: /w/docs/** } }',
  '    - { id: no-secrets, decision: blocked, match: { path: "**/.env" } }',
]);

describe('a file set', () => {
  it.each<[string, Json, unknown]>([
    [
      'is permitted by several rules, each for other members',
      { paths: ['/w/docs/a', '/w/src/a'] },
      ['pre_approved', { path: '/w/docs/a', count: 2, of: 2 }],
    ],
    [
      'is blocked by one member',
      { paths: ['/w/docs/a', '/w/src/.env', '/w/src/a'] },
      ['blocked', { path: '/w/src/.env', count: 1, of: 3 }],
    ],
    [
      'counts a member twice once',
      { paths: ['/w/src/b', '/w/src/a', '/w/src/b'] },
      ['pre_approved', { path: '/w/src/a', count: 2, of: 2 }],
    ],
    [
      'has no path for a member that is not canonical',
      { paths: ['/w/src/../a', '/w/src/a'] },
      ['blocked', { path: '/w/src/../a', count: 1, of: 2 }],
    ],
    [
      'is undecided about the unknown members of an open set',
      { paths: ['/w/src/a'], open: true },
      ['blocked', { path: null, count: 1, of: 2 }],
    ],
    ['that is closed and empty has no path', { paths: [] }, ['blocked', undefined]],
    ['with an unknown key has no path', { paths: ['/w/src/a'], all: true }, ['blocked', undefined]],
    [
      'whose manifest is missing has no path',
      { folder: '/w/src', count: 2, digest: 'd' },
      ['blocked', undefined],
    ],
  ])('%s', (_, path, said) => {
    expect(about(decided(reading, path))).toEqual(said);
  });

  it('names the deciding member of 30 000', () => {
    const paths = Array.from({ length: 30_000 }, (_, index) => `/w/src/${index % 50}/file-${index}.ts`);
    const path = { paths: [...paths, '/w/src/config/.env'] };
    expect(about(decided(reading, path))).toEqual([
      'blocked',
      { path: '/w/src/config/.env', count: 1, of: 30_001 },
    ]);
  });
});

describe('`under`', () => {
  const within = (decision: string, condition: string) =>
    policyOf([
      'default: pre_approved',
      'capabilities:',
      `  fs.read: { decision: ${decision}, ${condition} }`,
    ]);
  const open = (under?: string): Json => ({ paths: [], open: true, ...(under !== undefined && { under }) });

  // The truth of a condition on an unknown path: an undecided restriction blocks, and a permission never
  // applies.
  it.each([
    ['match: { path: /w/src/** }', '/w/src', true],
    ['match: { path: /w/src/** }', '/w/src/deep', true],
    ['match: { path: /w/src/** }', '/w', 'undecided'],
    ['match: { path: /w/src/** }', '/w/docs', false],
    ['match: { path: /w/src/** }', '/w/srcs', false],
    ['match: { path: /w/src/** }', undefined, 'undecided'],
    ['match: { path: /w/src/** }', 'w/src', 'undecided'],
    ['match: { path: /w/src/**/* }', '/w/src', 'undecided'],
    ['match: { path: /w/src/**/* }', '/w/src/deep', true],
    ['match: { path: /w/src/*/** }', '/w/src/deep', true],
    ['match: { path: /w/src/**/?* }', '/w/src/deep', true],
    ['match: { path: /w/src/**/?? }', '/w/src/deep', 'undecided'],
    ['match: { path: /w/src }', '/w/src', 'undecided'],
    ['match: { path: /w/src/* }', '/w/src', 'undecided'],
    ['match: { path: /w/src/* }', '/w/src/deep', 'undecided'],
    ['match: { path: /w/src/* }', '/w/src/deep/er', false],
    ['match: { path: "**/.env" }', '/w/src', 'undecided'],
    ['match: { path: "**/.git/**" }', '/w/.git', true],
    ['match: { path: "**" }', '/', true],
    ['match: { path: "**/*" }', '/', 'undecided'],
    ['match: { path: "**/*" }', '/w', true],
    ['match: { path: [/w/docs/**, /w/src/**] }', '/w/src', true],
    ['match: { path: [/w/docs/**, /w/src/*] }', '/w/lib', false],
    ['match: { path: [/w/a/**, /w/b/**] }', '/w', 'undecided'],
    ['except: { path: /w/src/** }', '/w/src', false],
    ['except: { path: /w/src/** }', '/w/docs', true],
    ['except: { path: /w/src/** }', '/w', 'undecided'],
    ['when: { under: [{ var: capability.path }, /w/src] }', '/w/src', true],
    ['when: { under: [{ var: capability.path }, /w/src] }', '/w/src/deep', true],
    ['when: { under: [{ var: capability.path }, /] }', '/w', true],
    ['when: { under: [{ var: capability.path }, /w/src] }', '/w', 'undecided'],
    ['when: { under: [{ var: capability.path }, /w/src] }', '/w/docs', false],
    ['when: { under: [{ var: capability.path }, /w/src] }', '/w/srcs', false],
    ['when: { under: [{ var: capability.path }, /w/src] }', undefined, 'undecided'],
    ['when: { under: [{ var: [capability.path, /w/src] }, /w/src] }', undefined, 'undecided'],
    ['when: { "==": [{ var: [capability.path, /w/src] }, /w/src] }', '/w/src', 'undecided'],
    ['when: { "!=": [{ var: capability.path }, /etc] }', '/w/src', 'undecided'],
    ['when: { in: [src, { var: capability.path }] }', '/w/src', 'undecided'],
    ['when: { ">": [{ var: capability.path.length }, 1] }', '/w/src', 'undecided'],
    ['when: { var: capability.path.open }', '/w/src', 'undecided'],
    ['when: { some: [[{ var: capability }], { var: path.open }] }', '/w/src', 'undecided'],
    ['when: { missing: [capability.path] }', undefined, 'undecided'],
    ['when: { "!": [{ missing: [capability.path] }] }', undefined, true],
    ['when: { "!!": [{ missing: [capability.path] }] }', undefined, false],
    ['when: { "!!": [{ missing_some: [1, [capability.path, capability.x]] }] }', '/w/src', false],
    ['when: { "!!": [{ missing: [capability.path.open] }] }', '/w/src', 'undecided'],
  ] as const)('a rule with `%s` covers a path under %s: %s', (condition, under, truth) => {
    const restriction = decided(within('blocked', condition), open(under)).judgements.at(-1);
    expect(restriction?.decision).toBe(truth === false ? 'pre_approved' : 'blocked');
    expect(restriction?.undecided.length).toBe(truth === 'undecided' ? 1 : 0);
    const permission = decided(within('pre_approved', condition), open(under)).judgements.at(-1);
    expect(permission?.rules.length).toBe(truth === true ? 1 : 0);
  });
});
