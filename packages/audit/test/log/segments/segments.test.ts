import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, LogEvent, NonEmpty } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { isDeep, some } from '../../../../../test/depth.js';
import {
  checkProof,
  createLog,
  type FileLog,
  findCall,
  logsIn,
  newestHead,
  proveConsistency,
  proveEntry,
  readAnchor,
  readLog,
  tailLog,
  verifyLog,
} from '../../../src/index.js';
import { firstPrev } from '../../../src/log/line/line.js';
import { firstPathOf, segmentPath } from '../../../src/log/segments/segment-name.js';
import type { LogOptions } from '../../../src/log/write/file-log.js';
import { now } from '../../decision-event.js';
import { decisionEvent, endEvent, folder, key, outcomeEvent, runEvent } from '../../events.js';
import { bothVerify } from '../../second-verifier.js';
import {
  headsOf,
  leafIn,
  lineOf,
  linesOf,
  parse,
  signedRun,
  signer,
  writeHeads,
  writeLines,
} from '../../signed.js';

const keys = [signer.verifier];

async function rotated({
  file = join(folder(), 'run.jsonl'),
  calls = 10,
  ...options
}: Partial<LogOptions> & { readonly calls?: number } = {}): Promise<string> {
  const given = { file, run: 'r1', key, rotate: { entries: 5 }, ...options };
  const log = await createLog(given);
  await log.append([options.signer === undefined ? runEvent() : signedRun(options.signer)]);
  for (let at = 0; at < calls; at += 1)
    await log.append([decisionEvent(`${given.run}-c${at}`, 'pre_approved', { at })]);
  await log.append([endEvent()]);
  await log.close();
  return file;
}

const signedSegments = (options: Partial<LogOptions> = {}) =>
  rotated({ signer, heads: { entries: 4, seconds: 3600 }, ...options });

