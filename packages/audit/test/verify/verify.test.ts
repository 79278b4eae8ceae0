import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, LogEvent, NonEmpty } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { stride } from '../../../../test/depth.js';
import { createLog, formatVerification, verifyLog } from '../../src/index.js';
import { firstPrev, hashOfLine } from '../../src/log/line/line.js';
import {
  approvalEvent,
  decisionEvent,
  endEvent,
  folder,
  key,
  openLog,
  outcomeEvent,
  runEvent,
} from '../events.js';
import { bothVerify } from '../second-verifier.js';
import { leafIn, lineOf, parse, rehashed } from '../signed.js';

const story: NonEmpty<LogEvent> = [
  runEvent(),
  decisionEvent('c1', 'needs_approval', { path: 'a.md' }),
  approvalEvent('c1', true),
  outcomeEvent('c1'),
  endEvent(),
];

async function written(events: NonEmpty<LogEvent> = story): Promise<{ file: string; lines: string[] }> {
  const file = join(folder(), 'run.jsonl');
  const log = await createLog({ file, run: 'r1', key });
  await log.append(events);
  await log.close();
  return { file, lines: readFileSync(file, 'utf8').split('\n').slice(0, -1) };
}

describe('verifyLog', () => {
  it('accepts a written log', async () => {
    const { file, lines } = await written();
    const head = leafIn(lines[4] ?? '');
    expect(await verifyLog(file)).toEqual({
      ok: true,
      entries: 5,
      run: 'r1',
      runs: 1,
      ended: true,
      head,
      root: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      signed: null,
      anchors: 0,
      clock_back: null,
      torn: null,
      segments: 1,
      unfinished: null,
    });
  });

  it('accepts an empty file, and reports that it is empty', async () => {
    const file = join(folder(), 'run.jsonl');
    writeFileSync(file, '');
    expect(await verifyLog(file)).toEqual({
      ok: true,
      entries: 0,
      run: null,
      runs: 0,
      ended: false,
      head: null,
      // SHA-256 of nothing.
      root: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      signed: null,
      anchors: 0,
      clock_back: null,
      torn: null,
      segments: 1,
      unfinished: null,
    });
  });

  it('names carriage returns, which git may add', async () => {
    const { file, lines } = await written();
    writeFileSync(file, lines.map((line) => `${line}\r\n`).join(''));
    const found = await verifyLog(file);
    expect(found).toMatchObject({
      ok: false,
      line: 1,
      message: expect.stringContaining('a carriage return'),
    });
  });

  const change = (lines: string[], at: number, edit: (line: string) => string) =>
    lines.map((line, index) => (index === at ? edit(line) : line));
  const changed = (lines: string[], at: number, members: JsonObject) =>
    rehashed(lines.map((line, index) => ({ ...parse(line), ...(index === at ? members : {}) })));
  /** The lines after it hold the hash of the changed one. */
  const linked = (lines: string[], at: number, edit: (line: string) => string) => {
    const all = change(lines, at, edit);
    for (let index = at + 1; index < all.length; index += 1)
      all[index] = (all[index] ?? '').replace(
        /"prev":"[^"]*"/,
        `"prev":"${hashOfLine(all[index - 1] ?? '')}"`,
      );
    return all;
  };

  /** The lines with a text of one of them replaced. Linked: the lines after it hold its hash. */
  const replaced = (at: number, from: string | RegExp, to: string) => (lines: string[]) =>
    change(lines, at, (line) => line.replace(from, to));
  const replacedAndLinked = (at: number, from: string | RegExp, to: string) => (lines: string[]) =>
    linked(lines, at, (line) => line.replace(from, to));
  const withMembers = (at: number, members: JsonObject) => (lines: string[]) => changed(lines, at, members);

  it.each<[string, string, number, (lines: string[]) => string[]]>([
    ['a changed text', 'PREV_MISMATCH', 3, replaced(1, 'a.md', 'b.md')],
    ['a changed decision', 'PREV_MISMATCH', 3, replaced(1, 'needs_approval', 'pre_approved')],
    ['a changed time', 'PREV_MISMATCH', 4, replaced(2, 'T10:', 'T11:')],
    ['another escape', 'PREV_MISMATCH', 2, replaced(0, '"u"', '"\\u0075"')],
    ['a blank', 'PREV_MISMATCH', 3, replaced(1, ',"tool"', ', "tool"')],
    ['a member put in', 'PREV_MISMATCH', 3, replaced(1, '"tool":', '"more":1,"tool":')],
    ['a member before the head', 'BAD_HEAD', 2, replacedAndLinked(1, '{', '{"more":1,')],
    [
      'another order of the head',
      'BAD_HEAD',
      2,
      (lines) =>
        linked(lines, 1, (line) => JSON.stringify(Object.fromEntries(Object.entries(parse(line)).reverse()))),
    ],
    ['a blank in the head', 'BAD_HEAD', 2, replacedAndLinked(1, '"seq":1', '"seq": 1')],
    ['a number in another spelling', 'BAD_HEAD', 2, replacedAndLinked(1, '"seq":1', '"seq":1.0')],
    ['a decision without a call', 'BAD_FIELD', 2, replacedAndLinked(1, '"call":"c1",', '')],
    [
      'a decision that stands behind its head',
      'BAD_HEAD',
      2,
      (lines) =>
        linked(lines, 1, (line) =>
          line.replace('"decision":"needs_approval",', '').replace(/}$/, ',"decision":"pre_approved"}'),
        ),
    ],
    ['a code that stands behind its head', 'BAD_HEAD', 2, replacedAndLinked(1, /}$/, ',"code":"cannot"}')],
    ['a line taken out', 'SEQ_GAP', 2, (lines) => lines.filter((_, index) => index !== 1)],
    [
      'a line taken out and the others numbered again',
      'PREV_MISMATCH',
      2,
      (lines) => lines.filter((_, index) => index !== 1).map((line, seq) => lineOf({ ...parse(line), seq })),
    ],
    [
      'a line that stands twice',
      'SEQ_GAP',
      3,
      (lines) => lines.flatMap((line, index) => (index === 1 ? [line, line] : [line])),
    ],
    [
      'two lines that changed places',
      'SEQ_GAP',
      2,
      ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest],
    ],
    ['the first line taken out', 'SEQ_GAP', 1, (lines) => lines.slice(1)],
    ['a first line that follows something', 'FIRST_PREV', 1, replaced(0, firstPrev, '1'.repeat(64))],
    ['another run', 'RUN_CHANGED', 3, withMembers(2, { run: 'r2' })],
    ['another version', 'WRONG_VERSION', 2, withMembers(1, { v: 3 })],
    ['version 1 behind version 2', 'WRONG_VERSION', 2, withMembers(1, { v: 1 })],
    ['an unknown kind of event', 'UNKNOWN_EVENT', 2, withMembers(1, { event: 'note' })],
    ['a number as text', 'BAD_FIELD', 2, replaced(1, '"seq":1', '"seq":"1"')],
    ['a time without a zone', 'BAD_FIELD', 2, withMembers(1, { time: '2026-11-20T10:00:00.000' })],
    ['a call id that is not text', 'BAD_FIELD', 2, withMembers(1, { call: 1 })],
    [
      'a key that occurs twice in the head',
      'DUPLICATE_KEY',
      2,
      replacedAndLinked(1, '"decision":', '"decision":"blocked","decision":'),
    ],
    ...['prev', 'v', 'seq', 'time', 'run', 'event', 'call', 'decision'].map(
      (key): [string, string, number, (lines: string[]) => string[]] => [
        `the key ${key} that comes again`,
        'DUPLICATE_KEY',
        2,
        replacedAndLinked(1, /}$/, `,"${key}":"blocked"}`),
      ],
    ),
    [
      'a repeated key of the head, escaped',
      'DUPLICATE_KEY',
      2,
      replacedAndLinked(1, /}$/, ',"decis\\u0069on":"blocked"}'),
    ],
    ['half a line', 'BAD_JSON', 2, (lines) => change(lines, 1, (line) => line.slice(0, 50))],
    ['a line without its end', 'BAD_JSON', 2, (lines) => change(lines, 1, (line) => line.slice(0, -1))],
    ['an empty line', 'BAD_JSON', 2, ([first = '', ...rest]) => [first, '', ...rest]],
    ['a list as a line', 'BAD_JSON', 2, (lines) => change(lines, 1, () => '[]')],
    ['a byte order mark', 'BAD_JSON', 1, (lines) => change(lines, 0, (line) => `\ufeff${line}`)],
    ['something after the event', 'TRAILING_GARBAGE', 2, (lines) => change(lines, 1, (line) => `${line} {}`)],
    ['a last line that is not JSON', 'BAD_JSON', 5, replaced(4, '"calls":1', '"calls":l')],
    ['a last line with a repeated key', 'DUPLICATE_KEY', 5, replaced(4, '"calls":1', '"calls":1,"calls":2')],
  ])('finds %s: %s', async (_, code, line, tamper) => {
    const { file, lines } = await written();
    writeFileSync(file, `${tamper(lines).join('\n')}\n`);
    expect(await bothVerify(file)).toMatchObject({ ok: false, code, line });
  });

  it('detects any changed, added or removed byte, except in values of the last line', async () => {
    const { file, lines } = await written();
    const bytes = readFileSync(file);
    const last = bytes.length - Buffer.byteLength(`${lines.at(-1)}\n`);
    for (let at = 0; at < last; at += stride) {
      const byte = bytes[at] ?? 0;
      const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
      const ways = [
        Buffer.concat([before, Buffer.of(byte ^ (1 << (at % 8))), after]),
        Buffer.concat([before, after]),
        Buffer.concat([before, Buffer.of(byte), bytes.subarray(at)]),
      ];
      for (const way of at % 3 === 0 ? ways : ways.slice(at % 3, (at % 3) + 1)) {
        writeFileSync(file, way);
        expect((await verifyLog(file)).ok, `byte ${at}`).toBe(false);
      }
    }
    // Of the last line, only what cannot be read: nothing but a signed head or an anchor covers it.
    writeFileSync(file, `${lines.join('\n').replace('"finished"', '"failed"')}\n`);
    expect(await bothVerify(file)).toMatchObject({ ok: true });
  });

  it('detects bytes that are not text', async () => {
    const { file } = await written();
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('filesystem')] = 0xff;
    writeFileSync(file, bytes);
    expect(await verifyLog(file)).toMatchObject({ ok: false, code: 'BAD_ENCODING', line: 2 });
  });

  it('accepts a torn last line, and reports its start, at every byte', async () => {
    const { file, lines } = await written();
    const whole = Buffer.byteLength(`${lines.slice(0, 4).join('\n')}\n`);
    const all = readFileSync(file).length;
    for (let size = whole + 1; size < all; size += 1) {
      truncateSync(file, 0);
      writeFileSync(file, `${lines.join('\n')}\n`);
      truncateSync(file, size);
      const torn = { line: 5, offset: whole, bytes: size - whole };
      expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 4, ended: false, torn });
    }
  });

  it('distinguishes other data at the end from a torn line', async () => {
    const { file, lines } = await written();
    writeFileSync(file, `${lines.join('\n')}\nhello`);
    expect(await verifyLog(file)).toMatchObject({ ok: false, code: 'TRAILING_GARBAGE', line: 6 });
    writeFileSync(file, `${lines.join('\n')}\n${'\0'.repeat(100)}`);
    expect(await verifyLog(file)).toMatchObject({ ok: true, torn: { line: 6, bytes: 100 } });
  });

  it('rejects a folder', async () => {
    await expect(verifyLog(folder())).rejects.toMatchObject({ name: 'LogError', code: 'UNSAFE_FILE' });
    await expect(verifyLog('/dev/zero')).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    await expect(verifyLog(join(folder(), 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    const { file } = await written();
    symlinkSync(file, `${file}.link`);
    expect(await verifyLog(`${file}.link`)).toMatchObject({ ok: true });
  });

  const refused: LogEvent = {
    now: 0,
    event: 'outcome',
    call: 'c',
    outcome: 'refused',
    code: 'blocked',
    reason: 'no',
  };
  it.each<[string, boolean, NonEmpty<LogEvent>]>([
    ['a pre-approved call', true, [decisionEvent('c'), outcomeEvent('c')]],
    [
      'an approved call',
      true,
      [decisionEvent('c', 'needs_approval'), approvalEvent('c', true), outcomeEvent('c')],
    ],
    [
      'a call that was judged again after its answer',
      true,
      [
        decisionEvent('c', 'needs_approval'),
        approvalEvent('c', true),
        decisionEvent('c', 'needs_approval'),
        outcomeEvent('c'),
      ],
    ],
    ['a refused call', true, [decisionEvent('c', 'blocked'), refused]],
    ['a call that was never judged', false, [outcomeEvent('c')]],
    ['a call of which another was judged', false, [decisionEvent('d'), outcomeEvent('c')]],
    ['a call that ran twice', false, [decisionEvent('c'), outcomeEvent('c'), outcomeEvent('c')]],
    ['a blocked call', false, [decisionEvent('c', 'blocked'), outcomeEvent('c')]],
    [
      'a blocked call with an approval',
      false,
      [decisionEvent('c', 'blocked'), approvalEvent('c', true), outcomeEvent('c')],
    ],
    ['a call without an answer', false, [decisionEvent('c', 'needs_approval'), outcomeEvent('c')]],
    [
      'a call that was denied',
      false,
      [decisionEvent('c', 'needs_approval'), approvalEvent('c', false), outcomeEvent('c')],
    ],
    [
      'a call that was approved before it was judged',
      false,
      [approvalEvent('c', true), decisionEvent('c', 'needs_approval'), outcomeEvent('c')],
    ],
    [
      'a call that was blocked after its answer',
      false,
      [
        decisionEvent('c', 'needs_approval'),
        approvalEvent('c', true),
        decisionEvent('c', 'blocked'),
        outcomeEvent('c'),
      ],
    ],
    ['a call that was refused unjudged', false, [decisionEvent('c', null), outcomeEvent('c')]],
    [
      'a failed call that was never judged',
      false,
      [{ now: 0, event: 'outcome', call: 'c', outcome: 'failed', error: 'x' }],
    ],
  ])('checks the order of %s: %s', async (_, ok, events) => {
    const { file } = await written(events);
    expect(await verifyLog(file)).toMatchObject(
      ok ? { ok } : { ok, code: 'OUTCOME_WITHOUT_DECISION', line: events.length },
    );
  });
});

describe('formatVerification', () => {
  it('reports the result on one line, escaped', async () => {
    const { file, lines } = await written();
    expect(formatVerification('a\u001b.jsonl', await verifyLog(file))).toBe(
      'a\\u{1b}.jsonl: verified, 5 entries of run r1; not signed; run `ambit log key` to sign future logs',
    );
    writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n{"prev":"`);
    expect(formatVerification('a.jsonl', await verifyLog(file))).toBe(
      'a.jsonl: verified, 2 entries of run r1; the run has no end yet; line 3 is torn (9 bytes), everything before it is whole; not signed; run `ambit log key` to sign future logs',
    );
    writeFileSync(file, `${lines.slice(1).join('\n')}\n`);
    expect(formatVerification('a.jsonl', await verifyLog(file))).toBe(
      'a.jsonl:1: SEQ_GAP the number of the entry is not the next one: expected 0, found 1',
    );
  });

  it('an invalid log is not continued', async () => {
    const { file, lines } = await written();
    writeFileSync(file, `${lines.slice(1).join('\n')}\n`);
    await expect(openLog(file)).rejects.toMatchObject({ code: 'BROKEN' });
    expect(readFileSync(file, 'utf8')).toBe(`${lines.slice(1).join('\n')}\n`);
  });
});
