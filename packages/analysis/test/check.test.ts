import { checkPolicies } from '@ambit/analysis';
import { formatDiagnostics } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { sectionOf } from '../../../test/diagnostics.js';
import { worldOf } from '../../policy/test/world.js';

describe('checkPolicies', () => {
  it('returns errors and warnings', async () => {
    const bad = await checkPolicies(['policy.yaml'], worldOf({ 'policy.yaml': 'version: 1\n' }));
    expect([bad.ok, bad.diagnostics.map(({ code }) => code)]).toEqual([false, ['MISSING_KEY']]);
    const odd = await checkPolicies(
      ['policy.yaml'],
      worldOf({ 'policy.yaml': sectionOf('UNKNOWN_CAPABILITY').avoid }),
    );
    expect([odd.ok, odd.warnings.map(({ code }) => code)]).toEqual([true, ['UNKNOWN_CAPABILITY']]);
  });

  const check = async (files: Readonly<Record<string, string>>) => {
    const report = await checkPolicies(['policy.yaml'], worldOf(files));
    expect([report.ok, report.diagnostics]).toEqual([true, []]);
    const about = report.warnings.filter(({ code }) => code.endsWith('_INVARIANT'));
    return [report.invariants, formatDiagnostics(about)];
  };
  const start = 'version: 1\ndefault: needs_approval\n';
  const leaving = 'invariants: [{ id: stays, capabilities: [secret.read, net], never: pre_approved }]\n';
  const open = 'capabilities: { secret.read: pre_approved, net.connect: pre_approved }\n';

  it('refutes an invariant of any file with a call that all policies together pre-approve', async () => {
    expect(
      await check({
        'policy.yaml': `${start}${open}${leaving}extends: [b.yaml]\n`,
        'b.yaml': `version: 1\ndefault: pre_approved\ninvariants:\n  - { capabilities: [{ name: net.connect, except: { host: "**.internal" } }], never: pre_approved }\n  - { capabilities: [fs.read], never: pre_approved }\n`,
      }),
    ).toEqual([
      1,
      `policy.yaml:4:14 REFUTED_INVARIANT the invariant \`stays\` does not hold; this call is pre_approved: {"worker":["main"],"tool":"other.tool","capabilities":[{"name":"secret.read"},{"name":"net.connect"}]}
  4 | invariants: [{ id: stays, capabilities: [secret.read, net], never: pre_approved }]
    |              ^
help: give the call to \`ambit explain\` to see which rules let it pass; a combination under \`together:\` would block it

b.yaml:4:5 REFUTED_INVARIANT the invariant \`invariants[0]\` does not hold; this call is pre_approved: {"worker":["main"],"tool":"other.tool","capabilities":[{"name":"net.connect","host":"x"}]}
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
  ])('proves an invariant: %s', async (_, rest) => {
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
  ])('refutes an invariant: %s', async (_, rest, call) => {
    const [proved, text] = await check({ 'policy.yaml': `${start}${rest}${leaving}` });
    expect(proved).toBe(0);
    const shown = /REFUTED_INVARIANT .*: (\{.*\})$/m.exec(text as string)?.[1] ?? '{}';
    expect(JSON.parse(shown)).toMatchObject(call);
  });

  it('names the rules that leave an invariant undecided', async () => {
    const square = '{ "*": [{ var: capability.a }, { var: capability.a }] }';
    const rules = `capabilities:\n  secret.read: pre_approved\n  net: { id: square, decision: pre_approved, when: { "<": [${square}, -1] } }\n`;
    expect(await check({ 'policy.yaml': `${start}${rules}${leaving}` })).toEqual([
      0,
      expect.stringMatching(
        /^policy.yaml:6:14 UNSETTLED_INVARIANT .*: secret.read together with net: a condition cannot be split .*, because of `square` \(policy.yaml:5:3\)\n/,
      ),
    ]);
  });

  it('warns about the entries of an invariant, without control characters', async () => {
    const text = `\ufeff${start}invariants:\n  - { id: a, capabilities: [secret.raed], never: pre_approved, note: "\\u00ad" }\n`;
    const report = await checkPolicies(['policy.yaml'], worldOf({ 'policy.yaml': text }));
    expect(
      formatDiagnostics(report.warnings),
    ).toBe(`policy.yaml:4:29 UNKNOWN_CAPABILITY unknown shared capability \`secret.raed\`
  4 |   - { id: a, capabilities: [secret.raed], never: pre_approved, note: "\\u00ad" }
    |                             ^^^^^^^^^^^
help: did you mean \`secret.read\`? begin your own names with your own prefix`);
  });
});
