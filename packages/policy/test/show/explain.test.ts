import { type Capability, concerns, createRequest, decide, type NonEmpty } from '@ambit/core';
import { explainDecision } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { load } from '../world.js';

const text = `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { decision: pre_approved, match: { path: ./out/** } }
    - id: no-secrets
      decision: blocked
      match: { path: "**/.env" }
      reason: credentials are read through the vault
      instead: use the vault tool
    - { decision: pre_approved, until: 2001-01-01T00:00:00Z }
  payment.send:
    - { decision: pre_approved, when: { "<": [{ var: capability.amount }, 100] } }
    - { decision: needs_approval, answer: person, when: { ">": [{ var: capability.amount }, 1000] } }
workers:
  clerk: { capabilities: { fs: { decision: pre_approved, below: true } } }
`;
const loaded = load(text);
if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
const policies = [loaded.policy] as const;

function explain(chain: NonEmpty<string>, ...capabilities: readonly Capability[]): string {
  const call = { tool: 'files.write', chain, args: {}, capabilities, context: {}, history: [] };
  const request = createRequest({ ...call, now: Date.parse('2026-11-20T10:00:00Z') });
  return explainDecision({ decision: decide(request, policies), request, policies });
}

describe('explainDecision', () => {
  it('gives the whole reasoning for a call', () => {
    const facts = [
      { name: 'fs.write', path: '/w/.env' },
      { name: 'payment.send', amount: 5000 },
      { name: 'payment.send' },
    ];
    expect(explain(['main', 'evaluator'], ...facts)).toBe(`blocked: evaluator for main calls files.write

capability 1 of 3: write /w/.env
  fs.write path="/w/.env"
  policy.yaml says blocked
    applies    blocked  no-secrets (policy.yaml:6:7): credentials are read through the vault
    does not   pre_approved  capabilities.fs.write[0] (policy.yaml:5:7): path is \`/w/.env\`, not \`/w/out/**\`
    does not   pre_approved  capabilities.fs.write[2] (policy.yaml:11:7): it ended at 2001-01-01T00:00:00.000Z
    does not   pre_approved  workers.clerk.capabilities.fs (policy.yaml:16:28): it is for the worker clerk
    default    takes no part, because a rule about this capability applies
    answer     nothing answers a block

capability 2 of 3: payment.send amount=5000
  payment.send amount=5000
  policy.yaml says needs_approval
    applies    needs_approval  capabilities.payment.send[1] (policy.yaml:14:7)
    does not   pre_approved  capabilities.payment.send[0] (policy.yaml:13:7): its condition is false: {"<":[{"var":"capability.amount"},100]}
    default    takes no part, because a rule about this capability applies
    answer     nobody has answered; a person would have to, for this one call, and nothing else

capability 3 of 3: payment.send
  payment.send
  policy.yaml says needs_approval
    undecided  pre_approved  capabilities.payment.send[0] (policy.yaml:13:7): no fact \`amount\`
    undecided  needs_approval  capabilities.payment.send[1] (policy.yaml:14:7): no fact \`amount\`
    default    needs_approval (policy.yaml:2:1), because no rule about this capability applies for certain
    answer     nobody has answered; a person would have to, for this one call, and nothing else

so the call does not run
reason: credentials are read through the vault
instead: use the vault tool`);
  });

  it('names the deciding member of a file set, and explains it', () => {
    const paths = ['/w/out/.env', '/w/out/a', '/w/out/b'];
    expect(explain(['main'], { name: 'fs.write', path: { paths, open: true, under: '/w/out' } })).toContain(
      `capability 1 of 1: write 3 files under /w/out: /w/out/.env, /w/out/a, /w/out/b, and perhaps others under /w/out
  fs.write path=3 files under /w/out: /w/out/.env, /w/out/a, /w/out/b, and perhaps others under /w/out
  policy.yaml says blocked
    because of /w/out/.env (2 of 4 files)
    applies    pre_approved  capabilities.fs.write[0] (policy.yaml:5:7)
    applies    blocked  no-secrets (policy.yaml:6:7): credentials are read through the vault
`,
    );
    expect(
      explain(['main'], { name: 'fs.write', path: { paths: [], open: true, under: '/w/out' } }),
    ).toContain(
      `    because of files that are not known before the call runs
    applies    pre_approved  capabilities.fs.write[0] (policy.yaml:5:7)
    undecided  blocked  no-secrets (policy.yaml:6:7): fact \`path\` is unknown
`,
    );
  });

  it('says that a permission does not cover names below its own, and which facts count as missing', () => {
    const explained = explain(['main'], { name: 'fs.write.outside', path: '/w/../x' });
    expect(explained).toContain('a permission covers fs.write alone, not what is under it');
    expect(explained).toContain('`path` is not in canonical form, so it counts as missing');
  });

  it('escapes control characters', () => {
    const explained = explain(['main'], { name: 'fs.write', path: '/w/\u202ea\u001b[2J' });
    expect(explained).toContain('/w/\\u202ea\\u001b[2J');
    expect(explained.includes('\u202e') || explained.includes('\u001b')).toBe(false);
  });
});

