import { columnsOf } from '@ambit/core';
import { formatShow, showNotes, showPolicies } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { load } from '../world.js';

const text = `version: 1
default: needs_approval
capabilities:
  fs.read: pre_approved
  fs.write:
    - { decision: pre_approved, match: { path: ./out/**, bytes: { to: 10 } }, except: { path: "**/.git/**" }, until: 2026-11-20T10:00:00Z }
    - { decision: blocked, match: { path: ["**/.env", ~/.ssh/**] }, reason: "credentials\\u202e are read through the vault, by its keepers, and never through a file" }
  payment.send: { decision: needs_approval, answer: person, when: { ">": [{ var: capability.amount }, 100] } }
tools:
  filesystem.list_files: pre_approved
workers:
  evaluator: { capabilities: { net: blocked } }
  writer: { capabilities: { vcs: { decision: pre_approved, below: true } } }
`;

function policyOf(source: string) {
  const loaded = load(source);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  return loaded.policy;
}

describe('showPolicies', () => {
  it('lists what runs, what asks and what never runs, with the place of each line', () => {
    expect(
      formatShow(showPolicies([policyOf(text)])),
    ).toBe(`One policy judges each capability of a call, and the strictest line that applies
wins: never, then asks, then runs. A condition that cannot be decided counts as
whichever is stricter. sys.guard is always blocked.

RUNS, without a question
  fs.read                                                        policy.yaml:4:3
  fs.write                                                       policy.yaml:6:7
      where path is /w/out/** and bytes is up to 10
      except where path is **/.git/**
      until 2026-11-20T10:00:00.000Z
  the tool filesystem.list_files                                policy.yaml:10:3
      answers this policy’s own questions about its calls; blocks still block
  vcs and everything under it, for writer                      policy.yaml:13:29

ASKS, and runs when an allowed person approves
  payment.send and everything under it                           policy.yaml:8:3
      when {">":[{"var":"capability.amount"},100]}
      a person must answer, each time
  everything that no rule here applies to                        policy.yaml:2:1

NEVER
  fs.write and everything under it                               policy.yaml:7:7
      where path is **/.env or /home/ada/.ssh/**
      because credentials\\u202e are read through the vault, by its keepers, and
      never through a file
  net and everything under it, for evaluator                   policy.yaml:12:32
      also for workers that act for this worker
`);
  });

  it.each<[string, readonly string[]]>([
    ['writer', ['vcs and everything under it']],
    ['evaluator', ['net and everything under it']],
    ['created:evaluator', ['net and everything under it']],
    ['created:writer', []],
    ['other', []],
  ])('lists for %s the rules for everybody and its own', (worker, own) => {
    const rows = showPolicies([policyOf(text)], { worker });
    expect(rows.filter((row) => row.worker !== null).map((row) => row.what)).toEqual(own);
    expect(rows.filter((row) => row.worker === null)).toHaveLength(6);
  });

  it.each([80, 60])('is never wider than %i columns', (width) => {
    const wide = `version: 1\ndefault: blocked\ncapabilities:\n  ${'a'.repeat(150)}: { decision: blocked, reason: ${'b'.repeat(200)}${'策'.repeat(90)} }\n`;
    const policies = [policyOf(wide), policyOf(text)] as const;
    const lines = formatShow(showPolicies(policies), showNotes(policies, {}), width).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
  });
});

describe('showNotes', () => {
  const policy = () =>
    policyOf(`version: 1
default: blocked
carries:
  crm.export: [crm.contact.export, { name: net.connect, host: crm.example }]
  crm.*: [crm.use]
workers:
  boss: { capabilities: { net: blocked } }
  temp: { capabilities: { net: { decision: blocked, inherit: false } } }
grants: { workers: [crm.export], remember: always, reach: program, unattended: false }
invariants:
  - { id: quiet, capabilities: [secret.read, { name: net.connect, match: { port: 443 } }], never: pre_approved }
`);

  it('lists added capabilities, accepted answers and claims, 80 columns wide', () => {
    const text = formatShow([], showNotes([policy()], { worker: 'temp' }));
    expect(text.slice(text.indexOf('ADDED'))).toBe(`ADDED to what calls carry, for all policies
  policy.yaml: calls of crm.export also carry crm.contact.export and net.connect
  {"host":"crm.example"}
  policy.yaml: calls of every tool of crm also carry crm.use

ANSWERS that count
  policy.yaml: an answer is kept for good if a person says so, as far as the
  program; approvals in worker files count for crm.export; \`--approve-all\` does
  not count

CLAIMED
  policy.yaml: quiet: no call with secret.read and net.connect (where port is
  443) runs without a person’s answer (proved by \`ambit check\`)

CALLERS
  when temp acts for boss, their restrictions hold for it too
`);
  });

  it('does not mention callers for every worker, or if no other worker is restricted', () => {
    expect(showNotes([policy()]).map(({ about }) => about)).not.toContain('callers');
    expect(showNotes([policy()], { worker: 'boss' }).map(({ about }) => about)).not.toContain('callers');
  });
});