const names = (file: string) =>
  readdirSync(join(file, '..'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort();

const at = (file: string, number: number) => segmentPath(file, number);

async function callsIn(file: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { entry } of readLog(file)) if (entry.event === 'decision') found.push(entry.call);
  return found;
}

describe('the name of a segment', () => {
  it.each([
    ['/l/run.jsonl', '/l/run.0002.jsonl'],
    ['/l/run', '/l/run.0002'],
    ['/l/a.b.jsonl', '/l/a.b.0002.jsonl'],
  ])('identifies its log: %s', (first, second) => {
    expect(segmentPath(first, 1)).toBe(first);
    expect(segmentPath(first, 2)).toBe(second);
    expect(firstPathOf(second)).toBe(first);
    expect(firstPathOf(segmentPath(first, 12_345))).toBe(first);
  });

  it.each(['/l/run.jsonl', '/l/run.0001.jsonl', '/l/run.2.jsonl', '/l/run.00002.jsonl', '/l/.0002.jsonl'])(
    'is not that of a later segment: %s',
    (path) => expect(firstPathOf(path)).toBeNull(),
  );
});

describe('createLog with limits', () => {
  it('rotates before a file would exceed a limit, and links both files', async () => {
    const file = await rotated({ calls: 4 });
    expect(names(file)).toEqual(['run.0002.jsonl', 'run.jsonl']);
    const [first, second] = [linesOf(file).map(parse), linesOf(at(file, 2)).map(parse)];
    expect(first.map(({ seq, event }) => [seq, event])).toEqual([
      [0, 'run'],
      [1, 'decision'],
      [2, 'decision'],
      [3, 'decision'],
      [4, 'segment'],
    ]);
    expect(first[4]).toMatchObject({
      run: 'r1',
      number: 1,
      next: 'run.0002.jsonl',
      time: '2026-11-20T10:00:00.000Z',
    });
    expect(second.map(({ seq, event }) => [seq, event])).toEqual([
      [0, 'segment'],
      [1, 'decision'],
      [2, 'end'],
    ]);
    expect(second[0]).toMatchObject({
      number: 2,
      before: { file: 'run.jsonl', seq: 4, hash: leafIn(linesOf(file)[4] ?? ''), size: 5 },
      prev: firstPrev,
    });
    expect(statSync(at(file, 2)).mode & 0o777).toBe(0o600);
    expect(await bothVerify(file)).toMatchObject({
      ok: true,
      entries: 8,
      segments: 2,
      runs: 1,
      ended: true,
      unfinished: null,
    });
  });

  it('keeps segments below the byte limit, unless one append is longer', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, rotate: { bytes: 4000 } });
    for (let call = 0; call < 30; call += 1)
      await log.append([decisionEvent(`c${call}`), outcomeEvent(`c${call}`)]);
    await log.append([decisionEvent('long', 'pre_approved', { text: 'x'.repeat(5000) })]);
    await log.append([decisionEvent('last')]);
    await log.close();
    const sizes = names(file).map((name) => statSync(join(file, '..', name)).size);
    expect(sizes.filter((size) => size > 4000)).toHaveLength(1);
    expect(sizes.length).toBeGreaterThan(8);
    // What is appended at once stays together.
    for (const name of names(file)) {
      const calls = linesOf(join(file, '..', name)).map(parse);
      expect(calls.filter(({ event }) => event === 'outcome').map(({ call }) => call)).toEqual(
        calls
          .filter(({ event, call }) => event === 'decision' && (call as string).startsWith('c'))
          .map(({ call }) => call),
      );
    }
    expect(await bothVerify(file)).toMatchObject({ ok: true, segments: sizes.length });
  });

  it('rotates after the time limit, but not if the clock was set back', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, rotate: { seconds: 60 } });
    for (const second of [0, 59, -3600, 60, 100, 121])
      await log.append([{ ...runEvent(), now: now + second * 1000 }]);
    await log.close();
    expect(
      names(file)
        .sort()
        .map((name) => linesOf(join(file, '..', name)).length),
    ).toEqual([4, 2, 4]);
    expect(await bothVerify(file)).toMatchObject({ ok: true, segments: 3, clock_back: 2 });
  });

  it.each([0, -1, Number.NaN])('rejects an invalid limit: %s', async (entries) => {
    const file = join(folder(), 'run.jsonl');
    await expect(createLog({ file, run: 'r1', key, rotate: { entries } })).rejects.toThrow(TypeError);
    expect(existsSync(file)).toBe(false);
  });

  it.each(['a\\b.jsonl', '.jsonl'])(
    'rotates no log called %s, whose segments no reader would take',
    async (name) => {
      const file = join(folder(), name);
      const code = 'UNSAFE_FILE';
      await expect(createLog({ file, run: 'r1', key, rotate: { entries: 5 } })).rejects.toMatchObject({
        code,
      });
      expect(await bothVerify(await rotated({ file, rotate: {} }))).toMatchObject({ ok: true, segments: 1 });
    },
  );

  it('gives each append its own segment if no two fit in one', async () => {
    const file = await rotated({ calls: 3, rotate: { entries: 1 } });
    expect(names(file)).toHaveLength(5);
    expect(await bothVerify(file)).toMatchObject({ ok: true, segments: 5, entries: 13 });
  });

  it.skipIf(!isDeep)('keeps the order of simultaneous appends', async () => {
    for (const commit of ['group', 'sync'] as const) {
      const file = join(folder(), 'run.jsonl');
      const log = await createLog({ file, run: 'r1', key, commit, signer, rotate: { entries: 7 } });
      const order: number[] = [];
      await Promise.all([
        log.append([signedRun()]),
        ...Array.from({ length: 50 }, (_, index) =>
          log.append([decisionEvent(`c${index}`), outcomeEvent(`c${index}`)]).then(() => order.push(index)),
        ),
      ]);
      await log.close();
      expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
      expect(await callsIn(file)).toEqual(order.map((index) => `c${index}`));
      expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, segments: 25 });
    }
  });

  it('continues the last segment, also for another run', async () => {
    const file = await rotated();
    const before = names(file);
    const log = await createLog({ file, run: 'r2', key, rotate: { entries: 5 } });
    expect(log.path).toBe(file);
    await expect(log.append([decisionEvent('c')])).rejects.toMatchObject({ code: 'BROKEN' });
    await log.append([runEvent(), decisionEvent('r2-c0')]);
    await log.append([decisionEvent('r2-c1'), endEvent()]);
    await log.close();
    expect(names(file).length).toBeGreaterThan(before.length);
    expect(await callsIn(file)).toEqual([
      ...Array.from({ length: 10 }, (_, call) => `r1-c${call}`),
      'r2-c0',
      'r2-c1',
    ]);
    expect(await bothVerify(file)).toMatchObject({ ok: true, runs: 2, ended: true });
  });

  it('continues a segmented log without limits', async () => {
    const file = await rotated();
    const before = names(file);
    const log = await createLog({ file, run: 'r1', key });
    for (let call = 0; call < 20; call += 1) await log.append([decisionEvent(`d${call}`)]);
    await log.close();
    expect(names(file)).toEqual(before);
    expect(await bothVerify(file)).toMatchObject({ ok: true });
  });

  it('cannot be opened under the name of a later segment', async () => {
    const file = await rotated();
    await expect(createLog({ file: at(file, 2), run: 'r1', key })).rejects.toMatchObject({ code: 'BROKEN' });
    expect(readdirSync(join(file, '..')).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('refuses a second writer, regardless of the segment of the first', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, rotate: { entries: 3 } });
    const others: unknown[] = [];
    for (let call = 0; call < 9; call += 1) {
      const appended = log.append([decisionEvent(`c${call}`)]);
      others.push(
        await createLog({ file, run: 'r2', key }).catch((error: unknown) => (error as { code: string }).code),
      );
      await appended;
    }
    await log.close();
    expect(new Set(others)).toEqual(new Set(['LOCKED']));
    expect(await bothVerify(file)).toMatchObject({ ok: true, runs: 1 });
  });

  it('rejects further events if the next segment exists, and leaves that file unchanged', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, rotate: { entries: 3 } });
    await log.append([runEvent()]);
    await log.append([decisionEvent('c1')]);
    writeFileSync(at(file, 2), 'something else\n');
    await expect(log.append([decisionEvent('c2')])).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    await expect(log.append([decisionEvent('c3')])).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    await log.close();
    expect(readFileSync(at(file, 2), 'utf8')).toBe('something else\n');
    expect(await bothVerify(file)).toMatchObject({ ok: true, entries: 2, segments: 1, unfinished: null });
  });

  it('signs the end of a segment', async () => {
    const file = await signedSegments({ heads: { entries: 1_000_000, seconds: 3600 } });
    const sizes = headsOf(file).map((head) => Number(head.split('\n')[1]));
    // Each time with the line that begins the next one.
    expect(sizes).toEqual([0, 6, 11, 16, 18]);
    expect(readdirSync(join(file, '..')).filter((name) => name.includes('heads'))).toEqual([
      'run.jsonl.heads',
    ]);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: 18, segments: 4 });
  });
});