describe('hear', () => {
  it("finds the same rules as core's decide", () => {
    const worker = fc.constantFrom('clerk', 'main', 'created:clerk', 'created:x');
    const name = fc.constantFrom('fs', 'fs.write', 'fs.write.outside', 'fs.writeback', 'net');
    const decision = fc.constantFrom('pre_approved', 'needs_approval', 'blocked');
    const scope = fc.constantFrom('', 'clerk', 'created', 'created:clerk');
    const options = fc.record({
      name,
      decision,
      scope,
      wide: fc.boolean(),
      about: fc.constantFrom('capability', 'tool'),
    });
    fc.assert(
      fc.property(
        fc.array(options, { minLength: 1, maxLength: 5 }),
        fc.array(worker, { minLength: 1, maxLength: 3 }),
        name,
        (rules, chain, carried) => {
          const policy = policyOf(rules);
          const call = {
            tool: 's.t',
            chain: chain as unknown as NonEmpty<string>,
            args: {},
            capabilities: [{ name: carried }],
          };
          const request = createRequest({ ...call, context: {}, history: [], now: 0 });
          const found = decide(request, [policy]).judgements.find(
            (judgement) => judgement.policy === policy.name,
          );
          const heard = policy.document.rules.filter((rule) => concerns(rule, carried, request));
          const standing = (rule: (typeof heard)[number]) =>
            rule.about === 'tool' && rule.decision === 'pre_approved';
          expect(heard.filter((rule) => !standing(rule)).map(({ id }) => id)).toEqual(
            found?.rules.map(({ id }) => id),
          );
        },
      ),
      explore(1000),
    );
  });
});

interface RuleChoice {
  readonly name: string;
  readonly decision: string;
  readonly scope: string;
  readonly wide: boolean;
  readonly about: string;
}

function policyOf(rules: readonly RuleChoice[]) {
  const sectionsOf = (scope: string) => {
    const own = rules.filter((rule) => rule.scope === scope);
    const section = (about: string) => {
      const grouped: Record<string, RuleChoice[]> = {};
      for (const rule of own.filter((each) => each.about === about)) {
        const subject = subjectOf(rule);
        grouped[subject] = [...(grouped[subject] ?? []), rule];
      }
      return grouped;
    };
    return { capabilities: section('capability'), tools: section('tool') };
  };
  const written = (scope: string) =>
    Object.fromEntries(
      Object.entries(sectionsOf(scope)).flatMap(([key, section]) => {
        const entries = Object.entries(section).map(([name, list]) => [name, list.map(ruleOf)]);
        return entries.length === 0 ? [] : [[key, Object.fromEntries(entries)]];
      }),
    );
  const scopes = [...new Set(rules.map(({ scope }) => scope))].filter((scope) => scope !== '');
  const workers = Object.fromEntries(scopes.map((scope) => [scope, written(scope)]));
  const file = {
    version: 1,
    default: 'blocked',
    ...written(''),
    ...(scopes.length === 0 ? {} : { workers }),
  };
  const read = load(JSON.stringify(file, null, 1));
  if (!read.ok) throw new Error(read.diagnostics[0].message);
  return read.policy;
}

function subjectOf({ about, name, wide }: RuleChoice): string {
  if (about === 'capability') return name;
  return wide ? 's.*' : 's.t';
}

function ruleOf({ about, decision, wide }: RuleChoice) {
  if (about === 'tool') return { decision };
  return decision === 'pre_approved' ? { decision, below: wide } : { decision, inherit: wide };
}
