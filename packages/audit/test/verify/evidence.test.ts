import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stride } from '../../../../test/depth.js';
import { formatVerification, verifyLog } from '../../src/index.js';
import { bothVerify } from '../second-verifier.js';
import {
  edited,
  headOver,
  headsOf,
  linesOf,
  otherSigner,
  parse,
  rehashed,
  signedLog,
  signer,
  story,
  writeHeads,
  writeLines,
} from '../signed.js';

const keys = [signer.verifier];

describe('a signed log', () => {
  it('has a head at its beginning, after each number of entries and at its end', async () => {
    const file = await signedLog();
    expect(headsOf(file).map((head) => head.split('\n').slice(0, 2))).toEqual(
      [0, 2, 4, 6, 7].map((size) => ['ambit/one/r1', String(size)]),
    );
    expect(await bothVerify(file, { keys })).toMatchObject({
      ok: true,
      signed: {
        entries: 7,
        heads: 5,
        key: `ambit/one+${signer.verifier.id}`,
        trust: 'given',
        torn: false,
      },
    });
    expect(await bothVerify(file)).toMatchObject({ ok: true, signed: { trust: 'log' } });
  });

  type Tamper = (log: { readonly file: string; readonly lines: string[]; readonly heads: string[] }) => void;
  const log =
    (change: (lines: string[]) => readonly string[]): Tamper =>
    ({ file, lines }) =>
      writeLines(file, change(lines));
  const heads =
    (change: (heads: string[], lines: string[]) => readonly string[]): Tamper =>
    ({ file, lines, heads: found }) =>
      writeHeads(file, change(found, lines));
  const everyHead = (from: string | RegExp, to: string) =>
    heads((notes) => notes.map((note) => note.replace(from, to)));
  const both =
    (...tampers: readonly Tamper[]): Tamper =>
    (at) => {
      for (const tamper of tampers) tamper(at);
    };
  const flip = (text: string, at: number) =>
    `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

  it.each<[string, string, number, Tamper]>([
    // The log alone.
    [
      'a flipped value',
      'PREV_MISMATCH',
      3,
      log((lines) => lines.map((line, at) => (at === 1 ? line.replace('a.md', 'b.md') : line))),
    ],
    ['a dropped line', 'SEQ_GAP', 4, log((lines) => lines.toSpliced(3, 1))],
    ['swapped lines', 'SEQ_GAP', 2, log(([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest])],
    ['a cut tail', 'HEAD_LONGER', 25, log((lines) => lines.slice(0, 6))],
    ['a log that was emptied', 'HEAD_LONGER', 7, log(() => [])],
    ['a tail with new hashes', 'HEAD_MISMATCH', 25, log((lines) => rehashed(edited(lines, 6, { why: 'x' })))],
    [
      'a log with new hashes',
      'HEAD_MISMATCH',
      7,
      log((lines) => rehashed(edited(lines, 1, { tool: 'x.y' }))),
    ],
    [
      'a line taken out, with new hashes',
      'HEAD_MISMATCH',
      7,
      log((lines) => rehashed(lines.toSpliced(1, 3).map(parse))),
    ],
    [
      'a line put in, with new hashes',
      'HEAD_MISMATCH',
      19,
      log((lines) => rehashed(lines.toSpliced(5, 0, lines[4] ?? '').map(parse))),
    ],
    // Its heads alone.
    ['no heads', 'HEADS_MISSING', 1, ({ file }) => rmSync(`${file}.heads`)],
    ['an empty file of heads', 'HEADS_MISSING', 1, heads(() => [])],
    [
      'a flipped root',
      'HEAD_SIGNATURE',
      13,
      heads((notes) =>
        notes.map((note, at) => (at === 2 ? note.replace(/\n4\n./, (found) => flip(found, 3)) : note)),
      ),
    ],
    ['a flipped size', 'HEAD_SIGNATURE', 7, everyHead('\n2\n', '\n3\n')],
    [
      'a flipped signature',
      'HEAD_SIGNATURE',
      7,
      heads((notes) => notes.map((note, at) => (at === 1 ? flip(note, note.length - 40) : note))),
    ],
    ['a signature cut short', 'HEAD_SIGNATURE', 1, everyHead(/.{4}\n\n$/, '\n\n')],
    ['another name under a signature', 'HEAD_KEY', 1, everyHead('— ambit/one', '— ambit/two')],
    ['a signature that was taken off', 'HEAD_MALFORMED', 1, everyHead(/— .*/, '—')],
    ['a head in another form', 'HEAD_MALFORMED', 7, everyHead('\n2\n', '\n02\n')],
    [
      'a line more under a head',
      'HEAD_MALFORMED',
      7,
      heads((notes) => notes.map((note, at) => (at === 1 ? note.replace('=\n', '=\nmore\n') : note))),
    ],
    [
      'heads in another order',
      'HEAD_ORDER',
      13,
      heads(([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]),
    ],
    [
      'bytes that are not text',
      'HEAD_MALFORMED',
      1,
      ({ file }) => {
        const bytes = readFileSync(`${file}.heads`);
        bytes[3] = 0xff;
        writeFileSync(`${file}.heads`, bytes);
      },
    ],
    [
      'a log with new hashes, and the heads from there on taken away',
      'END_UNSIGNED',
      3,
      both(
        log((lines) => rehashed(edited(lines, 4, { reason: 'another' }))),
        heads((notes) => notes.slice(0, 2)),
      ),
    ],
    // Signed again.
    [
      'a head by another key',
      'HEAD_KEY',
      31,
      heads((notes, lines) => [...notes, headOver(lines, { by: otherSigner })]),
    ],
    [
      'every head by another key',
      'HEAD_KEY',
      1,
      heads((_, lines) => [
        headOver(lines, { by: otherSigner, size: 0 }),
        headOver(lines, { by: otherSigner }),
      ]),
    ],
    [
      'a head of another log',
      'HEAD_ORIGIN',
      31,
      heads((notes, lines) => [...notes, headOver(lines, { run: 'r2' })]),
    ],
    [
      'a log and heads by another key',
      'HEAD_KEY',
      1,
      both(
        log((lines) => rehashed(edited(lines, 0, { signer: otherSigner.verifier.text }))),
        ({ file }) => writeHeads(file, [headOver(linesOf(file), { by: otherSigner })]),
      ),
    ],
    [
      'a log without its key, and no heads',
      'UNSIGNED',
      1,
      both(
        log((lines) =>
          rehashed(
            lines.map((line) => {
              const { signer: _, ...rest } = parse(line);
              return rest;
            }),
          ),
        ),
        ({ file }) => rmSync(`${file}.heads`),
      ),
    ],
  ])('fails verification: %s: %s', async (_, code, line, tamper) => {
    const file = await signedLog();
    const damage = { ok: false, code, line };
    expect(await verifyLog(file, { keys })).toMatchObject({ ok: true });
    tamper({ file, lines: linesOf(file), heads: headsOf(file) });
    expect(await bothVerify(file, { keys })).toMatchObject(damage);
  });

  it('fails verification if two logs were spliced, with new hashes, and with the heads of both', async () => {
    const [one, two] = [await signedLog(), await signedLog({ run: 'r2', events: story.slice(0, 3) })];
    const heads = [...headsOf(one), ...headsOf(two)];
    writeLines(one, rehashed([...linesOf(one).slice(0, 4), ...linesOf(two)].map(parse)));
    writeHeads(one, heads);
    expect(await bothVerify(one, { keys })).toMatchObject({ code: 'HEAD_MISMATCH', line: 19, seq: 4 });
    // Entries beyond the last head are unsigned, and that is reported.
    writeHeads(one, heads.slice(0, 3));
    const verification = await bothVerify(one, { keys });
    expect(verification).toMatchObject({ ok: true, entries: 8, signed: { entries: 4 } });
    expect(formatVerification('log', verification)).toContain('except for the last 4 entries');
  });

  it('reports the source of the key: the verifier, the log or none', async () => {
    const file = await signedLog();
    writeLines(file, rehashed(edited(linesOf(file), 0, { signer: otherSigner.verifier.text })));
    writeHeads(file, [headOver(linesOf(file), { by: otherSigner })]);
    const named = await bothVerify(file);
    expect(named).toMatchObject({ ok: true, signed: { trust: 'log' } });
    expect(formatVerification('log', named)).toContain(
      'signed by a key that the log itself names, ambit/two+',
    );
    writeLines(file, rehashed(edited(linesOf(file), 0, { signer: 'no key' })));
    writeHeads(file, [headOver(linesOf(file), { by: otherSigner })]);
    const unnamed = await bothVerify(file);
    expect(unnamed).toMatchObject({ ok: true, signed: { trust: 'nobody' } });
    expect(formatVerification('log', unnamed)).toContain('signatures that were not checked, of ambit/two+');
  });

  it('accepts the heads before a torn one, at every byte', async () => {
    // Without its end: a head is torn where its writer was killed.
    const file = await signedLog({ events: [...story.slice(0, 5), ...story.slice(3, 4)] });
    const notes = headsOf(file);
    const before = Buffer.byteLength(notes.slice(0, 4).join(''));
    const all = readFileSync(`${file}.heads`);
    for (let size = before + 1; size < all.length; size += stride) {
      writeFileSync(`${file}.heads`, all.subarray(0, size));
      const signed = { entries: 6, heads: 4, torn: true };
      expect(await verifyLog(file, { keys })).toMatchObject({ ok: true, signed });
    }
    writeFileSync(`${file}.heads`, all.subarray(0, before + 30));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, signed: { torn: true } });
    writeFileSync(`${file}.heads`, Buffer.concat([all, Buffer.alloc(50)]));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, signed: { entries: 7, torn: true } });
  });

  it('detects any flipped bit in its heads', async () => {
    const file = await signedLog();
    const bytes = readFileSync(`${file}.heads`);
    const unseen: number[] = [];
    for (let at = 0; at < bytes.length; at += stride) {
      const turned = Buffer.from(bytes);
      turned[at] = (turned[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(`${file}.heads`, turned);
      if ((await verifyLog(file, { keys })).ok) unseen.push(at);
    }
    expect(unseen).toEqual([]);
  });

  it('reports that the clock was set back, and stays valid', async () => {
    const events = story.map((event, at) => ({ ...event, now: at === 3 ? 5 : 1000 }));
    const file = await signedLog({ events });
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, clock_back: 1 });
  });
});