describe('an unfinished rotation', () => {
  /** The log as it was before it was cut, and the line that begins the next segment. */
  async function interrupted() {
    const file = await signedSegments({ heads: { entries: 1_000_000, seconds: 3600 } });
    const [last = ''] = linesOf(at(file, 4));
    const third = linesOf(at(file, 3));
    rmSync(at(file, 4));
    writeHeads(file, headsOf(file).slice(0, 3));
    return { file, third, opening: `${last}\n` };
  }

  it.each<[string, (log: { file: string; third: string[]; opening: string }) => void]>([
    ['before the first byte of the next file', ({ file }) => writeFileSync(at(file, 4), '')],
    [
      'in the first line of the next file',
      ({ file, opening }) => writeFileSync(at(file, 4), opening.slice(0, 40)),
    ],
    ['before its pages were filled', ({ file }) => writeFileSync(at(file, 4), Buffer.alloc(400))],
    ['before the old file names the next', ({ file, opening }) => writeFileSync(at(file, 4), opening)],
    [
      'while the old file names the next',
      ({ file, third, opening }) => {
        writeFileSync(at(file, 4), opening);
        appendFileSync(at(file, 3), (third.at(-1) ?? '').slice(0, 100));
      },
    ],
  ])('is set aside and repeated if it stopped %s', async (_, make) => {
    const log = await interrupted();
    const { file } = log;
    writeLines(at(file, 3), log.third.slice(0, -1));
    make(log);
    expect(await bothVerify(file, { keys })).toMatchObject({
      ok: true,
      segments: 3,
      unfinished: at(file, 4),
    });
    const again = await createLog({ file, run: 'r1', key, signer, rotate: { entries: 5 } });
    expect(again.abandoned).toMatchObject({ file: `${at(file, 4)}.torn-1`, line: 1 });
    await again.append([decisionEvent('again')]);
    await again.append([endEvent()]);
    await again.close();
    expect(await bothVerify(file, { keys })).toMatchObject({
      ok: true,
      segments: 4,
      unfinished: null,
      torn: null,
    });
    expect((await callsIn(file)).at(-1)).toBe('again');
  });

  it('is completed if only its head is unsigned', async () => {
    const { file, opening } = await interrupted();
    writeFileSync(at(file, 4), opening);
    expect(await bothVerify(file, { keys })).toMatchObject({
      ok: true,
      segments: 4,
      signed: { entries: 11 },
    });
    const again = await createLog({ file, run: 'r1', key, signer });
    expect(again.abandoned).toBeNull();
    await again.append([decisionEvent('again')]);
    await again.close();
    expect(await bothVerify(file, { keys })).toMatchObject({
      ok: true,
      segments: 4,
      signed: { entries: 17 },
    });
  });
});

