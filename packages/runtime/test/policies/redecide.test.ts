import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Redecision, readLog, redecide, verifyLog } from '@ambit/audit';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { judgeOfLog } from '../../src/index.js';
import {
  asking,
  calls,
  out,
  runAt,
  type Workplace,
  worker,
  workplace,
  write,
  writeFiles,
  yes,
} from '../session.js';

const policy = {
  version: 1,
  default: 'blocked',
  capabilities: {
    fs: 'needs_approval',
    'fs.write': [
      { id: 'ours', decision: 'needs_approval' },
      { id: 'never', decision: 'blocked', match: { path: './out/b.txt' } },
    ],
  },
};
const files = {
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': { main: [calls(write('out/a.txt')), calls(write('out/b.txt')), { say: 'done' }] },
  'policy.yaml': policy,
};

async function logged(place: Workplace, between: () => void = () => undefined): Promise<string> {
  const { approver } = asking(() => {
    between();
    return yes;
  });
  const log = place.path('run.jsonl');
  await runAt(place, { mode: 'interactive', approver, log });
  return log;
}

const elsewhere = { root: '/nowhere', home: '/nowhere' };
const decided = (log: string): Promise<Redecision> =>
  redecide(readLog(log), async (sets) => judgeOfLog(sets, elsewhere));

/** Changes entries as an attacker would, with recomputed hashes. */
async function tamper(log: string, change: (entry: JsonObject) => JsonObject): Promise<void> {
  let prev = '0'.repeat(64);
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const next = JSON.stringify({ ...change(JSON.parse(line) as JsonObject), prev });
      prev = createHash('sha256').update(next).digest('hex');
      return `${next}\n`;
    });
  writeFileSync(log, lines.join(''));
  expect(await verifyLog(log)).toMatchObject({ ok: true });
}

const replaced = (from: string, to: string) => (entry: JsonObject) =>
  JSON.parse(JSON.stringify(entry).replaceAll(from, to)) as JsonObject;
const onCall = (file: string, change: (entry: JsonObject) => JsonObject) => (entry: JsonObject) =>
  entry.event === 'decision' && JSON.stringify(entry).includes(file) ? change(entry) : entry;

/** The entry with one more judgement of its policy file. */
const withJudgement = (of: JsonObject) => (entry: JsonObject) => {
  const judgements = entry.judgements as readonly JsonObject[];
  const real = judgements.find(({ policy }) => policy !== 'built-in') as JsonObject;
  const rules = [{ id: 'forged', at: 'policy.yaml:1:1', decision: 'pre_approved' }];
  return { ...entry, judgements: [...judgements, { ...real, decision: 'pre_approved', rules, ...of }] };
};

