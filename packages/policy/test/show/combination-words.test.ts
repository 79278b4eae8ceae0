import { type Capability, createRequest, decide, type JsonObject } from '@ambit/core';
import { explainDecision, formatShow, showPolicies } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { combinationSilence, whereFound } from '../../src/show/combination-words.js';
import { load } from '../world.js';

const text = `version: 1
default: pre_approved
together:
  - id: exfiltration
    capabilities: [secret.read, { name: net.connect, except: { host: "**.internal.example" } }]
    within: run
    decision: blocked
    reason: "what is secret\\u202e stays here"
  - capabilities: [{ name: crm.export, match: { rows: { from: 100 } } }, message.send]
    when: { "==": [{ var: args.kind }, bulk] }
    decision: needs_approval
capabilities:
  net.connect: { id: trial, decision: needs_approval, match: { port: 80 }, observe: true, reason: plain text }
`;

function policyOf(source: string) {
  const loaded = load(source);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  return loaded.policy;
}

interface Call {
  readonly capabilities: readonly Capability[];
  readonly history?: readonly Capability[];
  readonly args?: JsonObject;
}

const policy = policyOf(text);
const requestOf = ({ capabilities, history = [], args = {} }: Call) =>
  createRequest({ tool: 'a.b', chain: ['main'], args, context: {}, capabilities, history, now: 0 });

/** The lines about the policy's rules, for each capability of the call. */
function explained(call: Call): readonly string[] {
  const request = requestOf(call);
  const lines = explainDecision({ decision: decide(request, [policy]), request, policies: [policy] });
  return lines.split('\n').filter((line) => /^ {4}/.test(line) && !/^ {4}(default|answer)/.test(line));
}

describe('explainDecision', () => {
  it('says where each entry of a combination was found', () => {
    const call = {
      capabilities: [
        { name: 'net.connect', host: 'a.example\u202e', port: 443 },
        { name: 'fs.read', path: '/a' },
      ],
      history: [
        { name: 'fs.read', path: '/b' },
        { name: 'secret.read', path: '/s' },
      ],
    };
    expect(explained(call)).toEqual([
      '    undecided  blocked  exfiltration (policy.yaml:4:5): no fact `host`',
      '                 secret.read: permitted before in this run: read a secret',
      '                 net.connect (except where host is **.internal.example): perhaps in this call: connect to a.example\\u202e (undecided: no fact `host`)',
      '    observed   needs_approval  trial (policy.yaml:13:3): would not apply: port is `443`, not `80`',
    ]);
    expect(
      explained({
        ...call,
        capabilities: [{ name: 'secret.read' }, { name: 'net.connect', host: 'b', port: 80 }],
      }),
    ).toEqual([
      '    applies    blocked  exfiltration (policy.yaml:4:5): what is secret\\u202e stays here',
      '                 secret.read: in this call: read a secret',
      '                 net.connect (except where host is **.internal.example): in this call: connect to b',
      '    applies    blocked  exfiltration (policy.yaml:4:5): what is secret\\u202e stays here',
      '                 secret.read: in this call: read a secret',
      '                 net.connect (except where host is **.internal.example): in this call: connect to b',
      '    observed   needs_approval  trial (policy.yaml:13:3): would apply: plain text',
    ]);
  });

  it.each<[string, Call, string]>([
    [
      'it misses another',
      { capabilities: [{ name: 'secret.read' }] },
      'blocked  exfiltration (policy.yaml:4:5): net.connect (except where host is **.internal.example): neither in this call nor permitted before in this run',
    ],
    [
      'the capability is excepted',
      {
        capabilities: [{ name: 'net.connect', host: 'x.internal.example', port: 443 }],
        history: [{ name: 'secret.read' }],
      },
      'blocked  exfiltration (policy.yaml:4:5): it lists another: excepted: host is `x.internal.example`, which is `**.internal.example`',
    ],
    [
      'its condition is false',
      { capabilities: [{ name: 'message.send' }, { name: 'crm.other' }], args: { kind: 'one' } },
      'needs_approval  together[1] (policy.yaml:9:5): its condition is false: {"==":[{"var":"args.kind"},"bulk"]}',
    ],
    [
      'nothing of the call is the other one',
      { capabilities: [{ name: 'message.send' }], history: [{ name: 'crm.export', rows: 500 }] },
      'needs_approval  together[1] (policy.yaml:9:5): crm.export (where rows is 100 or more): not in this call',
    ],
  ])('says why a combination does not apply: %s', (_, call, expected) => {
    expect(explained(call).filter((line) => line.includes('does not'))).toEqual([
      `    does not   ${expected}`,
    ]);
  });

  it('says that the result of an observed rule is unknown', () => {
    expect(explained({ capabilities: [{ name: 'net.connect', host: 'a' }] }).at(-1)).toBe(
      '    observed   needs_approval  trial (policy.yaml:13:3): undecided: no fact `port`',
    );
  });
});

