import { findChanges, formatChanges } from '@ambit/analysis';
import {
  answer,
  type Capability,
  createRequest,
  decide,
  type Json,
  type JsonObject,
  type NonEmpty,
} from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { load } from '../../../policy/test/world.js';

const policy = `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { id: out, decision: pre_approved, match: { path: ./out/** } }
    - { id: no-secrets, decision: blocked, match: { path: "**/.env" } }
  payment.send:
    - { id: small, decision: pre_approved, when: { "<": [{ var: capability.amount }, 100] } }
    - { id: ci, decision: blocked, when: { "==": [{ var: context.env }, ci] } }
  crm.export: { id: ask, decision: needs_approval }
tools:
  crm.export: { id: standing, decision: pre_approved }
workers:
  clerk: { capabilities: { mail: { id: clerk-mail, decision: blocked } } }
  boss: { capabilities: { mail.send: { id: boss-mail, decision: pre_approved } } }
`;

interface Called {
  readonly capabilities: readonly Capability[];
  readonly chain?: NonEmpty<string>;
  readonly context?: JsonObject;
  readonly tool?: string;
}

function judged(
  { capabilities, chain = ['main'], context = {}, tool = 'files.write' }: Called,
  text = policy,
) {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const policies = [loaded.policy] as const;
  const request = createRequest({ tool, chain, args: {}, capabilities, context, history: [], now: 0 });
  const decision = answer(decide(request, policies), { request, policies, grants: [] });
  return { request, policies, decision, grants: [] };
}

