import { reportSuites, type SuitesReport } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import type { Coverage } from '../../src/suite/coverage.js';
import { plainPolicy, suiteOf } from './suites.js';

/** Every kind of rule, in every category of coverage. */
const richPolicy = `version: 1
default: needs_approval
capabilities:
  fs.read:
    - { decision: pre_approved, id: reading }
    - { decision: blocked, id: no-secrets, match: { path: "**/.env" } }
  pay:
    - { decision: needs_approval, id: pay-a-person, answer: person }
  fs.list: { decision: blocked, id: watched, observe: true }
tools:
  crm.note: { decision: pre_approved, id: notes }
together:
  - { id: leak, capabilities: [secret.read, net.connect], within: run, decision: blocked }
grants: { workers: true }
`;

async function report(cases: string, policy = richPolicy): Promise<SuitesReport> {
  const suite = await suiteOf(cases, { 'policy.yaml': policy });
  return reportSuites([{ ok: true, suite }], { coverage: true });
}

/** `status mismatch=found …` for one case with this expectation about this call. */
async function outcome(call: string, expect: string, policy = richPolicy): Promise<string> {
  const { suites } = await report(`  - { name: x, call: ${call}, expect: ${expect} }\n`, policy);
  const [result] = suites[0]?.cases ?? [];
  return [
    result?.status,
    ...(result?.mismatches ?? []).map(({ of, found }) => `${of}=${String(found)}`),
  ].join(' ');
}

const reading = '{ tool: x.y, capabilities: [{ name: fs.read, path: /w/a.md }] }';
const secret = '{ tool: x.y, capabilities: [{ name: fs.read, path: /w/.env }] }';
const unknown = '{ tool: x.y, capabilities: [fs.read] }';
const paying = '{ tool: x.y, capabilities: [pay] }';
const noting = '{ tool: crm.note, capabilities: [crm.note] }';
const leaking = '{ tool: x.y, capabilities: [net.connect], history: [secret.read] }';

describe('a case', () => {
  it.each([
    [reading, 'pre_approved', 'passed'],
    [reading, 'blocked', 'failed decision=pre_approved'],
    [reading, '{ rules: [reading], default: false }', 'passed'],
    [reading, '{ rules: [reading, no-secrets] }', 'failed rules=reading'],
    // A matching rule that is overruled decides nothing.
    [secret, '{ decision: blocked, rules: [no-secrets] }', 'passed'],
    [secret, '{ rules: [reading] }', 'failed rules=no-secrets'],
    // An undecided rule decides if it is the stricter one.
    [unknown, '{ decision: blocked, rules: [no-secrets] }', 'passed'],
    [paying, '{ decision: needs_approval, answer: person, default: false }', 'passed'],
    [paying, '{ answer: any }', 'failed answer=person'],
    [paying, '{ default: true }', 'failed default=false'],
    ['{ tool: x.y }', '{ decision: needs_approval, answer: any, default: true }', 'passed'],
    ['{ tool: x.y }', '{ rules: [reading], answer: person }', 'failed rules= answer=any'],
    [reading, '{ answer: any }', 'failed answer=null'],
    // A standing grant decides together with the question that it answers.
    [noting, '{ decision: pre_approved, rules: [notes], default: true }', 'passed'],
    [leaking, '{ decision: blocked, rules: leak }', 'passed'],
    ['{ tool: x.y, capabilities: [net.connect] }', '{ rules: leak }', 'failed rules='],
    ['{ tool: x.y, capabilities: [sys.guard] }', '{ decision: blocked, rules: [sys.guard] }', 'passed'],
    ['{ tool: x.y, capabilities: [fs.list] }', '{ rules: [watched] }', 'failed rules='],
    // A grant answers, unless only a person may.
    [
      '{ tool: x.y, capabilities: [a.b], grants: [{ worker: main, tool: x.y }] }',
      '{ decision: pre_approved, answer: any }',
      null,
    ],
    ['{ tool: x.y, capabilities: [a.b], grants: [{ worker: main, tool: x.y }] }', 'pre_approved', 'passed'],
    [
      '{ tool: x.y, capabilities: [pay], grants: [{ worker: main, tool: x.y }] }',
      'pre_approved',
      'failed decision=needs_approval',
    ],
  ])('%s is compared with %s', async (call, expected, found) => {
    if (found === null) await expect(outcome(call, expected)).rejects.toThrow('IMPOSSIBLE_EXPECTATION');
    else expect(await outcome(call, expected)).toBe(found);
  });

  it('is compared with the reason and the alternative', async () => {
    const policy = plainPolicy.replace('reason: nothing leaves', 'reason: nothing leaves, instead: stay');
    const call = '{ tool: x.y, capabilities: [net.connect] }';
    expect(await outcome(call, '{ reason: nothing leaves, instead: stay }', policy)).toBe('passed');
    expect(await outcome(call, '{ reason: nothing, instead: go }', policy)).toBe(
      'failed reason=nothing leaves instead=stay',
    );
  });

  it('is counted as skipped, whatever it expects', async () => {
    const { suites, counts } = await report(
      `  - { name: a, call: ${reading}, expect: pre_approved }\n  - { name: b, skip: later, call: { tool: no.such }, expect: blocked }\n`,
    );
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: 1 });
    expect(suites[0]?.cases[1]).toMatchObject({
      name: 'b',
      status: 'skipped',
      skip: 'later',
      decision: null,
    });
  });
});

