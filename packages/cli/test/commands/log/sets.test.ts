import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createLog } from '@ambit/audit';
import { logKey, openStateFolder } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const policy = `
version: 1
default: blocked
capabilities:
  fs.read: { id: src, decision: pre_approved, match: { path: /w/src/** } }
`;
const now = Date.UTC(2026, 10, 20, 10);
const files = Array.from({ length: 40 }, (_, index) => `/w/src/${String(index).padStart(3, '0')}.ts`);

/** A folder with a log of one call that read these files and was allowed to. */
async function logged() {
  const folder = folderOf({ 'policy.yaml': policy });
  const key = await logKey(await openStateFolder({ HOME: folder }, folder));
  const log = await createLog({ file: join(folder, 'log', 'run.jsonl'), run: 'r', key });
  const call = { call: 'c', chain: ['main'], tool: 'x.y', args: {}, context: {}, history: [], grants: [] };
  const capabilities = [{ name: 'fs.read', path: { paths: files } }];
  const run = {
    version: '1',
    user: 'u',
    machine: 'm',
    mode: 'strict',
    context: {},
    workers: {},
    toolsets: {},
  };
  const decided = { decision: 'pre_approved', capabilities, judgements: [], reason: null, instead: null };
  await log.append([{ now, event: 'run', ...run }, { now, event: 'decision', ...call, ...decided } as never]);
  await log.close();
  const manifests = join(folder, 'log', 'manifests');
  const [name = ''] = readdirSync(manifests);
  return { folder, manifest: join(manifests, name) };
}

const replay = ['replay', 'log/run.jsonl', '--policy', 'policy.yaml', '--json'];
const explain = ['explain', '--full', '--log', 'log/run.jsonl', '--seq', '1', '--policy', 'policy.yaml'];

describe('a logged file set', () => {
  it('is replayed and explained by its members', async () => {
    const { folder } = await logged();
    const { out, err } = await ambit(replay, { folder });
    expect([JSON.parse(out), err]).toEqual([expect.objectContaining({ same: 1, unknown: 0 }), '']);
    const { out: explained } = await ambit(explain, { folder });
    expect(explained).toContain('pre_approved: main calls x.y');
    expect(explained).toContain('40 files under /w/src');
  });

  it('names in replay and explain the file that decides', async () => {
    const { folder } = await logged();
    writeFileSync(
      join(folder, 'new.yaml'),
      'version: 1\ndefault: blocked\ncapabilities:\n  fs.read: [pre_approved, { decision: blocked, match: { path: "**/007.ts" } }]\n',
    );
    const { out } = await ambit(['replay', 'log/run.jsonl', '--policy', 'new.yaml'], { folder });
    expect(out).toContain('for example entry 1 of run.jsonl, call c: /w/src/007.ts (1 of 40 files)');
    const { out: explained } = await ambit([...explain.slice(0, -1), 'new.yaml'], { folder });
    expect(explained).toContain('read 40 files under /w/src: /w/src/007.ts, ');
  });

  it('is unknown if its manifest was replaced, and is then a missing path for explain', async () => {
    const { folder, manifest } = await logged();
    writeFileSync(manifest, gzipSync(JSON.stringify([...files.slice(1), '/w/src/zz.ts'])));
    const { out } = await ambit(replay, { folder });
    expect(JSON.parse(out)).toMatchObject({ same: 0, unknown: 1 });
    const { out: explained } = await ambit(explain, { folder });
    expect(explained).toContain('it does not match its digest');
    expect(explained).not.toContain('{"folder"');
  });

  it('is reported as unchecked if the key of the log is missing', async () => {
    const { folder } = await logged();
    rmSync(join(folder, '.local'), { recursive: true });
    const { out, err } = await ambit(replay, { folder });
    expect(JSON.parse(out)).toMatchObject({ same: 1, unknown: 0 });
    expect(err).toContain('file sets are not checked against their digests');
  });
});