/** What `explain` says in the end. */
function told(called: Called, written = policy): readonly string[] {
  const call = judged(called, written);
  return formatChanges(findChanges(call), call.decision.capabilities)
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

describe('a single change that would alter a decision', () => {
  it('may be a fact, a removed rule, or another decision of a rule', () => {
    expect(told({ capabilities: [{ name: 'fs.write', path: '/w/src/a' }] })).toEqual([
      'if `path` were `/w/out/a`, which `/w/out/**` covers: pre_approved',
      'if `path` were `/w/src/.env`, which `**/.env` covers: blocked',
    ]);
    expect(told({ capabilities: [{ name: 'fs.write', path: '/w/out/.env' }] })).toEqual([
      'if `path` were `/w/out/other`, which `/w/out/**` covers: pre_approved',
      'if `path` were `/w/other`: needs_approval',
      'without the rule `no-secrets` (policy.yaml:6:7): pre_approved',
      'if the rule `no-secrets` (policy.yaml:6:7) said needs_approval: needs_approval',
    ]);
  });

  it('is near the value of the call, and of an ordinary form', () => {
    const of = (decision: string, rest: string, called: Capability) => {
      const [first = ''] = told(
        { capabilities: [called] },
        `version: 1\ndefault: needs_approval\ncapabilities: { ${called.name}: { decision: ${decision}, ${rest} } }\n`,
      );
      return first.slice(3, first.lastIndexOf(':'));
    };
    const read = (path: string): Capability => ({ name: 'fs.read', path });
    const denied = 'blocked';
    const allowed = 'pre_approved';
    expect([
      of(denied, 'match: { path: "**/.git/**" }', read('/w/.git/config')),
      of(denied, 'match: { path: /** }, except: { path: "**/*.log" }', read('/w/a.txt')),
      of(denied, 'match: { path: /** }, except: { path: / }', read('/w/a')),
      of(allowed, 'match: { path: "**/*.md" }', read('/w/a.txt')),
      of(allowed, 'match: { path: "./b/*.tmp" }', read('/tmp/.env')),
      of(denied, 'match: { host: "**.evil.com" }', { name: 'net.connect', host: 'www.evil.com' }),
      of(denied, 'match: { port: { from: 1, to: 99 } }', { name: 'net.listen', port: 80 }),
      of(allowed, 'match: { to: "*@good.com" }', { name: 'message.send', to: 'me@evil.com' }),
    ]).toEqual([
      '`path` were `/w/config`',
      '`path` were `/w/a.log`',
      '`path` were `/`',
      '`path` were `/w/a.md`, which `**/*.md` covers',
      '`path` were `/w/b/other.tmp`, which `/w/b/*.tmp` covers',
      '`host` were `other.example`',
      '`port` were `8080`',
      '`to` were `other@good.com`, which `*@good.com` covers',
    ]);
  });

  it('is found in a deep folder behind many patterns', () => {
    const permits = Array.from(
      { length: 60 },
      (_, at) => `{ decision: pre_approved, match: { path: "**/*.a${at}" } }`,
    );
    const written = `version: 1\ndefault: needs_approval\ncapabilities:\n  fs.read: [${permits.join(', ')}, { decision: blocked, match: { path: "**/*.last" } }]\n`;
    expect(told({ capabilities: [{ name: 'fs.read', path: '/a/b/c/d/e/f/g/h/i.txt' }] }, written)).toEqual([
      'if `path` were `/a/b/c/d/e/f/g/h/i.a0`, which `**/*.a0` covers: pre_approved',
      'if `path` were `/a/b/c/d/e/f/g/h/i.last`, which `**/*.last` covers: blocked',
    ]);
  });

  it('may be a number across a threshold, or a context value', () => {
    expect(told({ capabilities: [{ name: 'payment.send', amount: 50 }], context: { env: 'dev' } })).toEqual([
      'if `amount` were `100`: needs_approval',
      'if the context’s `env` were `ci`: blocked',
      'without the rule `small` (policy.yaml:8:7): needs_approval',
      'if the rule `small` (policy.yaml:8:7) said blocked: blocked',
    ]);
  });

  it('may be a fact outside the pattern of a permission', () => {
    expect(told({ capabilities: [{ name: 'fs.write', path: '/w/out/a' }] })).toEqual([
      'if `path` were `/w/.env`, which `**/.env` covers: blocked',
      'if `path` were `/w/a`: needs_approval',
      'without the rule `out` (policy.yaml:5:7): needs_approval',
      'if the rule `out` (policy.yaml:5:7) said blocked: blocked',
    ]);
  });

  it('may be another acting worker, or a shorter chain', () => {
    const capabilities = [{ name: 'mail.send', to: 'a' }];
    expect(told({ capabilities, chain: ['clerk', 'boss'] })).toEqual([
      'if `boss` acted for nobody else: pre_approved',
      'without the rule `clerk-mail` (policy.yaml:14:28): pre_approved',
      'if the rule `clerk-mail` (policy.yaml:14:28) said needs_approval: needs_approval',
    ]);
    expect(told({ capabilities })).toEqual([
      'if the acting worker were `clerk`: blocked',
      'if the acting worker were `boss`: pre_approved',
    ]);
  });

  it('may be the removal of a standing grant', () => {
    expect(told({ capabilities: [{ name: 'crm.export' }], tool: 'crm.export' })).toEqual([
      'without the rule `standing` (policy.yaml:12:3): needs_approval',
      'if the rule `ask` (policy.yaml:10:3) said blocked: blocked',
    ]);
  });

  it('names the capability if a call carries several', () => {
    const capabilities = [{ name: 'fs.list' }, { name: 'fs.write', path: '/w/out/.env' }];
    expect(told({ capabilities })[0]).toBe(
      'if `path` of fs.write (2) were `/w/out/other`, which `/w/out/**` covers: needs_approval',
    );
  });

  it('is shown without control characters from the policy', () => {
    const text = policy.replace('./out/**', '"./\\u202eout/**"');
    const lines = told({ capabilities: [{ name: 'fs.write', path: '/w/src/a' }] }, text);
    expect(lines[0]).toBe('if `path` were `/w/\\u202eout/a`, which `/w/\\u202eout/**` covers: pre_approved');
  });

  it('is reported as not found if there is none', () => {
    const call = judged({ capabilities: [{ name: 'sys.guard', what: 'log' }] });
    const text = formatChanges(findChanges(call), call.decision.capabilities);
    expect(text).toBe('found no single change that would alter this decision');
  });

  it('names one file where it may, and unknown files in words', () => {
    const written = `version: 1
default: needs_approval
capabilities:
  fs: { id: made, decision: pre_approved, below: true, match: { path: [/tmp/*XXXXXX/**, /dev/shm/*XXXXXX/**] } }
  fs.delete: { id: no-delete, decision: needs_approval, match: { path: ./** }, except: { by: [mv, git] } }
  fs.list: { id: listed, decision: pre_approved, match: { path: ./** } }
`;
    const changes = (name: string, path: Json) => told({ capabilities: [{ name, path }] }, written);
    const removed = changes('fs.delete', { paths: ['/w/src', '/w/src/a'] });
    expect(removed[0]).toBe(
      'if `path` were `/tmp/XXXXXX/other`, which `/tmp/*XXXXXX/**` covers: pre_approved',
    );
    const all = [...removed, ...changes('fs.list', '/w'), ...changes('fs.list', { paths: ['/w', '/w/a'] })];
    expect(all.filter((line) => line.includes('{'))).toEqual([]);
    const value = { paths: [], open: true, under: '/tmp' };
    const place = { of: 'call', what: 'fact', capability: 0, key: 'path', missing: false } as const;
    expect(
      formatChanges([{ ...place, value, covered_by: null, decision: 'blocked' }], [{ name: 'fs.read' }]),
    ).toContain('if `path` were files below `/tmp` that are not known before the call runs: blocked');
  });
});
