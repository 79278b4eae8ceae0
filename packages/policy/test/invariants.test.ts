import { createRequest, decide } from '@ambit/core';
import { checkPolicies, formatDiagnostics } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { load, mistakes, worldOf } from './world.js';

/** One invariant in flow style, in the fourth line. */
function one(invariant: string): string {
  return `version: 1\ndefault: needs_approval\ninvariants:\n  - ${invariant}\n`;
}

describe('an invariant', () => {
  it.each<[string, readonly string[]]>([
    [
      '{ id: a, capabilities: [secret.read, { name: net.connect, match: { host: a } }], never: pre_approved }',
      [],
    ],
    ['{ capabilities: [net], never: pre_approved, reason: r, owner: o, note: n }', []],
    ['{ capabilities: [net] }', ['4:5 MISSING_KEY']],
    ['{ never: pre_approved }', ['4:5 MISSING_KEY']],
    ['{ capabilities: [], never: pre_approved }', ['4:21 EMPTY_SECTION']],
    ['{ capabilities: [Net], never: pre_approved }', ['4:22 BAD_CAPABILITY_NAME']],
    [
      '{ capabilities: [{ name: net.connect, match: { hsot: a } }], never: pre_approved }',
      ['4:52 UNKNOWN_FACT'],
    ],
    ['{ capabilities: [net], never: blocked }', ['4:35 UNKNOWN_VALUE']],
    ['{ capabilities: [net], never: needs_approval }', ['4:35 UNKNOWN_VALUE']],
    ['{ capabilities: [net], never: [pre_approved] }', ['4:35 WRONG_TYPE']],
    ['{ capabilities: [net], never: pre_approved, decision: blocked }', ['4:49 UNKNOWN_KEY']],
    ['{ capabilities: [net], never: pre_approved, id: "" }', ['4:53 BAD_TEXT']],
    ['net', ['4:5 WRONG_TYPE']],
  ])('%s', (invariant, expected) => {
    expect(mistakes(one(invariant))).toEqual(expected);
  });

  it.each([
    ['invariants: {}', ['3:13 WRONG_TYPE']],
    ['invariants:', ['3:1 EMPTY_SECTION']],
  ])('stands in a list: %s', (line, expected) => {
    expect(mistakes(`version: 1\ndefault: blocked\n${line}\n`)).toEqual(expected);
  });

  it('is kept in the document with its places, and is no rule', () => {
    const loaded = load(
      one(
        '{ capabilities: [secret.read, { name: net, except: { host: a } }], never: pre_approved, note: n }',
      ),
    );
    if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
    const { document, rules } = loaded.policy;
    expect([rules, document.rules]).toEqual([[], []]);
    expect(document.invariants).toMatchObject([
      {
        id: 'invariants[0]',
        at: 'policy.yaml:4:5',
        place: { line: 4, column: 5 },
        members: [
          { name: 'secret.read', match: null, except: null, place: { line: 4, column: 22 } },
          { name: 'net', match: null, except: [{ fact: 'host' }], place: { line: 4, column: 35 } },
        ],
        never: 'pre_approved',
        reason: null,
        owner: null,
        note: 'n',
      },
    ]);
  });

  it('changes no decision', () => {
    const loaded = load(
      `${one('{ capabilities: [net], never: pre_approved }')}capabilities: { net.connect: pre_approved }\n`,
    );
    if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
    const call = { tool: 'a.b', chain: ['main'], args: {}, context: {}, history: [], now: 0 } as const;
    const request = createRequest({ ...call, capabilities: [{ name: 'net.connect' }] });
    expect(decide(request, [loaded.policy]).decision).toBe('pre_approved');
  });
});