/** The lines of an attacker who may write every file, and knows how hashes are made. */
function rehashed(entries: readonly JsonObject[]): string[] {
  let prev = firstPrev;
  return entries.map((entry) => {
    const line = lineOf({ ...entry, prev });
    prev = leafIn(line);
    return line;
  });
}

const changed = (file: string, line: number, members: JsonObject) =>
  writeLines(
    file,
    rehashed(linesOf(file).map((text, index) => ({ ...parse(text), ...(index === line ? members : {}) }))),
  );

function swap(one: string, other: string): void {
  renameSync(one, `${one}.x`);
  renameSync(other, one);
  renameSync(`${one}.x`, other);
}

type Attack = readonly [string, string, number, number | null, (file: string) => void];

/** An attack, its code, and the segment and line that any segment's verification names. */
const attacks: readonly Attack[] = [
  ['a segment is taken away', 'SEGMENT_MISSING', 1, 5, (file) => rmSync(at(file, 2))],
  ['the last one is taken away', 'SEGMENT_MISSING', 3, 5, (file) => rmSync(at(file, 4))],
  ['two are swapped', 'SEGMENT_ORDER', 2, 1, (file) => swap(at(file, 2), at(file, 3))],
  [
    'they are put in another order',
    'SEGMENT_ORDER',
    2,
    1,
    (file) => {
      swap(at(file, 2), at(file, 4));
      swap(at(file, 3), at(file, 4));
    },
  ],
  ['the first is swapped with another', 'SEGMENT_ORDER', 1, 1, (file) => swap(file, at(file, 2))],
  ['one stands in two places', 'SEGMENT_DOUBLED', 3, 1, (file) => copyFileSync(at(file, 2), at(file, 3))],
  ['the first stands in two places', 'SEGMENT_DOUBLED', 2, 1, (file) => copyFileSync(file, at(file, 2))],
  [
    'one leads back to the one before',
    'SEGMENT_DOUBLED',
    1,
    1,
    (file) => changed(file, 4, { next: 'run.jsonl' }),
  ],
  ['one is emptied', 'SEGMENT_OPENING', 2, 1, (file) => writeFileSync(at(file, 2), '')],
  ['one is torn in its first line', 'SEGMENT_OPENING', 2, 1, (file) => truncateSync(at(file, 2), 50)],
  [
    'one loses its first line',
    'SEQ_GAP',
    2,
    1,
    (file) => writeLines(at(file, 2), linesOf(at(file, 2)).slice(1)),
  ],
  [
    'one is written anew, without its first line',
    'SEGMENT_OPENING',
    2,
    1,
    (file) => {
      const entries = linesOf(at(file, 2)).slice(1).map(parse);
      writeLines(at(file, 2), rehashed(entries.map((entry, seq) => ({ ...entry, seq }))));
    },
  ],
  [
    'one loses its end',
    'SEGMENT_UNCLOSED',
    2,
    5,
    (file) => writeLines(at(file, 2), linesOf(at(file, 2)).slice(0, 4)),
  ],
  [
    'the first loses its end',
    'SEGMENT_UNCLOSED',
    1,
    3,
    (file) => writeLines(file, linesOf(file).slice(0, 2)),
  ],
  [
    'one is torn at its end',
    'SEGMENT_UNCLOSED',
    2,
    5,
    (file) => truncateSync(at(file, 2), statSync(at(file, 2)).size - 9),
  ],
  [
    'one is emptied behind its first line',
    'SEGMENT_UNCLOSED',
    2,
    2,
    (file) => writeLines(at(file, 2), linesOf(at(file, 2)).slice(0, 1)),
  ],
  [
    'something follows its end',
    'SEGMENT_MISPLACED',
    1,
    6,
    (file) => changedEnd(file, { ...parse(linesOf(file)[3]), seq: 5 }),
  ],
  ['something torn follows its end', 'TRAILING_GARBAGE', 1, 6, (file) => appendFileSync(file, '{"prev":"')],
  [
    'it ends in the middle',
    'SEGMENT_MISPLACED',
    1,
    4,
    (file) => changed(file, 2, { event: 'segment', number: 1, next: 'run.0002.jsonl' }),
  ],
  [
    'another begins in the middle',
    'SEGMENT_MISPLACED',
    1,
    3,
    (file) =>
      changed(file, 2, {
        event: 'segment',
        number: 2,
        before: parse(linesOf(at(file, 2))[0]).before ?? null,
      }),
  ],
  ['one is written anew', 'SEGMENT_MISMATCH', 2, 1, (file) => changed(file, 1, { decision: 'blocked' })],
  [
    'one is written anew, and the next one names it',
    'SEGMENT_MISMATCH',
    3,
    1,
    (file) => {
      const before = parse(linesOf(at(file, 2))[0]).before as JsonObject;
      changed(file, 1, { decision: 'blocked' });
      const hash = leafIn(linesOf(file).at(-1) ?? '');
      changed(at(file, 2), 0, { before: { ...before, hash } });
    },
  ],
  [
    'an entry is taken out, and everything about it is made right but the count',
    'SEGMENT_MISMATCH',
    3,
    1,
    (file) => {
      const second = linesOf(at(file, 2)).map(parse).toSpliced(2, 1);
      writeLines(at(file, 2), rehashed(second.map((entry, seq) => ({ ...entry, seq }))));
      const hash = leafIn(linesOf(at(file, 2)).at(-1) ?? '');
      const before = parse(linesOf(at(file, 3))[0]).before as JsonObject;
      changed(at(file, 3), 0, { before: { ...before, seq: 3, hash } });
    },
  ],
  ['the number of an end is another', 'SEGMENT_ORDER', 1, 5, (file) => changed(file, 4, { number: 2 })],
  ['an end names a path', 'BAD_FIELD', 1, 5, (file) => changed(file, 4, { next: '../run.0002.jsonl' })],
  ['an end without a file name', 'BAD_FIELD', 1, 5, (file) => changed(file, 4, { next: 7 })],
  [
    'a beginning is malformed',
    'BAD_FIELD',
    2,
    1,
    (file) => changed(at(file, 2), 0, { before: { file: 'run.jsonl' } }),
  ],
  [
    'a beginning is also an end',
    'BAD_FIELD',
    2,
    1,
    (file) => changed(at(file, 2), 0, { next: 'run.0003.jsonl' }),
  ],
  ['a segment is of another run', 'SEGMENT_MISMATCH', 2, 1, (file) => changed(at(file, 2), 0, { run: 'r9' })],
];

