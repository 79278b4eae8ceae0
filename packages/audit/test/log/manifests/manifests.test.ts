import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Capability, type DecisionEvent, listedSetOf } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { callStory } from '../../../src/history/calls/call-story.js';
import {
  createLog,
  formatCall,
  type LogEntry,
  logKeyOf,
  readLog,
  readManifests,
  verifyLog,
} from '../../../src/index.js';
import { hmacOf } from '../../../src/log/manifests/manifest-file.js';
import { createEventTexts } from '../../../src/log/mask/event-texts.js';
import {
  approvalEvent,
  decisionEvent,
  folder,
  key,
  openLog,
  outcomeEvent,
  question,
  runEvent,
} from '../../events.js';
import { bothVerify } from '../../second-verifier.js';

const files = (count: number, at = '/w/src') =>
  Array.from({ length: count }, (_, index) => `${at}/${String(index).padStart(6, '0')}.ts`);

function reading(call: string, paths: readonly string[], more: object = {}): DecisionEvent {
  const capabilities = [{ name: 'fs.read', path: { paths, ...more } }] as const;
  return { ...decisionEvent(call), capabilities } as unknown as DecisionEvent;
}

const entriesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogEntry & { readonly capabilities: readonly Capability[] });

const setOf = (entry: { readonly capabilities: readonly Capability[] } | undefined) =>
  listedSetOf(entry?.capabilities[0]?.path);

