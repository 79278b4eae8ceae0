import { createRequest, decide } from '@ambit/core';
import { formatReport, reportSuites } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { compileGlob, covers, type GlobKind } from '../../src/condition/glob.js';
import { widenGlob } from '../../src/suite/mutation/condition-edits.js';
import { mutantsOf } from '../../src/suite/mutation/mutants.js';
import { mutate } from '../../src/suite/mutation/mutate.js';
import { load } from '../world.js';
import { suiteOf } from './suites.js';

const policy = `version: 1
default: { decision: needs_approval, answer: person }
capabilities:
  fs.write:
    - id: out
      decision: pre_approved
      match: { path: [./out/**, /tmp/*.md], bytes: { to: 10 } }
      except: { path: "**/.git/**" }
      until: 2027-01-01T00:00:00Z
    - { id: asked, decision: needs_approval, when: { "==": [{ var: context.env }, ci] } }
  net: { id: watched, decision: blocked, observe: true }
tools:
  crm.*: { id: notes, decision: pre_approved }
carries:
  crm.export: [crm.contact]
workers:
  clerk: { capabilities: { net: { id: no-net, decision: blocked, match: { host: api.example.com } } } }
together:
  - id: leak
    capabilities: [secret.read, { name: net.connect, except: { host: "**.example.com" } }]
    decision: blocked
`;

function written(text = policy) {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  return loaded.policy;
}

describe('mutants', () => {
  it('are all small changes, each with its place', () => {
    const lines = mutantsOf(written()).map(({ at, rule, change }) => `${at} ${rule ?? '-'} ${change}`);
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "policy.yaml:2:1 - the default is pre_approved instead of needs_approval
      policy.yaml:2:1 - the default is blocked instead of needs_approval
      policy.yaml:2:1 - the default says \`answer: any\` instead of \`answer: person\`
      policy.yaml:1:1 - \`carries\` of \`crm.export\` without \`crm.contact\`
      policy.yaml:5:7 out without the rule
      policy.yaml:5:7 out needs_approval instead of pre_approved
      policy.yaml:5:7 out blocked instead of pre_approved
      policy.yaml:5:7 out \`below: true\` instead of \`below: false\`
      policy.yaml:5:7 out without \`match.path\`
      policy.yaml:5:7 out \`match.path\`: \`/w/*/**\` instead of \`/w/out/**\`
      policy.yaml:5:7 out \`match.path\` without \`/w/out/**\`
      policy.yaml:5:7 out \`match.path\`: \`/tmp/*\` instead of \`/tmp/*.md\`
      policy.yaml:5:7 out \`match.path\` without \`/tmp/*.md\`
      policy.yaml:5:7 out without \`match.bytes\`
      policy.yaml:5:7 out without \`except\`
      policy.yaml:5:7 out \`except.path\`: \`**/*/**\` instead of \`**/.git/**\`
      policy.yaml:5:7 out without \`until\`
      policy.yaml:10:7 asked without the rule
      policy.yaml:10:7 asked pre_approved instead of needs_approval
      policy.yaml:10:7 asked blocked instead of needs_approval
      policy.yaml:10:7 asked \`answer: person\` instead of \`answer: any\`
      policy.yaml:10:7 asked without \`when\`
      policy.yaml:13:3 notes without the rule
      policy.yaml:13:3 notes needs_approval instead of pre_approved
      policy.yaml:13:3 notes blocked instead of pre_approved
      policy.yaml:17:28 no-net without the rule
      policy.yaml:17:28 no-net pre_approved instead of blocked
      policy.yaml:17:28 no-net needs_approval instead of blocked
      policy.yaml:17:28 no-net \`inherit: false\` instead of \`inherit: true\`
      policy.yaml:17:28 no-net without \`match.host\`
      policy.yaml:17:28 no-net \`match.host\`: \`*.example.com\` instead of \`api.example.com\`
      policy.yaml:19:5 leak without the rule
      policy.yaml:19:5 leak needs_approval instead of blocked
      policy.yaml:19:5 leak \`within: run\` instead of \`within: call\`
      policy.yaml:19:5 leak without \`secret.read\`
      policy.yaml:19:5 leak without \`net.connect\`
      policy.yaml:19:5 leak \`net.connect\`: without \`except\`
      policy.yaml:19:5 leak \`net.connect\`: \`except.host\`: \`**.*.com\` instead of \`**.example.com\`"
    `);
  });

  it('change the policy only as they say', () => {
    const original = written();
    for (const mutant of mutantsOf(original)) {
      const changed = mutant.apply(original);
      const rules = original.rules.filter((rule) => !changed.rules.includes(rule));
      const parts = [
        rules.length > 0,
        changed.default !== original.default,
        changed.carries.length < original.carries.length,
      ];
      expect([mutant.change, parts.filter(Boolean).length, rules.length < 2]).toEqual([
        mutant.change,
        1,
        true,
      ]);
      expect(rules.map(({ id }) => id)).toEqual(mutant.rule === null ? [] : [mutant.rule]);
    }
  });

  it.each([
    ['without `except`', { name: 'fs.write', path: '/w/out/.git/x', bytes: 1 }],
    ['without `match.bytes`', { name: 'fs.write', path: '/w/out/a', bytes: 11 }],
    ['`match.path`: `/w/*/**` instead of `/w/out/**`', { name: 'fs.write', path: '/w/in/a', bytes: 1 }],
    ['`match.path`: `/tmp/*` instead of `/tmp/*.md`', { name: 'fs.write', path: '/tmp/a', bytes: 1 }],
    ['`below: true` instead of `below: false`', { name: 'fs.write.outside', path: '/tmp/a.md', bytes: 1 }],
  ])('%s permits a call that the policy does not permit', (change, capability) => {
    const original = written(policy.replace('needs_approval, when', 'pre_approved, when'));
    const mutant = mutantsOf(original).find((each) => each.rule === 'out' && each.change === change);
    const request = createRequest({
      tool: 'x.y',
      chain: ['main'],
      args: {},
      context: { env: 'dev' },
      history: [],
      capabilities: [capability],
      now: 0,
    });
    expect(decide(request, [original]).decision).toBe('needs_approval');
    expect(mutant && decide(request, [mutant.apply(original)]).decision).toBe('pre_approved');
  });
});

