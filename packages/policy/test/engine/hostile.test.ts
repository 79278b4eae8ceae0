import {
  always,
  type CallView,
  type Capability,
  createRequest,
  decide,
  type Json,
  type NonEmpty,
  type Policy,
  type Request,
  type Rule,
} from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { longestText } from '../../src/condition/glob.js';
import { load, mistakes } from '../world.js';

function policyOf(rules: Json, more: Json = {}): NonEmpty<Policy> {
  const loaded = load(
    JSON.stringify({ version: 1, default: 'pre_approved', capabilities: rules, ...(more as object) }),
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics).slice(0, 500));
  return [loaded.policy];
}

function requestOf(capabilities: readonly Capability[], args = {}): Request {
  const call = { tool: 'box.put', args, capabilities, context: {}, history: [], now: 0 };
  return createRequest({ ...call, chain: ['main'] });
}

const engine = createEngine();

/** The decision, after a check that the plain engine agrees, explanation included. */
function decisionOn(capability: Capability, policies: NonEmpty<Policy>, args = {}): string {
  const request = requestOf([capability], args);
  const found = engine.decide(request, policies);
  expect(found).toEqual(decide(request, policies));
  expect(engine.settle(request, policies)).toBe(found.decision);
  const isUndecided = found.judgements.some(({ undecided }) => undecided.length > 0);
  return isUndecided ? `${found.decision}, undecided` : found.decision;
}

const blockedWhere = (match: Json) => policyOf({ 'app.do': { decision: 'blocked', match } });
const blockedWhen = (when: Json) => policyOf({ 'app.do': { decision: 'blocked', when } });

describe('a glob', () => {
  const long = 'a'.repeat(1_000_000);

  it.each([
    ['of a megabyte, on a text of some words', `*${long}b`, 'a'.repeat(17), 'blocked, undecided'],
    ['of a megabyte, on a short text', `*${long}b`, 'a'.repeat(16), 'pre_approved'],
    ['of a megabyte of stars and letters', '*a'.repeat(500_000), 'a'.repeat(65_536), 'blocked, undecided'],
    ['on a text of a megabyte', '*b*', `${long}b`, 'blocked, undecided'],
    ['on the longest text', '*b', `${'a'.repeat(longestText - 1)}b`, 'blocked'],
    ['on one more', '*b', `${'a'.repeat(longestText)}b`, 'blocked, undecided'],
    ['that goes back as often as it may', `*${'a'.repeat(200)}b`, 'a'.repeat(65_536), 'pre_approved'],
    [
      'with many stars, on a text that it does not cover',
      '*a'.repeat(100),
      `${'a'.repeat(60_000)}b`,
      'pre_approved',
    ],
  ])('decides %s, or leaves it undecided, in a short time', (_, text, value, expected) => {
    expect(decisionOn({ name: 'app.do', text: value }, blockedWhere({ text }))).toBe(expected);
  });

  it('with many `**` is decided on a path of many segments', () => {
    const path = `/${'a/'.repeat(2_000)}b`;
    const policies = blockedWhere({ path: `/${'**/a/'.repeat(200)}c` });
    expect(decisionOn({ name: 'app.do', path }, policies)).toBe('pre_approved');
  });
});

