import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  buildIndex,
  createLog,
  pastCalls,
  type ReadMembers,
  readLog,
  readManifests,
  redecide,
  replay,
  replayFile,
  replayIndex,
  verifyLog,
} from '@ambit/audit';
import { answer, type Capability, createRequest, type Policy } from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';
import { judgeOfLog, loggedJudge } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';

const key = Buffer.alloc(32, 7);
const now = Date.UTC(2026, 10, 20, 10);

const source = [
  'version: 1',
  'default: blocked',
  'capabilities:',
  '  fs.read: { id: src, decision: pre_approved, match: { path: /w/** } }',
  '  fs.write: { decision: needs_approval }',
  'together:',
  '  - { id: t, capabilities: [{ name: fs.read, match: { path: /w/secret/** } }, fs.write], within: run, decision: blocked }',
  '',
];
const text = source.filter((line) => !line.includes('id: t,') && line !== 'together:').join('\n');

function policyOf(policy: string): Policy {
  const loaded = loadPolicyText('policy.yaml', policy, { root: '/w', home: '/h' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  return loaded.policy;
}

const files = (count: number, at = '/w/src') =>
  Array.from({ length: count }, (_, index) => `${at}/${String(index).padStart(6, '0')}.ts`);

const read = (paths: readonly string[]): Capability =>
  ({ name: 'fs.read', path: paths.length === 1 ? (paths[0] as string) : { paths } }) as Capability;

/** A log of a run that judged calls with these capabilities, one each, under the policy. */
async function logged(calls: readonly Capability[], policy = text) {
  const place = temporaryFolder('ambit-sets-');
  const file = join(place, 'log.jsonl');
  const log = await createLog({ file, run: 'r1', key });
  const policies = [policyOf(policy)] as const;
  const { createHash } = await import('node:crypto');
  const sha256 = createHash('sha256').update(policy).digest('hex');
  const base = {
    version: '1',
    user: 'u',
    machine: 'm',
    mode: 'strict',
    context: {},
    workers: {},
    toolsets: {},
  };
  await log.append([
    { now, event: 'run', ...base },
    {
      now,
      event: 'policy',
      files: [{ name: 'policy.yaml', sha256, source: policy }],
      root: '/w',
      home: '/h',
    },
  ]);
  const history: Capability[] = [];
  for (const [index, capability] of calls.entries()) {
    const args = { n: index };
    const request = createRequest({
      tool: 't.a',
      chain: ['w'],
      args,
      capabilities: [capability],
      context: {},
      history,
      now,
    });
    const decision = answer(createEngine().decide(request, policies), { request, policies, grants: [] });
    const call = { call: `c${index}`, chain: ['w'], tool: 't.a', args, context: {}, grants: [] } as const;
    const names = history.map(({ name }) => name);
    await log.append([{ now, event: 'decision', ...call, history: names, ...decision }]);
    if (decision.decision === 'pre_approved') history.push(...decision.capabilities);
  }
  await log.close();
  const manifests = join(place, 'manifests');
  const names = () => readdirSync(manifests).map((name) => join(manifests, name));
  return { file, names };
}

async function waysOf(
  file: string,
  { policy = text, members = readManifests(file, key) as ReadMembers | null } = {},
) {
  const judge = loggedJudge([policyOf(policy)]);
  const found: { before: string; after: string; unread: readonly string[] }[] = [];
  for await (const { before, after, unread } of replay(readLog(file), judge, members))
    found.push({ before, after, unread });
  const summary = await replayFile(file, judge, members);
  const index = await buildIndex(file);
  if (judge.reads?.history === false) expect(await replayIndex(index, judge, members)).toEqual(summary);
  return { found, summary };
}

const again = (file: string, members: ReadMembers | null = readManifests(file, key)) =>
  redecide(readLog(file), async (sets) => judgeOfLog(sets, { root: '/w', home: '/h' }), members);

const calls = [
  read(files(2)),
  read(files(33)),
  read(files(30_000)),
  read([...files(40), '/etc/passwd']),
  read([...files(2), '/etc/passwd']),
];

describe('a log with file sets', () => {
  it('is replayed with the recorded decisions, for sets of any size', async () => {
    const { file } = await logged(calls);
    const { found, summary } = await waysOf(file);
    expect(found.map(({ before }) => before)).toEqual([
      'pre_approved',
      'pre_approved',
      'pre_approved',
      'blocked',
      'blocked',
    ]);
    expect(found.every(({ before, after }) => before === after)).toBe(true);
    expect(summary).toMatchObject({ calls: 5, same: 5, unknown: 0 });
    expect(await again(file)).toMatchObject({ ok: true, same: 5, unknown: 0, first: null });
  });

  it('is judged by its members under another policy', async () => {
    const { file } = await logged(calls);
    const narrow = text.replace('/w/**', '/w/src/00000?.ts');
    expect((await waysOf(file, { policy: narrow })).summary).toMatchObject({
      same: 3,
      stricter: 2,
      unknown: 0,
    });
  });

  it('is unknown if a manifest is missing, and is still valid', async () => {
    const { file, names } = await logged([...calls.slice(0, 2), read(['/w/a'])]);
    for (const name of names()) rmSync(name);
    const { found, summary } = await waysOf(file);
    expect(found.map(({ after }) => after)).toEqual(['pre_approved', 'unknown', 'pre_approved']);
    expect(found[1]?.unread).toEqual([expect.stringMatching(/is unusable: it is missing$/)]);
    expect(summary).toMatchObject({ same: 2, unknown: 1 });
    expect(summary.classes[0]?.because).toEqual(found[1]?.unread);
    expect(await again(file)).toMatchObject({ ok: true, same: 2, unknown: 1 });
    expect(await verifyLog(file)).toMatchObject({ ok: true });
  });

  it('is unknown if a manifest is damaged', async () => {
    const { file, names } = await logged([calls[1] as Capability]);
    for (const name of names()) writeFileSync(name, 'x');
    expect((await waysOf(file)).found[0]).toMatchObject({
      after: 'unknown',
      unread: [expect.stringMatching(/it is damaged$/)],
    });
  });

  it('is unknown without manifests', async () => {
    const { file } = await logged([calls[1] as Capability]);
    expect((await waysOf(file, { members: null })).found[0]).toMatchObject({
      after: 'unknown',
      unread: ['its manifest was not read'],
    });
    expect(await again(file, null)).toMatchObject({ ok: true, unknown: 1 });
  });

  it('does not become looser by a manifest with as many files of the same folder', async () => {
    const paths = [...files(39), '/w/secret'];
    const strict = `${text}  fs.read.never: blocked\n`.replace('/w/**', '/w/src/**');
    const { file, names } = await logged([read(paths)], strict);
    const [name = ''] = names();
    writeFileSync(name, gzipSync(JSON.stringify([...files(39), '/w/src/zz'])));
    const { found } = await waysOf(file, { policy: strict });
    expect(found[0]).toMatchObject({ before: 'blocked', after: 'unknown' });
    expect(found[0]?.unread).toEqual([expect.stringMatching(/it does not match its digest$/)]);
  });

  it('does not become known by a manifest under another name', async () => {
    const { file, names } = await logged([read([...files(40), '/etc/passwd']), read(files(41))]);
    const [one = '', other = ''] = names();
    const [first, second] = [one, other].map((name) => name);
    const { copyFileSync } = await import('node:fs');
    copyFileSync(first as string, `${second as string}.new`);
    copyFileSync(second as string, first as string);
    copyFileSync(`${second as string}.new`, second as string);
    expect((await waysOf(file)).found.map(({ after }) => after)).toEqual(['unknown', 'unknown']);
  });

  it('is unknown if a rule reads a path with a masked member', async () => {
    const secret = `sk-${'a1b2'.repeat(6)}`;
    const { file } = await logged([read([...files(40), `/w/src/${secret}`]), read([`/w/${secret}`, '/w/a'])]);
    const { found } = await waysOf(file);
    expect(found.map(({ after, unread }) => [after, unread])).toEqual([
      ['unknown', []],
      ['unknown', []],
    ]);
    const plain = 'version: 1\ndefault: blocked\ncapabilities: { fs.read: pre_approved }\n';
    expect((await waysOf(file, { policy: plain })).summary).toMatchObject({ same: 2, unknown: 0 });
  });

  it('is unknown if the run had permitted a set whose manifest is missing', async () => {
    const together = source.join('\n');
    const { file, names } = await logged(
      [read([...files(40), '/w/secret/x']), { name: 'fs.write', path: '/w/out' }],
      together,
    );
    const whole = await waysOf(file, { policy: together });
    expect(whole.found.map(({ before, after }) => [before, after])).toEqual([
      ['pre_approved', 'pre_approved'],
      ['blocked', 'blocked'],
    ]);
    for (const name of names()) rmSync(name);
    expect((await waysOf(file, { policy: together })).found.map(({ after }) => after)).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  it('teaches nothing if its members are unknown', async () => {
    const { file, names } = await logged([calls[1] as Capability]);
    for (const name of names()) rmSync(name);
    const [call] = await pastCalls('log', readLog(file), { members: readManifests(file, key) });
    expect(call?.unread).toHaveLength(1);
  });
});
