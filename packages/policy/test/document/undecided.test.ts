import { createRequest, decide, type Json, type Policy } from '@ambit/core';
import { type Diagnostic, loadPolicyText } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { folders } from '../world.js';

function load(lines: readonly string[]) {
  return loadPolicyText('policy.yaml', ['version: 1', ...lines].join('\n'), folders);
}

function policyOf(lines: readonly string[]): Policy {
  const loaded = load(lines);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.policy;
}

function problemsOf(lines: readonly string[]): readonly string[] {
  const loaded = load(lines);
  const said = ({ line, column, code, message }: Diagnostic) => `${line}:${column} ${code} ${message}`;
  return loaded.ok ? [] : loaded.diagnostics.map(said);
}

/** The decision on a call, and who may answer: `rm` of a known or unknown file. */
function said(policy: Policy, path: Json | undefined, worker = 'main') {
  const request = createRequest({
    tool: 'shell.run',
    chain: [worker],
    args: {},
    capabilities: [{ name: 'fs.delete', ...(path !== undefined && { path }) }],
    context: {},
    history: [],
    now: 0,
  });
  const { decision, judgements } = decide(request, [policy]);
  return [decision, judgements.at(-1)?.answer];
}

const rule = '{ decision: blocked, undecided: needs_approval, match: { path: "**/.git/**" } }';
const anywhere = { paths: [], open: true };

describe('`undecided: needs_approval`', () => {
  it('asks a person if the rule is undecided, and does not affect decided rules', () => {
    const policy = policyOf(['default: pre_approved', 'capabilities:', `  fs.delete: ${rule}`]);
    expect(said(policy, '/w/.git/x')).toEqual(['blocked', null]);
    expect(said(policy, '/w/a')).toEqual(['pre_approved', null]);
    expect(said(policy, undefined)).toEqual(['needs_approval', 'person']);
    expect(said(policy, anywhere)).toEqual(['needs_approval', 'person']);
    expect(said(policy, { paths: ['/w/.git/x'], open: true })).toEqual(['blocked', null]);
    expect(said(policy, { ...anywhere, under: '/w/.git' })).toEqual(['blocked', null]);
  });

  it('keeps its question if another rule certainly asks a question that anybody may answer', () => {
    const policy = policyOf([
      'default: pre_approved',
      'capabilities:',
      `  fs.delete: [needs_approval, ${rule}]`,
      'tools:',
      '  shell.run: pre_approved',
    ]);
    expect(said(policy, '/w/a')).toEqual(['pre_approved', 'any']);
    expect(said(policy, anywhere)).toEqual(['needs_approval', 'person']);
  });

  it('holds for every section of the file if it is at the top, unless a rule overrides it', () => {
    const condition = 'when: { "==": [{ var: context.env }, ci] }';
    const sections = [
      `tools: { shell.run: { decision: blocked, ${condition} } }`,
      `workers: { main: { capabilities: { fs: { decision: blocked, ${condition} } } } }`,
      `together: [{ decision: blocked, capabilities: [fs], ${condition} }]`,
      `capabilities: { fs: { decision: blocked, ${condition} } }`,
    ];
    for (const section of sections) {
      const policy = policyOf(['default: pre_approved', 'undecided: needs_approval', section]);
      expect([section, ...said(policy, '/w/a')]).toEqual([section, 'needs_approval', 'person']);
      expect(said(policyOf(['default: pre_approved', section]), '/w/a')).toEqual(['blocked', null]);
      const own = section.replace('decision: blocked', 'decision: blocked, undecided: blocked');
      const strict = policyOf(['default: pre_approved', 'undecided: needs_approval', own]);
      expect(said(strict, '/w/a')).toEqual(['blocked', null]);
    }
  });

  it('is an error on a rule that does not block, and beside `answer: any`', () => {
    const of = (text: string) => problemsOf(['default: needs_approval', 'capabilities:', `  fs: ${text}`]);
    const misplaced = '`undecided` is for rules that block';
    expect(of('{ decision: needs_approval, undecided: needs_approval }')).toEqual([
      `4:35 MISPLACED_KEY ${misplaced}`,
    ]);
    expect(of('{ decision: pre_approved, undecided: blocked }')).toEqual([`4:33 MISPLACED_KEY ${misplaced}`]);
    expect(of('{ decision: blocked, undecided: needs_approval, answer: any }')).toEqual([
      '4:28 MISPLACED_KEY `undecided: needs_approval` asks a person, and this rule says `answer: any`',
    ]);
    expect(of('{ decision: blocked, undecided: blocked, answer: any }')).toEqual([]);
    const beside = (own: string) =>
      problemsOf([
        'default: needs_approval',
        `together: [{ decision: blocked, capabilities: [fs, net], answer: any${own} }]`,
        'undecided: needs_approval',
        `capabilities: { fs: { decision: blocked, answer: any${own} } }`,
      ]);
    expect(beside('')).toEqual([
      '3:58 MISPLACED_KEY `undecided: needs_approval` asks a person, and this rule says `answer: any`',
      '5:42 MISPLACED_KEY `undecided: needs_approval` asks a person, and this rule says `answer: any`',
    ]);
    expect(beside(', undecided: blocked')).toEqual([]);
    expect(of('{ decision: blocked, undecided: pre_approved }').map((text) => text.slice(0, 18))).toEqual([
      '4:39 UNKNOWN_VALUE',
    ]);
    expect(
      problemsOf([
        'default: needs_approval',
        'together: [{ decision: needs_approval, capabilities: [fs], undecided: blocked }]',
      ]),
    ).toEqual([`3:60 MISPLACED_KEY ${misplaced}`]);
  });
});