describe('a condition', () => {
  const nested = (depth: number): Json => (depth === 0 ? true : { '!': [nested(depth - 1)] });

  it('is refused at load, with its place, if it is nested a thousand deep', () => {
    const text = JSON.stringify({
      version: 1,
      default: 'blocked',
      capabilities: { a: { decision: 'blocked', when: nested(1_000) } },
    });
    expect(mistakes(text)[0]).toMatch(/^1:\d+ /);
  });

  it('is decided at the greatest allowed depth', () => {
    expect(decisionOn({ name: 'app.do' }, blockedWhen(nested(40)))).toBe('blocked');
  });

  it('soon becomes undecided if it searches one long text in another', () => {
    const when = { in: [{ var: 'args.needle' }, { var: 'args.where' }] };
    const args = { needle: `b${'a'.repeat(100_000)}`, where: 'a'.repeat(1_000_000) };
    expect(decisionOn({ name: 'app.do' }, blockedWhen(when), args)).toBe('blocked, undecided');
    expect(decisionOn({ name: 'app.do' }, blockedWhen(when), { ...args, needle: 'b' })).toBe('pre_approved');
  });

  it('reaches its work limit if it compares every pair of a long list', () => {
    const list = Array.from({ length: 2_000 }, () => Array.from({ length: 2_000 }, () => 1));
    const when = { some: [{ var: 'args.list' }, { some: [{ var: '' }, { '>': [{ var: '' }, 1] }] }] };
    expect(decisionOn({ name: 'app.do' }, blockedWhen(when), { list })).toBe('blocked, undecided');
  });

  it('soon becomes undecided if it has too many operands', () => {
    const when = { or: Array.from({ length: 1_000_000 }, () => false) };
    expect(decisionOn({ name: 'app.do' }, blockedWhen(when))).toBe('blocked, undecided');
  });
});

describe('a call', () => {
  it('is decided correctly with 10 000 capabilities', () => {
    const capabilities = Array.from({ length: 10_000 }, (_, index) => ({
      name: 'app.do',
      path: `/w/${index}`,
    }));
    const rules = { 'app.do': { decision: 'blocked', match: { path: '/w/9999' }, id: 'last' } };
    const together = [
      { capabilities: ['app.do', { name: 'app', match: { path: '/w/5000' } }], decision: 'needs_approval' },
    ];
    const request = requestOf([...capabilities, ...capabilities]);
    const found = engine.decide(request, policyOf(rules, { together }));
    expect(found.capabilities.length).toBe(10_000);
    expect(found.decision).toBe('blocked');
    expect(found.judgements.filter(({ decision }) => decision === 'needs_approval').length).toBe(9_999);
    expect(engine.settle(request, policyOf(rules, { together }))).toBe('blocked');
  });

  it('is decided by as many rules of one name as a file holds, in little memory', () => {
    const [policy] = policyOf({ 'app.do': { decision: 'blocked', match: { text: '*b*' } } });
    const rules = policy.rules.flatMap((rule) => Array.from({ length: 130_000 }, () => rule));
    const request = requestOf([{ name: 'app.do', text: 'b' }]);
    const found = engine.decide(request, [{ ...policy, rules }]);
    expect(found.judgements[0]?.rules.length).toBe(rules.length);
  });

  it.each<readonly [string, Json, Json, string]>([
    ['NaN in a range', { size: { from: 0 } }, Number.NaN, 'pre_approved'],
    ['NaN as a number', { size: 1 }, Number.NaN, 'pre_approved'],
    ['negative zero', { size: 0 }, -0, 'blocked'],
    ['negative zero in a range', { size: { from: 0, to: 0 } }, -0, 'blocked'],
    ['a number above 2^53', { size: { from: Number.MAX_SAFE_INTEGER } }, 2 ** 53 + 2, 'blocked'],
    ['the largest number', { size: { to: 1 } }, Number.MAX_VALUE, 'pre_approved'],
    ['infinity', { size: { from: 1 } }, Number.POSITIVE_INFINITY, 'blocked'],
    ['a lone surrogate', { text: '*b' }, '\ud83db', 'blocked'],
    ['a lone surrogate for `?`', { text: '?b' }, '\ud83db', 'blocked'],
    ['a whole character for `?`', { text: '?' }, '😀', 'blocked'],
    ['a lone surrogate in a path', { path: '/w/?' }, '/w/\udc00', 'blocked'],
    ['a text with NUL in a path', { path: '**' }, '/w/\0', 'blocked, undecided'],
  ])('with %s is decided correctly', (_, match, value, expected) => {
    const [fact] = Object.keys(match as object) as [string];
    expect(decisionOn({ name: 'app.do', [fact]: value }, blockedWhere(match))).toBe(expected);
  });
});