describe('showPolicies', () => {
  it('describes combinations, and keeps observed ones separate', () => {
    const table = formatShow(showPolicies([policy]));
    expect(table.slice(table.indexOf('\nASKS'))).toBe(`
ASKS, and runs when an allowed person approves
  crm.export and everything under it together with message.send and everything
  under it
      policy.yaml:9:5
      if one call carries all of these
      crm.export (where rows is 100 or more)
      when {"==":[{"var":"args.kind"},"bulk"]}
      a person must answer, each time
  proc.exec.opaque and everything under it                       policy.yaml:2:1
      implied, because the default permits what this file does not mention
      because what this program does is unknown, and it could do what this
      policy restricts

NEVER
  secret.read and everything under it together with net.connect and everything
  under it
      policy.yaml:4:5
      if one run has all of these: this call carries one, and the run was
      permitted the others
      net.connect (except where host is **.internal.example)
      because what is secret\\u202e stays here

OBSERVED: applies to nothing, and what it would have said is recorded
  net.connect and everything under it                           policy.yaml:13:3
      where port is 80
      would say needs_approval, if it were not only observed
      because plain text
`);
  });

  it('shows combinations to every worker', () => {
    const rows = showPolicies([policy], { worker: 'w' });
    expect(rows.map(({ id }) => id)).toEqual([
      'exfiltration',
      'together[1]',
      'trial',
      'implied.proc.exec.opaque',
      null,
    ]);
  });
});

describe('the text about a combination', () => {
  const member = fc.record(
    {
      name: fc.constantFrom('fs', 'fs.read', 'net', 'net.connect'),
      match: fc.constantFrom({ path: '/a' }, { host: 'a' }, { x: [1, 2] }),
      except: fc.constantFrom({ path: '/a/b' }, { x: 1 }),
    },
    { requiredKeys: ['name'] },
  );
  const combination = fc.record(
    {
      capabilities: fc.array(member, { minLength: 1, maxLength: 3 }),
      within: fc.constantFrom('call', 'run'),
      decision: fc.constantFrom('needs_approval', 'blocked'),
      when: fc.constantFrom({ '==': [{ var: 'args.n' }, 1] }, { '!': [{ missing: ['args.n'] }] }),
    },
    { requiredKeys: ['capabilities', 'decision'] },
  );
  const carried = fc.record(
    {
      name: fc.constantFrom('fs', 'fs.read', 'fs.reader', 'net', 'net.connect', 'x'),
      path: fc.constantFrom('/a', '/a/b', '/a/'),
      host: fc.constantFrom('a', 'b'),
      x: fc.constantFrom(1, 2, 'a'),
    },
    { requiredKeys: ['name'] },
  );
  const call = fc.record(
    {
      capabilities: fc.array(carried, { minLength: 1, maxLength: 3 }),
      history: fc.array(carried, { maxLength: 3 }),
      args: fc.constantFrom<JsonObject>({}, { n: 1 }, { n: 2 }),
    },
    { requiredKeys: ['capabilities', 'history', 'args'] },
  );

  it('agrees with core on whether the combination applies', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(combination, call, (rule, made) => {
        const read = policyOf(JSON.stringify({ version: 1, default: 'pre_approved', together: [rule] }));
        const [written] = read.document.rules;
        if (written?.about !== 'combination') throw new Error('a combination was written');
        const request = requestOf(made);
        const { capabilities, judgements } = decide(request, [read]);
        for (const { capability: index, rules, undecided } of judgements) {
          const capability = capabilities[index];
          if (capability === undefined) throw new Error('a judgement is about a capability');
          const scene = { capability, carried: capabilities, request };
          const silence = combinationSilence(written, scene);
          const found =
            silence === null ? 'applies' : silence.startsWith('undecided') ? 'undecided' : 'does not';
          const [first] = undecided;
          expect(found).toBe(rules.length > 0 ? 'applies' : first !== undefined ? 'undecided' : 'does not');
          if (first !== undefined) expect(silence).toBe(`undecided: ${first.why}`);
          const places = whereFound(written, scene).join('\n');
          if (found === 'applies') expect(places).not.toMatch(/perhaps|neither|not in this call/);
          if (found === 'undecided') expect(places).not.toMatch(/neither|not in this call/);
          seen.add(found);
        }
      }),
      explore(1500),
    );
    expect([...seen].sort()).toEqual(['applies', 'does not', 'undecided']);
  });
});
