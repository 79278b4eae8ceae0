import { checkPolicies } from '@ambit/analysis';
import {
  escapeText,
  formatDiagnostics,
  formatShow,
  loadPolicyText,
  showNotes,
  showPolicies,
  starterPolicy,
} from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, isDeep, tries } from '../../../../test/depth.js';
import { sectionsAbout } from '../../../../test/diagnostics.js';
import { seed } from '../../../policy/test/seed.js';
import { worldOf } from '../../../policy/test/world.js';

const samples = [starterPolicy(), ...sectionsAbout('policy').flatMap(({ avoid, prefer }) => [avoid, prefer])];
const words = [
  'blocked',
  'needs_approval',
  'pre_approved',
  'net',
  'fs.write',
  'sercet.read',
  '"**"',
  '/w/*',
  '0',
  'true',
  '"\\u202e\\ud800"',
];
const edit = fc.record({ at: fc.nat(2000), word: fc.constantFrom(...words) });
const head = 'version: 1\ndefault: needs_approval\n';

/** A sample in which at most two words replace others, so that many still load. */
const mutated = fc
  .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 2 }))
  .map(([sample, edits]) =>
    edits.reduce((text, { at, word }) => {
      const found = [...text.matchAll(/[\w./*-]+/g)];
      const place = found[at % found.length];
      return place === undefined
        ? text
        : text.slice(0, place.index) + word + text.slice(place.index + place[0].length);
    }, sample),
  );

async function said(policy: string) {
  const world = worldOf({ 'policy.yaml': policy, 'org.yaml': head });
  return checkPolicies(['policy.yaml'], world, { now: Date.parse('2026-11-20T10:00:00Z') });
}

describe('lint', () => {
  it('returns printable findings with places in the file, for any mutation of a valid policy', async () => {
    let [loaded, found] = [0, 0];
    await fc.assert(
      fc.asyncProperty(mutated, async (policy) => {
        const { ok, warnings } = await said(policy);
        if (!ok) return;
        loaded += 1;
        found += warnings.length;
        const report = formatDiagnostics(warnings).replaceAll('\n', '');
        expect(escapeText(report)).toBe(report);
        const lines = policy.split('\n');
        for (const { file, line, column } of warnings.filter((each) => each.file === 'policy.yaml'))
          expect([file, column <= (lines[line - 1]?.length ?? -1) + 1]).toEqual([file, true]);
      }),
      explore(600, seed),
    );
    expect([loaded, found].map((count) => count >= tries(10))).toEqual([true, true]);
  });

  it.skipIf(!isDeep)('terminates for any hundred kilobytes', async () => {
    const bytes = 100_000;
    const decisions = ['pre_approved', 'needs_approval', 'blocked'];
    const lines = (line: (index: number) => string) => {
      const all: string[] = [];
      for (let length = 0; length < bytes; length += all.at(-1)?.length ?? 0) all.push(line(all.length));
      return all.join('');
    };
    const globs = lines(
      (index) =>
        `    - { decision: ${decisions[index % 3]}, match: { path: "/${`*a${index}`.repeat(20)}/**/${'*b?c'.repeat(10)}/**" } }\n`,
    );
    const bounds = lines((index) => `        - { "<": [{ var: capability.f }, ${index}] }\n`);
    const workers = lines(
      (index) =>
        `  w${index}: { capabilities: { fs.write: { decision: pre_approved, match: { path: /w/${index}/* } } } }\n`,
    );
    const members = lines((index) => `      - { name: a.b, match: { path: /w/${index}/** } }\n`);
    const values = lines((index) => `, ${index}`);
    for (const policy of [
      `${head}capabilities:\n  fs.write:\n${globs}`,
      `${head}capabilities:\n  x.y:\n    decision: blocked\n    when:\n      and:\n${bounds}`,
      `${head}capabilities: { worker.call: pre_approved }\nworkers:\n${workers}`,
      `${head}together:\n  - decision: blocked\n    capabilities:\n${members}`,
      `${head}capabilities: { x.y: { decision: blocked, match: { f: [0${values}] }, except: { f: [1${values}] } } }\n`,
    ])
      expect((await said(policy)).ok).toBe(true);
  });
});

describe('showPolicies', () => {
  it('is printable and at most 80 columns wide, for any mutation of a policy', () => {
    fc.assert(
      fc.property(mutated, (policy) => {
        const loaded = loadPolicyText('policy.yaml', policy, { home: '/home/ada', root: '/w' });
        if (!loaded.ok) return;
        const policies = [loaded.policy] as const;
        const lines = formatShow(showPolicies(policies), showNotes(policies, { worker: 'w' })).split('\n');
        expect(lines.filter((line) => line.length > 80 || escapeText(line) !== line)).toEqual([]);
      }),
      explore(600),
    );
  });
});