describe('a policy from code', () => {
  const [given] = policyOf({ 'app.do': { id: 'r', decision: 'blocked' } });
  const [rule] = given.rules as [Rule];
  const described = { args: {}, capabilities: [{ name: 'app.do' }], context: {}, history: [], now: 0 };

  it('is undecided about a call without a context', () => {
    const policies = blockedWhen({ '==': [{ var: 'context.user' }, 'a'] });
    const one = createRequest({ ...described, tool: 'box.put', chain: ['main'], context: null as never });
    expect(decide(one, policies).decision).toBe('blocked');
    expect(engine.decide(one, policies)).toEqual(decide(one, policies));
  });

  it('shows a condition the call and the capability, and nothing else', () => {
    const condition = (view: object) => !('history' in view);
    const one = requestOf([{ name: 'app.do' }]);
    const policies: NonEmpty<Policy> = [{ ...given, rules: [{ ...rule, condition } as Rule] }];
    expect(decide(one, policies).decision).toBe('blocked');
    expect(engine.decide(one, policies)).toEqual(decide(one, policies));
  });

  it.each([
    [
      'a tool',
      { about: 'tool', name: '' },
      [
        ['', ['main']],
        ['box.put', ['main']],
      ],
    ],
    [
      'a worker',
      { worker: '' },
      [
        ['box.put', ['', 'main']],
        ['box.put', ['main']],
      ],
    ],
  ] as const)('distinguishes an empty name of %s from names without rules', (_, about, calls) => {
    const policies: NonEmpty<Policy> = [{ ...given, rules: [{ ...rule, ...about } as Rule] }];
    const found = calls.map(([tool, chain]) => {
      const one = createRequest({ ...described, tool, chain });
      expect(engine.decide(one, policies)).toEqual(decide(one, policies));
      return engine.settle(one, policies);
    });
    expect(found).toEqual(['blocked', 'pre_approved']);
  });

  it('is read again when what is cached for names of any length is too much', () => {
    let read = 0;
    const watched = {
      ...rule,
      worker: 'main',
      get condition() {
        read += 1;
        return always;
      },
    } as Rule;
    const policies: NonEmpty<Policy> = [{ ...given, rules: [watched] }];
    const readFor = (name: string, worker: string) => {
      const before = read;
      const chain = ['main', worker] as const;
      engine.settle(
        createRequest({ ...described, tool: 'box.put', chain, capabilities: [{ name }] }),
        policies,
      );
      return read - before;
    };
    readFor('app.do', 'other');
    expect(readFor('app.do', 'other')).toBe(0);
    const long = `app.do.${'a'.repeat(200)}`;
    for (let count = 0; count < 70_000; count += 1) readFor(long, `w${count}`);
    expect(readFor('app.do', 'other')).toBeGreaterThan(0);
  });

  it('is read again when what is cached for reasons of undecided rules is too much, over all names', () => {
    let read = 0;
    const watched = {
      ...rule,
      get condition() {
        read += 1;
        return always;
      },
    } as Rule;
    const names = Array.from({ length: 20 }, (_, at) => `app.n${at}`);
    const condition = ({ args }: CallView) => ({ undecided: JSON.stringify(args) });
    const others = names.map((name) => ({ ...rule, id: name, name, condition }) as Rule);
    const policies: NonEmpty<Policy> = [{ ...given, rules: [watched, ...others] }];
    const readFor = (name: string, at = 0) => {
      const before = read;
      const call = { ...described, tool: 'box.put', chain: ['main'] as const, args: { at } };
      engine.decide(createRequest({ ...call, capabilities: [{ name }] }), policies);
      return read - before;
    };
    readFor('app.do');
    expect(readFor('app.do')).toBe(0);
    for (const name of names) for (let at = 0; at < 3_500; at += 1) readFor(name, at);
    expect(readFor('app.do')).toBeGreaterThan(0);
  });
});