describe('coverage', () => {
  const of = async (...calls: readonly string[]) => {
    const cases = calls.map((call, at) => `  - { name: c${at}, call: ${call}, expect: { default: true } }\n`);
    return (await report(cases.join(''))).coverage;
  };
  const counts = (coverage: Coverage | null) =>
    Object.fromEntries(
      (coverage?.rules ?? [])
        .filter(({ matched, undecided, decisive }) => matched + undecided + decisive > 0)
        .map(({ id, matched, undecided, decisive }) => [id, `${matched} ${undecided} ${decisive}`]),
    );

  it.each([
    ['a permission', reading, { reading: '1 0 1' }],
    [
      'a restriction, and the permission that it overrules',
      secret,
      { reading: '1 0 0', 'no-secrets': '1 0 1' },
    ],
    ['an undecided rule', unknown, { reading: '1 0 0', 'no-secrets': '0 1 1' }],
    ['a question for a person', paying, { 'pay-a-person': '1 0 1' }],
    ['a standing grant', noting, { notes: '1 0 1' }],
    [
      'a standing grant without a question',
      '{ tool: crm.note, capabilities: [{ name: fs.read, path: /a }] }',
      { reading: '1 0 0', notes: '1 0 0' },
    ],
    ['a combination', leaking, { leak: '1 0 1' }],
    ['an observed rule', '{ tool: x.y, capabilities: [fs.list] }', { watched: '1 0 0' }],
    ['nothing', '{ tool: x.y }', {}],
  ])('counts %s', async (_, call, expected) => {
    expect(counts(await of(call))).toEqual(expected);
  });

  it('does not count a rule as decisive if another rule has the same effect', async () => {
    const twice = plainPolicy.replace('  net:', '  net.connect: { decision: blocked, id: again }\n  net:');
    const { coverage } = await report(
      '  - { name: x, call: { tool: x.y, capabilities: [net.connect] }, expect: blocked }\n',
      twice,
    );
    expect(counts(coverage)).toEqual({ again: '1 0 0', 'no-net': '1 0 0' });
  });

  it('adds up cases and suites, and counts each policy once', async () => {
    const one = await suiteOf(`  - { name: x, call: ${reading}, expect: pre_approved }\n`, {
      'policy.yaml': richPolicy,
    });
    const other = await suiteOf(`  - { name: x, call: ${secret}, expect: blocked }\n`, {
      'policy.yaml': richPolicy,
    });
    const { coverage } = reportSuites(
      [
        { ok: true, suite: one },
        { ok: true, suite: other },
      ],
      { coverage: true },
    );
    expect([coverage?.total, coverage?.matched, coverage?.decisive]).toEqual([6, 2, 2]);
    expect(counts(coverage)).toEqual({ reading: '2 0 1', 'no-secrets': '1 0 1' });
  });
});