describe('redecide', () => {
  it('confirms every decision, whatever the files contain now', async () => {
    const place = workplace(files);
    const log = await logged(place);
    writeFiles(place, { 'policy.yaml': 'version: 1\ndefault: blocked\n' });
    expect(await decided(log)).toEqual({ ok: true, same: 2, unknown: 0, assumed: false, first: null });
  });

  it('includes policies that arrived during the run', async () => {
    const place = workplace(files);
    const blocked = { ...policy, capabilities: { fs: 'blocked' } };
    const log = await logged(place, () => writeFiles(place, { 'policy.yaml': blocked }));
    expect(readFileSync(log, 'utf8')).toContain('policy.yaml (reload 1)');
    expect(await decided(log)).toMatchObject({ ok: true, same: 3, unknown: 0, assumed: false });
    await tamper(log, (entry) =>
      entry.event !== 'decision'
        ? entry
        : {
            ...entry,
            judgements: (entry.judgements as JsonObject[]).filter(
              (judgement) => !JSON.stringify(judgement.policy).includes('reload'),
            ),
          },
    );
    expect(await decided(log)).toMatchObject({ ok: false, first: { code: 'JUDGEMENT_DIFFERS' } });
  });

  it.each<[string, Partial<NonNullable<Redecision['first']>>, (entry: JsonObject) => JsonObject]>([
    [
      'a decision that was loosened',
      { code: 'DECISION_DIFFERS', expected: 'blocked', found: 'pre_approved' },
      onCall('b.txt', (entry) => ({ ...entry, decision: 'pre_approved' })),
    ],
    [
      'a decision that was loosened in all that it says',
      { code: 'DECISION_DIFFERS', expected: 'blocked', found: 'needs_approval' },
      onCall('b.txt', replaced('"blocked"', '"needs_approval"')),
    ],
    [
      'a call that was replaced',
      { code: 'DECISION_DIFFERS', expected: 'blocked' },
      onCall('a.txt', replaced('a.txt', 'b.txt')),
    ],
    ['another rule', { code: 'JUDGEMENT_DIFFERS' }, onCall('b.txt', replaced('"never"', '"none"'))],
    [
      'a second judgement of the same capability by the same policy',
      { code: 'JUDGEMENT_DIFFERS', expected: 'nothing', found: 'pre_approved forged' },
      onCall('a.txt', withJudgement({ capability: 0 })),
    ],
    [
      'a judgement of a capability that the call does not carry',
      { code: 'JUDGEMENT_DIFFERS', expected: 'nothing', found: 'pre_approved forged' },
      onCall('a.txt', withJudgement({ capability: 9 })),
    ],
    [
      'a policy that was loosened',
      { code: 'POLICY_DIGEST', line: 2, seq: 1 },
      (entry) => (entry.event === 'policy' ? replaced('blocked', 'pre_approved')(entry) : entry),
    ],
    [
      'an invalid policy',
      { code: 'POLICY_UNLOADABLE', line: 2 },
      (entry) => (entry.event === 'policy' ? withSource(entry, 'version: 2\n') : entry),
    ],
    [
      'a policy that was loosened, with its digest',
      { code: 'DECISION_DIFFERS', expected: 'needs_approval', found: 'blocked' },
      (entry) =>
        entry.event === 'policy'
          ? withSource(entry, JSON.stringify(policy).replace('b.txt', 'c.txt'))
          : entry,
    ],
    [
      'another folder',
      { code: 'DECISION_DIFFERS', expected: 'needs_approval', found: 'blocked' },
      (entry) => (entry.event === 'policy' ? { ...entry, root: '/elsewhere' } : entry),
    ],
  ])('detects %s', async (_, first, change) => {
    const log = await logged(workplace(files));
    await tamper(log, change);
    expect(await decided(log)).toMatchObject({ ok: false, first });
  });

  it('reports an older log without the meaning of paths in its policies', async () => {
    const place = workplace(files);
    const log = await logged(place);
    await tamper(log, (entry) => {
      const { root: _, home: __, ...rest } = entry;
      return entry.event === 'policy' ? rest : entry;
    });
    const here = { root: place.root, home: '/nowhere' };
    const found = await redecide(readLog(log), async (sets) => judgeOfLog(sets, here));
    expect(found).toMatchObject({ ok: true, same: 2, assumed: true });
  });

  it('proves nothing from a masked value of an earlier call that a combination reads', async () => {
    const secret = `out/ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const place = workplace({
      ...files,
      'script.yaml': {
        main: [calls(write(secret)), calls(write('out/a.txt')), calls(write('out/b.txt')), { say: 'done' }],
      },
      'policy.yaml': {
        version: 1,
        default: 'needs_approval',
        together: [
          {
            capabilities: [
              { name: 'fs.write', match: { path: './out/ghp_*' } },
              { name: 'fs.write', match: { path: './out/b.txt' } },
            ],
            within: 'run',
            decision: 'blocked',
          },
        ],
      },
    });
    const log = await logged(place);
    expect(readFileSync(log, 'utf8')).not.toContain('ghp_a1');
    expect(await decided(log)).toMatchObject({ ok: true, unknown: 3, first: null });
  });

  it('proves nothing from masked values', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(write(`out/${secret}`)), { say: 'done' }] },
    });
    expect(await decided(await logged(place))).toMatchObject({ ok: true, same: 0, unknown: 1 });
  });

  it('uses for each run of a file its own policies', async () => {
    const place = workplace(files);
    await logged(place);
    writeFiles(place, { 'policy.yaml': 'version: 1\ndefault: blocked\n' });
    const log = await logged(place);
    expect(await verifyLog(log)).toMatchObject({ ok: true, runs: 2 });
    expect(await decided(log)).toMatchObject({ ok: true, same: 4 });
  });
});

function withSource(entry: JsonObject, source: string): JsonObject {
  const sha256 = createHash('sha256').update(source).digest('hex');
  return { ...entry, files: (entry.files as JsonObject[]).map((file) => ({ ...file, source, sha256 })) };
}