describe('checkPolicies', () => {
  const check = async (files: Readonly<Record<string, string>>) => {
    const report = await checkPolicies(['policy.yaml'], worldOf(files));
    expect([report.ok, report.diagnostics]).toEqual([true, []]);
    const about = report.warnings.filter(({ code }) => code.endsWith('_INVARIANT'));
    return [report.invariants, formatDiagnostics(about)];
  };
  const start = 'version: 1\ndefault: needs_approval\n';
  const leaving = 'invariants: [{ id: stays, capabilities: [secret.read, net], never: pre_approved }]\n';
  const open = 'capabilities: { secret.read: pre_approved, net.connect: pre_approved }\n';

  it('refutes an invariant with a call that is pre-approved, in every file, by all the policies together', async () => {
    expect(
      await check({
        'policy.yaml': `${start}${open}${leaving}extends: [b.yaml]\n`,
        'b.yaml': `version: 1\ndefault: pre_approved\ninvariants:\n  - { capabilities: [{ name: net.connect, except: { host: "**.internal" } }], never: pre_approved }\n  - { capabilities: [fs.read], never: pre_approved }\n`,
      }),
    ).toEqual([
      1,
      `policy.yaml:4:14 REFUTED_INVARIANT the invariant \`stays\` does not hold, this call is pre_approved: {"worker":["main"],"tool":"other.tool","capabilities":[{"name":"secret.read"},{"name":"net.connect"}]}
  4 | invariants: [{ id: stays, capabilities: [secret.read, net], never: pre_approved }]
    |              ^
help: give the call to \`ambit explain\` to see which rules let it pass; a combination under \`together:\` would block it

b.yaml:4:5 REFUTED_INVARIANT the invariant \`invariants[0]\` does not hold, this call is pre_approved: {"worker":["main"],"tool":"other.tool","capabilities":[{"name":"net.connect","host":"x"}]}
  4 |   - { capabilities: [{ name: net.connect, except: { host: "**.internal" } }], never: pre_approved }
    |     ^
help: give the call to \`ambit explain\` to see which rules let it pass; a combination under \`together:\` would block it`,
    ]);
  });

  it.each([
    [
      'a combination blocks it',
      `${open}together: [{ capabilities: [secret.read, net], decision: blocked }]\n`,
    ],
    ['one of the two asks', 'capabilities: { secret.read: pre_approved }\n'],
    ['a grant answers one question alone', 'capabilities: { net: blocked }\ngrants: { workers: true }\n'],
    [
      'only a person answers it',
      'capabilities: { net: { decision: needs_approval, answer: person } }\ngrants: { workers: true }\n',
    ],
    ['only a mode and kept answers would let it run', 'grants: { remember: always, reach: capability }\n'],
  ])('proves it where %s', async (_, rest) => {
    expect(await check({ 'policy.yaml': `${start}${rest}${leaving}` })).toEqual([1, '']);
  });

  it.each([
    [
      'a worker file may answer',
      'grants: { workers: true }\n',
      { grants: [{ worker: 'main', tool: 'other.tool' }] },
    ],
    [
      'a worker file may answer for one tool',
      'grants: { workers: [crm.export] }\n',
      { tool: 'crm.export', grants: [{ worker: 'main', tool: 'crm.export' }] },
    ],
    ['a rule about a tool answers', 'tools: { crm.export: pre_approved }\n', { tool: 'crm.export' }],
    [
      'a worker has permissions of its own',
      'workers: { w: { capabilities: { net: pre_approved, secret.read: pre_approved } } }\n',
      { worker: ['w'], capabilities: [{ name: 'secret.read' }, { name: 'net' }] },
    ],
    [
      'a combination leaves a host out',
      `${open}together: [{ capabilities: [secret.read, { name: net, except: { host: a.example } }], decision: blocked }]\n`,
      { capabilities: [{ name: 'secret.read' }, { name: 'net.connect', host: 'a.example' }] },
    ],
    [
      'a calculation lets some pass',
      'capabilities: { secret.read: pre_approved, net: { decision: pre_approved, when: { ">": [{ "+": [{ var: capability.a }, 1] }, 2] } } }\n',
      { capabilities: [{ name: 'secret.read' }, { name: 'net', a: 2 }] },
    ],
  ])('refutes it where %s', async (_, rest, call) => {
    const [proved, text] = await check({ 'policy.yaml': `${start}${rest}${leaving}` });
    expect(proved).toBe(0);
    const shown = /REFUTED_INVARIANT .*: (\{.*\})$/m.exec(text as string)?.[1] ?? '{}';
    expect(JSON.parse(shown)).toMatchObject(call);
  });

  it('names the rules because of which an invariant is not settled', async () => {
    const square = '{ "*": [{ var: capability.a }, { var: capability.a }] }';
    const rules = `capabilities:\n  secret.read: pre_approved\n  net: { id: square, decision: pre_approved, when: { "<": [${square}, -1] } }\n`;
    expect(await check({ 'policy.yaml': `${start}${rules}${leaving}` })).toEqual([
      0,
      expect.stringMatching(
        /^policy.yaml:6:14 UNSETTLED_INVARIANT .*: secret.read together with net: a condition cannot be split .*, because of `square` \(policy.yaml:5:3\)\n/,
      ),
    ]);
  });

  it('remarks upon what an invariant lists, and shows nothing that a terminal would hide', async () => {
    const text = `\ufeff${start}invariants:\n  - { id: a, capabilities: [secret.raed], never: pre_approved, note: "\\u00ad" }\n`;
    const report = await checkPolicies(['policy.yaml'], worldOf({ 'policy.yaml': text }));
    expect(
      formatDiagnostics(report.warnings),
    ).toBe(`policy.yaml:4:29 UNKNOWN_CAPABILITY no shared capability is called \`secret.raed\`
  4 |   - { id: a, capabilities: [secret.raed], never: pre_approved, note: "\\u00ad" }
    |                             ^^^^^^^^^^^
help: did you mean \`secret.read\`? names of your own want a prefix of their own`);
  });
});