function changedEnd(file: string, entry: JsonObject): void {
  writeLines(file, rehashed([...linesOf(file).map(parse), entry]));
}

describe('a log of several segments', () => {
  it.each(some(attacks))('reveals that %s', async (_, code, segment, line, attack) => {
    const file = await rotated();
    attack(file);
    const found = await bothVerify(file);
    const where = segment === 1 ? {} : { where: at(file, segment) };
    expect(found).toMatchObject({ ok: false, code, line, ...where });
    if (segment === 1) expect(found).not.toHaveProperty('where');
    // Named by another segment, as far as that still says that it is one.
    for (const number of [2, 3, 4]) {
      if (existsSync(at(file, number)))
        expect(await bothVerify(at(file, number))).toMatchObject({ ok: false });
    }
    await expect(createLog({ file, run: 'r1', key })).rejects.toMatchObject({ code: 'BROKEN' });
  });

  it('is not found without its first segment', async () => {
    const file = await rotated();
    rmSync(file);
    await expect(verifyLog(file)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await bothVerify(at(file, 3))).toMatchObject({ ok: false, code: 'SEGMENT_MISSING', line: 1 });
    // What would be the first of a new log has others behind it.
    await expect(createLog({ file, run: 'r1', key })).rejects.toMatchObject({ code: 'BROKEN' });
  });

  it('does not include a copy of a segment elsewhere', async () => {
    const file = await rotated();
    const copy = join(file, '..', 'copy.jsonl');
    copyFileSync(at(file, 2), copy);
    expect(await bothVerify(copy)).toMatchObject({ ok: false, code: 'SEGMENT_MISPLACED', line: 1 });
  });

  it('is verified completely from any segment', async () => {
    const file = await signedSegments();
    const whole = await bothVerify(file, { keys });
    expect(whole).toMatchObject({ ok: true, entries: 18, segments: 4, signed: { entries: 18 } });
    for (const number of [2, 3, 4]) expect(await bothVerify(at(file, number), { keys })).toEqual(whole);
  });

  it('detects a rewrite by the heads, and a rewrite by the key holder by the anchors', async () => {
    const file = await signedSegments();
    const head = await newestHead(file);
    if (!head.ok) throw new Error('damaged');
    // Cut after the second segment, which is made the last one.
    rmSync(at(file, 3));
    rmSync(at(file, 4));
    writeLines(at(file, 2), linesOf(at(file, 2)).slice(0, -1));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code: 'HEAD_LONGER' });
    writeHeads(file, headsOf(file).slice(0, 3));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: 9 });
    expect(await bothVerify(at(file, 2), { keys, anchors: [head.text] })).toMatchObject({
      ok: false,
      code: 'ANCHOR_LONGER',
    });
  });

  it('names the segment in which a run lacks its signature', async () => {
    const file = await rotated();
    await signedSegments({ file, run: 'r2', calls: 1 } as Partial<LogOptions>);
    const heads = headsOf(file);
    writeHeads(file, []);
    const found = await bothVerify(file);
    expect(found).toMatchObject({ ok: false, code: 'HEADS_MISSING', where: at(file, 4) });
    writeHeads(file, heads.slice(0, 1));
    expect(await bothVerify(file)).toMatchObject({ ok: false, code: 'END_UNSIGNED' });
  });

  it('proves entries of each file, and that it continues an older head', async () => {
    const file = await signedSegments();
    const anchor = join(file, '..', 'anchor');
    writeFileSync(anchor, headsOf(file)[2] ?? '');
    for (const number of [1, 2, 3, 4]) {
      const segment = at(file, number);
      const proof = await proveEntry(segment, 1);
      if (!proof.ok) throw new Error('damaged');
      expect(checkProof(proof.text, linesOf(segment)[1] ?? '', keys)).toMatchObject({ ok: true });
      // It is of this one and of no other.
      expect(checkProof(proof.text, linesOf(segment)[2] ?? '', keys)).toMatchObject({ ok: false });
      await expect(proveEntry(segment, 5)).rejects.toMatchObject({ code: 'NO_ENTRY' });
    }
    const since = await proveConsistency(at(file, 3), await readAnchor(anchor));
    if (!since.ok) throw new Error('damaged');
    expect(checkProof(since.text, readFileSync(anchor, 'utf8'), keys)).toMatchObject({ ok: true });
  });
});