describe('a log', () => {
  it('writes sets of 2 and 32 files inline, and larger ones as manifests', async () => {
    const file = join(folder(), 'log.jsonl');
    const log = await openLog(file);
    const sizes = [2, 32, 33, 30_000];
    await log.append([runEvent(), ...sizes.map((size) => reading(`c${size}`, files(size)))]);
    const [, two, most, more, many] = entriesOf(file);
    expect([two, most].map((entry) => entry?.capabilities[0]?.path)).toEqual([
      { paths: files(2) },
      { paths: files(32) },
    ]);
    expect([more, many].map(setOf)).toEqual(
      [33, 30_000].map((count) => ({
        folder: '/w/src',
        count,
        digest: hmacOf(key, JSON.stringify(files(count))),
      })),
    );
    const read = readManifests(file, key);
    for (const [entry, count] of [
      [more, 33],
      [many, 30_000],
    ] as const) {
      const set = setOf(entry);
      expect(set && read(set)).toEqual(files(count));
    }
    expect(await bothVerify(file)).toMatchObject({ ok: true, entries: 5 });
  });

  it('writes each manifest once, whole and readable only by its owner', async () => {
    const place = folder();
    const first = await openLog(join(place, 'a.jsonl'), 'a');
    await first.append([runEvent(), reading('c1', files(40)), reading('c2', files(40))]);
    const [name = ''] = readdirSync(join(place, 'manifests'));
    const manifest = join(place, 'manifests', name);
    const before = statSync(manifest);
    const second = await openLog(join(place, 'b.jsonl'), 'b');
    await second.append([runEvent(), reading('c1', files(40))]);
    expect(readdirSync(join(place, 'manifests'))).toEqual([name]);
    expect(statSync(manifest).ino).toBe(before.ino);
    expect([before.mode & 0o777, statSync(join(place, 'manifests')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(JSON.parse(gunzipSync(readFileSync(manifest)).toString())).toEqual(files(40));
  });

  it('replaces a manifest that was damaged before', async () => {
    const place = folder();
    const first = await openLog(join(place, 'a.jsonl'), 'a');
    await first.append([runEvent(), reading('c1', files(40))]);
    const [name = ''] = readdirSync(join(place, 'manifests'));
    writeFileSync(join(place, 'manifests', name), gzipSync(JSON.stringify(files(40, '/w/other'))));
    const second = await openLog(join(place, 'b.jsonl'), 'b');
    await second.append([runEvent(), reading('c1', files(40))]);
    const set = setOf(entriesOf(join(place, 'b.jsonl'))[1]);
    expect(set && readManifests(join(place, 'b.jsonl'), key)(set)).toEqual(files(40));
  });

  it('leaves the same manifest of another run, whose writer watches that file', async () => {
    const [own, other] = [folder(), folder()];
    const [theirs, ours] = [await openLog(join(other, 'log.jsonl')), await openLog(join(own, 'log.jsonl'))];
    mkdirSync(join(own, 'manifests'), { mode: 0o700 });
    // Another run, which names each of its manifests as soon as ours has a draft of it.
    const run = new Worker(
      `const { linkSync, readdirSync } = require('node:fs');
      const { parentPort, workerData: { from, to } } = require('node:worker_threads');
      setImmediate(function look() {
        for (const draft of readdirSync(to).filter((name) => name.endsWith('.tmp'))) {
          const name = draft.slice(0, -'.0123456789ab.tmp'.length);
          try { linkSync(from + name, to + name); parentPort.postMessage(name); } catch {}
        }
        setImmediate(look);
      });`,
      { eval: true, workerData: { from: `${other}/manifests/`, to: `${own}/manifests/` } },
    );
    const names: string[] = [];
    run.on('message', (name: string) => names.push(name));
    await once(run, 'online');
    // Most drafts are gone before the other run looks.
    for (let index = 0; names.length === 0; index += 1) {
      const set = files(40, `/w/${index}`);
      await theirs.append([reading('a', set)]);
      await ours.append([reading('a', set)]);
    }
    await run.terminate();
    const inodeIn = (at: string) => (name: string) => statSync(join(at, 'manifests', name)).ino;
    expect(names.map(inodeIn(own))).toEqual(names.map(inodeIn(other)));
  });

  it('keeps the open mark and the folder of unknown members', async () => {
    const file = join(folder(), 'log.jsonl');
    const log = await openLog(file);
    const paths = [...files(20, '/w/a'), ...files(20, '/w/b')];
    await log.append([runEvent(), reading('c1', paths, { open: true, under: '/w' })]);
    expect(setOf(entriesOf(file)[1])).toEqual({
      folder: '/w',
      count: 40,
      digest: hmacOf(key, JSON.stringify(paths)),
      open: true,
      under: '/w',
    });
  });

  it('uses manifests in questions, kept answers and observing decisions', async () => {
    const file = join(folder(), 'log.jsonl');
    const log = await openLog(file);
    const capability = { name: 'fs.read', path: { paths: files(50) } };
    const grant = { source: 'kept', shown: [capability] };
    const decision = { ...decisionEvent('c1'), grants: [grant], observed: { capabilities: [capability] } };
    const asked = { ...question('c1'), capabilities: [{ capability, words: 'read files' }] };
    await log.append([
      runEvent(),
      decision as unknown as DecisionEvent,
      { ...approvalEvent('c1', true), question: asked } as unknown as ReturnType<typeof approvalEvent>,
    ]);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('000001.ts');
    expect(text.match(/"count":50/g)).toHaveLength(3);
  });

  it('does not change arguments that resemble a set', async () => {
    const file = join(folder(), 'log.jsonl');
    const log = await openLog(file);
    const args = { path: { paths: files(50) }, capabilities: [{ name: 'x', path: { paths: files(50) } }] };
    await log.append([runEvent(), decisionEvent('c1', 'pre_approved', args)]);
    expect(entriesOf(file)[1]?.args).toEqual(args);
  });

  it('masks manifests like lines, and digests the masked text', async () => {
    const file = join(folder(), 'log.jsonl');
    const log = await openLog(file);
    const secret = 'hunter2hunter2';
    const paths = [...files(40), `/w/src/x-${secret}.txt`];
    const event = { ...reading('c1', paths), args: { password: secret } };
    await log.append([runEvent(), event as DecisionEvent, outcomeEvent('c1')]);
    const set = setOf(entriesOf(file)[1]);
    const members = set && readManifests(file, key)(set);
    expect(members).toHaveLength(41);
    expect(members).toContainEqual(
      expect.stringMatching(/^\/w\/src\/x-masked:hmac-sha256:[0-9a-f]{16}\.txt$/),
    );
    expect(JSON.stringify(members)).not.toContain(secret);
  });

  it('stops if a manifest cannot be written', async () => {
    const place = folder();
    const log = await openLog(join(place, 'log.jsonl'));
    await log.append([runEvent()]);
    const elsewhere = join(folder(), 'x');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(place, 'manifests'));
    const failure = /the log cannot be written: a manifest failed: .* is not a folder/;
    await expect(log.append([reading('c1', files(40))])).rejects.toThrow(failure);
    await expect(log.append([decisionEvent('c2')])).rejects.toThrow(failure);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(entriesOf(join(place, 'log.jsonl'))).toHaveLength(1);
  });

  it('refuses a manifest folder that others may write', async () => {
    const place = folder();
    mkdirSync(join(place, 'manifests'));
    chmodSync(join(place, 'manifests'), 0o777);
    const log = await openLog(join(place, 'log.jsonl'));
    await expect(log.append([runEvent(), reading('c1', files(40))])).rejects.toThrow(
      'may be written by others',
    );
  });

  it('masks secrets that a resumed run had recorded', async () => {
    const place = folder();
    const file = join(place, 'log.jsonl');
    const log = await createLog({ file, run: 'r1', key, earlier: [reading('c1', files(40))] });
    await log.close();
    expect(statSync(file).size).toBe(0);
  });

  it('writes the same lines with and without a manifest folder if every set is small', () => {
    const never = () => {
      throw new Error('nothing is large');
    };
    const event = reading('c1', files(32));
    expect(createEventTexts(key, {}, never)(event)).toEqual(createEventTexts(key)(event));
  });
});

describe('readManifests', () => {
  async function written(paths = files(40)) {
    const place = folder();
    const file = join(place, 'log.jsonl');
    const log = await openLog(file);
    await log.append([runEvent(), reading('c1', paths)]);
    const set = setOf(entriesOf(file)[1]);
    if (set === null) throw new Error('the set is not listed');
    const manifest = join(place, 'manifests', `${set.digest}.json.gz`);
    const pack = (members: unknown) => writeFileSync(manifest, gzipSync(JSON.stringify(members)));
    return { file, set, manifest, pack };
  }

  it('reports a missing manifest', async () => {
    const { file, set, manifest } = await written();
    rmSync(manifest);
    expect(readManifests(file, key)(set)).toMatch(/^the manifest [0-9a-f]{16}… is unusable: it is missing$/);
    expect(await verifyLog(file)).toMatchObject({ ok: true });
  });

  it.each([
    ['not gzip', Buffer.from('x')],
    ['cut', gzipSync(JSON.stringify(files(40))).subarray(0, 40)],
    ['not JSON', gzipSync('[')],
    ['not a list', gzipSync('{}')],
    ['not sorted', gzipSync(JSON.stringify([...files(40)].reverse()))],
    ['repeated', gzipSync(JSON.stringify(Array(40).fill('/w/src/a')))],
    ['not texts', gzipSync(JSON.stringify(Array.from({ length: 40 }, (_, index) => index)))],
  ])('reports a damaged manifest: %s', async (_, bytes) => {
    const { file, set, manifest } = await written();
    writeFileSync(manifest, bytes);
    for (const with_ of [key, null]) expect(readManifests(file, with_)(set)).toMatch(/: it is damaged$/);
  });

  it('detects changed members by the digest', async () => {
    const { file, set, pack } = await written();
    pack([...files(39), '/w/src/zz.ts']);
    expect(readManifests(file, key)(set)).toMatch(/: it does not match its digest$/);
  });

  it('detects a changed count or folder without the key', async () => {
    const { file, set, pack } = await written();
    pack(files(41));
    expect(readManifests(file, null)(set)).toMatch(/: it has 41 members, the log says 40$/);
    pack(files(40, '/w/tmp'));
    expect(readManifests(file, null)(set)).toMatch(/not in the folder that the log names$/);
  });

  it('rejects a digest that is a path', async () => {
    const { file, set } = await written();
    const digest = '../../../etc/passwd';
    expect(readManifests(file, null)({ ...set, digest })).toMatch(/: its digest is malformed$/);
  });

  it('does not read a link', async () => {
    const { file, set, manifest } = await written();
    rmSync(manifest);
    const other = join(folder(), 'm.json.gz');
    writeFileSync(other, gzipSync(JSON.stringify(files(40))));
    symlinkSync(other, manifest);
    expect(readManifests(file, key)(set)).toMatch(/: it is damaged$/);
  });

  it('follows a log across its segments', async () => {
    const place = folder();
    const file = join(place, 'log.jsonl');
    const log = await createLog({ file, run: 'r1', key, rotate: { bytes: 100_000 } });
    const events = Array.from({ length: 400 }, (_, index) => reading(`c${index}`, files(33 + (index % 3))));
    for (const event of [runEvent(), ...events]) await log.append([event]);
    await log.close();
    expect(readdirSync(join(place, 'manifests'))).toHaveLength(3);
    const read = readManifests(file, key);
    let found = 0;
    for await (const { entry } of readLog(file)) {
      const set = entry.event === 'decision' ? setOf(entry as never) : null;
      if (set !== null && typeof read(set) !== 'string') found += 1;
    }
    expect(found).toBe(400);
  });
});

describe('logKeyOf', () => {
  it('recognises the key of a log by the digests of arguments', async () => {
    const file = join(folder(), 'log.jsonl');
    const log = await openLog(file);
    const masked = decisionEvent('c1', 'pre_approved', { password: 'hunter2hunter2' });
    await log.append([runEvent(), masked, decisionEvent('c2', 'pre_approved', { a: 1 })]);
    expect(await logKeyOf(file, key)).toBe(key);
    expect(await logKeyOf(file, Buffer.alloc(32, 8))).toBeNull();
  });
});

describe('formatCall', () => {
  it('describes a set, and names the deciding member', async () => {
    const file = join(folder(), 'log.jsonl');
    const log = await openLog(file);
    const event = reading('c1', files(1204));
    const [judgement] = 'judgements' in event ? event.judgements : [];
    const member = { path: '/w/src/000007.ts', count: 1, of: 1204 };
    await log.append([runEvent(), { ...event, judgements: [{ ...judgement, member }] } as DecisionEvent]);
    const text = formatCall(await callStory(readLog(file), 'c1'));
    expect(text).toContain('fs.read: read 1 204 files under /w/src\n');
    expect(text).toContain('    because of /w/src/000007.ts (1 of 1 204 files)\n');
    expect(text).not.toContain('digest');
  });
});