describe('mutate', () => {
  const small =
    'version: 1\ndefault: blocked\ncapabilities: { fs.read: { id: reading, decision: pre_approved } }\n';
  const reading = '  - { name: a, call: { tool: x.y, capabilities: [fs.read] }, expect: pre_approved }\n';
  const rest =
    '  - { name: b, call: { tool: x.y, capabilities: [fs.read.outside] }, expect: { decision: blocked, default: true } }\n';

  it('lists the changes that no case notices, and nothing if every change is noticed', async () => {
    const weak = await suiteOf(reading, { 'policy.yaml': small });
    expect(mutate([weak])).toEqual({
      possible: 6,
      made: 6,
      noticed: 3,
      survivors: [
        { at: 'policy.yaml:2:1', rule: null, change: 'the default is pre_approved instead of blocked' },
        { at: 'policy.yaml:2:1', rule: null, change: 'the default is needs_approval instead of blocked' },
        { at: 'policy.yaml:3:17', rule: 'reading', change: '`below: true` instead of `below: false`' },
      ],
    });
    const strong = await suiteOf(reading + rest, { 'policy.yaml': small });
    expect(mutate([strong])).toEqual({ possible: 6, made: 6, noticed: 6, survivors: [] });
    // One suite may notice a change that another does not.
    expect(mutate([weak, strong]).survivors).toEqual([]);
  });

  it('makes at most the limit of mutants, spread over the whole policy, and reports it', async () => {
    const suite = await suiteOf(reading, { 'policy.yaml': small });
    const report = mutate([suite], 2);
    expect(report).toEqual({
      possible: 6,
      made: 2,
      noticed: 1,
      survivors: [
        { at: 'policy.yaml:2:1', rule: null, change: 'the default is pre_approved instead of blocked' },
      ],
    });
    const text = formatReport({ ...reportSuites([{ ok: true, suite }], {}), mutation: report });
    expect(text).toContain('mutants: 1 of 2 noticed (of 6 possible)');
  });

  it('makes no mutants while a case fails', async () => {
    const suite = await suiteOf(reading.replace('pre_approved', 'blocked'), { 'policy.yaml': small });
    const report = reportSuites([{ ok: true, suite }], { mutation: true });
    expect(report.mutation).toBe(null);
    expect(formatReport(report, { mutation: true })).toContain('mutants: none are made while a case fails');
  });

  it('also changes a policy that another policy extends', async () => {
    const suite = await suiteOf(reading, {
      'policy.yaml': small.replace('default', 'extends: [org.yaml]\ndefault'),
      'org.yaml':
        'version: 1\ndefault: pre_approved\ncapabilities: { net: { id: no-net, decision: blocked } }\n',
    });
    expect(mutate([suite]).survivors).toContainEqual({
      at: 'org.yaml:3:17',
      rule: 'no-net',
      change: 'without the rule',
    });
  });
});

describe('widenGlob', () => {
  it.each([
    ['path', './out/**', '/w/*/**'],
    ['path', '**/.env', '**/*'],
    ['path', '/a/b', '/a/*'],
    ['path', '/a/*.md', '/a/*'],
    ['path', '/*/**', null],
    ['path', '/', null],
    ['host', '**.example.com', '**.*.com'],
    ['host', 'api.example.com', '*.example.com'],
    ['text', 'git*', '*'],
    ['text', '*', null],
  ] as const)('widens %s %s to %s', (kind, text, wider) => {
    const glob = text.startsWith('./')
      ? compileGlob(kind, { written: text, folder: '/w', rest: text.slice(2) })
      : compileGlob(kind, { written: text, rest: text });
    expect(widenGlob(glob)?.text ?? null).toBe(wider);
  });

  it('covers every text that the glob covers', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '?', '**');
    const kinds = fc.constantFrom<GlobKind>('path', 'host');
    fc.assert(
      fc.property(
        kinds,
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 4 }),
        (kind, pattern, given) => {
          const [separator, root] = kind === 'path' ? ['/', '/'] : ['.', ''];
          const rest = `${root}${pattern.join(separator)}`;
          const glob = compileGlob(kind, { written: rest, rest });
          const wider = widenGlob(glob);
          const text = `${root}${given.join(separator)}`;
          return wider === null || !covers(glob, text) || covers(wider, text);
        },
      ),
      explore(3000),
    );
  });
});