describe('readLog of several segments', () => {
  it('returns all entries in order, from any segment', async () => {
    const file = await rotated();
    const calls = Array.from({ length: 10 }, (_, call) => `r1-c${call}`);
    for (const number of [1, 2, 3, 4]) expect(await callsIn(at(file, number))).toEqual(calls);
  });

  it.each<[string, string, (file: string) => void]>([
    ['is missing', 'SEGMENT_MISSING', (file) => rmSync(at(file, 3))],
    ['is in another place', 'SEGMENT_ORDER', (file) => swap(at(file, 2), at(file, 3))],
    ['lost its end', 'SEGMENT_UNCLOSED', (file) => writeLines(at(file, 2), linesOf(at(file, 2)).slice(0, 4))],
  ])('fails instead of omitting entries if one segment %s', async (_, code, damage) => {
    const file = await rotated();
    damage(file);
    await expect(callsIn(file)).rejects.toThrow(code);
  });

  it('finds a call by its id in all segments, and by its number in the named one', async () => {
    const file = await rotated();
    expect(await findCall(file, 'r1-c8')).toMatchObject({ ok: true, story: { call: 'r1-c8' } });
    expect(await findCall(at(file, 2), '1')).toMatchObject({ ok: true, story: { call: 'r1-c3' } });
    expect(await findCall(file, '1')).toMatchObject({ ok: true, story: { call: 'r1-c0' } });
  });

  it('is followed into the next segment, without repetitions', async () => {
    const file = join(folder(), 'run.jsonl');
    const log: FileLog = await createLog({ file, run: 'r1', key, rotate: { entries: 4 } });
    const stop = new AbortController();
    const told: unknown[] = [];
    const following = (async () => {
      for await (const { entry } of tailLog(file, { follow: true, signal: stop.signal })) {
        if (entry.event === 'decision') told.push(entry.call);
        if (told.length === 12) stop.abort();
      }
    })();
    const events: NonEmpty<LogEvent>[] = Array.from({ length: 12 }, (_, call) => [decisionEvent(`c${call}`)]);
    for (const event of events) await log.append(event);
    await following;
    await log.close();
    expect(told).toEqual(Array.from({ length: 12 }, (_, call) => `c${call}`));
  });

  it('counts as one log of a folder', async () => {
    const place = folder();
    const one = await rotated({ file: join(place, 'a.jsonl') });
    const other = await rotated({ file: join(place, 'b.jsonl'), calls: 1 });
    mkdirSync(join(place, 'c'));
    expect(await logsIn([place])).toEqual([one, other]);
    expect(await logsIn([at(one, 3), one, at(one, 2), place])).toEqual([one, other]);
  });
});
