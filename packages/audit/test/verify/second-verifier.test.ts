import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json, LogEvent, NonEmpty } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeep, tries } from '../../../../test/depth.js';
import { lastPoint, numberOf, pointAt } from '../../../../test/texts.js';
import { createLog, readAnchor, verifyLog } from '../../src/index.js';
import { hashOfLine } from '../../src/log/line/line.js';
import { decisionEvent, folder, key as logKey } from '../events.js';
import { bothVerify, hasPython, inShort, saidInPython } from '../second-verifier.js';
import {
  headOver,
  headsOf,
  linesOf,
  otherSigner,
  parse,
  rehashed,
  signedLog,
  signedRun,
  signer,
  story,
  writeHeads,
  writeLines,
} from '../signed.js';
import { edits, type Files, headsName, pick, tampered } from './tampering.js';

const keys = [signer.verifier];

/** What readers of JSON may read in different ways. */
const pieces = [
  '" \\ { } [ ] : , \t \0 \r 1 - . e \u00e9 \ufeff \u2028 1e999 -0 1.0 9007199254740991 1000000000000000 null NaN',
  ',"code":1 ,"c\\u006fde":1 ,"c\\u006fde\t":1 ,"x\t":1 "\\ud800":1 ,"hash":1 \\u0000 \\u0041 \\x',
  ',"prev":"0" ,"run":{} ,"code\\\\":1 ,"\\"code":1 ,"x":{"code":1} \\U0041 \u0661 \u3000 \x1c \x7f \x85 E1 -1 00 [] {}',
].flatMap((words) => [...words.split(' '), ' ', ',"v" :2']);

/** A log of two runs, in segments of a few entries; its files by their names. */
async function rotatedLog(run: string, by = signer): Promise<Files> {
  const file = join(folder(), 'run.jsonl');
  for (const name of [run, `${run}-again`]) {
    const log = await createLog({
      file,
      run: name,
      key: logKey,
      signer: by,
      heads: { entries: 3, seconds: 3600 },
      rotate: { entries: 4 },
    });
    for (const event of [signedRun(by), ...story]) await log.append([event] as NonEmpty<LogEvent>);
    await log.close();
  }
  return filesOf(file);
}

function filesOf(file: string): Files {
  const names = readdirSync(dirname(file)).sort();
  const segments = names.filter((name) => name.endsWith('.jsonl'));
  const inOrder = [...segments.filter((name) => name === 'run.jsonl'), ...segments, headsName];
  return new Map(inOrder.map((name) => [name, readFileSync(join(dirname(file), name))]));
}

/** A log of version 1 that a writer of version 2 continued. */
async function oldLog(): Promise<Files> {
  const file = await signedLog();
  const lines = rehashed(linesOf(file).map(parse), 1);
  writeLines(file, lines);
  writeHeads(file, [headOver(lines, { size: 0 }), headOver(lines, { size: 4 }), headOver(lines)]);
  const log = await createLog({ file, run: 'r2', key: logKey, signer });
  await log.append([signedRun(), ...story] as NonEmpty<LogEvent>);
  await log.close();
  return filesOf(file);
}

describe.skipIf(!hasPython)('the second verifier', () => {
  it('reads every value like this one', async () => {
    const values = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 400, seed: 6 }) as Json[];
    const numbers = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 400, seed: 7 });
    const texts = fc.sample(fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf) }), {
      numRuns: 400,
      seed: 8,
    });
    const more = [
      2 ** 53 + 2,
      1e21,
      1e-7,
      123e-20,
      5e-324,
      -0,
      1e300,
      { '10': 1, '9': 2, '\u{1f600}': 3, '\ufb33': 4 },
    ];
    const events = [...values, ...numbers, ...texts, ...more].map((value, at) =>
      decisionEvent(`c${at}`, 'blocked', { value }),
    );
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key: logKey, signer });
    await log.append([signedRun(), ...events]);
    await log.close();
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: events.length + 1 });
    const lines = rehashed(linesOf(file).map(parse), 1);
    writeLines(file, lines);
    writeHeads(file, [headOver(lines, { size: 0 }), headOver(lines)]);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: events.length + 1 });
  });

  it('agrees about a line with anything in it', async () => {
    const file = await signedLog();
    const closing = { now: 0, event: 'segment', number: 1, next: 'run.0002.jsonl' };
    const entries = [...linesOf(file).map(parse), { ...parse(linesOf(file)[0]), ...closing }];
    const versions = [rehashed(entries), rehashed(entries, 1)];
    const place = folder();
    const change = fc.record({
      lines: fc.constantFrom(...versions),
      line: fc.nat(),
      // Often near an end, where members are added.
      at: fc.oneof(
        fc.nat(),
        fc.nat(12).map((back) => -1 - back),
      ),
      dropped: fc.nat(2),
      added: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((all) => all.join('')),
    });
    const samples = fc.sample(change, { numRuns: tries(3000), seed: 9 });
    const files = samples.map(({ lines, line, at, dropped, added }, index) => {
      const text = pick(lines, line) ?? '';
      const from = at < 0 ? text.length + at : at % text.length;
      const changed = `${text.slice(0, from)}${added}${text.slice(from + dropped)}`;
      const name = join(place, `${index}.jsonl`);
      writeFileSync(name, `${lines.with(line % lines.length, changed).join('\n')}\n`);
      return name;
    });
    const said = saidInPython(files, { keys: [], anchorFiles: [] });
    const codes = new Set<string>();
    for (const [at, name] of files.entries()) {
      const found = inShort(await verifyLog(name), name);
      expect(said[at], JSON.stringify(samples[at])).toEqual(found);
      codes.add(found.code ?? 'ok');
    }
    for (const code of ['NO_ENTRY', 'PREV_MISMATCH', 'HASH_MISMATCH']) expect(codes).toContain(code);
  }, 600_000);

  it.each<[string, string, (line: string) => string, number?]>([
    ['a number beyond all bounds', 'BAD_FIELD', (line) => line.replace('"seq":2', '"seq":1e999')],
    ['not a number', 'BAD_JSON', (line) => line.replace('"seq":2', '"seq":NaN')],
    ['a lone surrogate', 'PREV_MISMATCH', (line) => line.replace('"call":"c1"', '"call":"\\ud800"'), 4],
    ['an invalid escape', 'BAD_JSON', (line) => line.replace('"call":"c1"', '"call":"\\x"')],
    ['a tab beside an escape in a key', 'BAD_JSON', (line) => `${line.slice(0, -1)},"c\\u006fde\t":1}`],
    ['an invalid escape in a key', 'BAD_JSON', (line) => `${line.slice(0, -1)},"c\\x6":1}`],
    ['a byte order mark', 'BAD_JSON', (line) => `\ufeff${line}`],
    [
      'too many levels',
      'PREV_MISMATCH',
      (line) => `${line.slice(0, -1)},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      4,
    ],
    [
      'a repeated key of its head, followed by blanks',
      'DUPLICATE_KEY',
      (line) => `${line.slice(0, -1)},"call" :"c9"}`,
    ],
    [
      'a key of another head, followed by blanks',
      'BAD_HEAD',
      (line) => `${line.slice(0, -1)},"outcome"\t:"completed"}`,
    ],
    ['another line after it', 'TRAILING_GARBAGE', (line) => `${line}${line}`],
  ])('agrees about a line with %s: %s', async (_, code, change, found = 3) => {
    const file = await signedLog();
    const lines = linesOf(file);
    writeLines(file, lines.with(2, change(lines[2] ?? '')));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code, line: found });
  });

  it.each<[string, string, (line: string) => string]>([
    ['a number beyond all bounds', 'BAD_FIELD', (line) => line.replace('"seq":2', '"seq":1e999')],
    [
      'a longer count than a head has',
      'BAD_FIELD',
      (line) => line.replace('"seq":2', '"seq":1000000000000000'),
    ],
    ['a changed text', 'HASH_MISMATCH', (line) => line.replace('"call":"c1"', '"call":"c2"')],
    ['a lone surrogate', 'HASH_MISMATCH', (line) => line.replace('"call":"c1"', '"call":"\\ud800"')],
    [
      'too many levels',
      'BAD_JSON',
      (line) => `${line.slice(0, -1)},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
    [
      'as many levels as there may be',
      'HASH_MISMATCH',
      (line) => `${line.slice(0, -1)},"x":${'['.repeat(999)}${']'.repeat(999)}}`,
    ],
    [
      'a key that stands twice',
      'DUPLICATE_KEY',
      (line) => line.replace('"call":"c1"', '"call":"c2","call":"c1"'),
    ],
    ['a byte order mark', 'BAD_JSON', (line) => `\ufeff${line}`],
    ['version 2 without its head', 'BAD_HEAD', (line) => line.replace('"v":1', '"v":2')],
  ])('agrees about a line of version 1 with %s: %s', async (_, code, change) => {
    const file = await signedLog();
    const lines = rehashed(linesOf(file).map(parse), 1);
    writeLines(file, lines);
    writeHeads(file, [headOver(lines, { size: 0 }), headOver(lines)]);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: 7 });
    writeLines(file, lines.with(2, change(lines[2] ?? '')));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code, line: 3 });
  });

  it('ignores the `call` of an event that is about no call, whatever it is', async () => {
    const file = await signedLog();
    const entries = linesOf(file).map(parse);
    const lines = rehashed([...entries.slice(0, -1), { ...entries.at(-1), call: [] }], 1);
    writeLines(file, lines);
    writeHeads(file, [headOver(lines, { size: 0 }), headOver(lines)]);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: 7 });
  });

  it.skipIf(!isDeep)('agrees that a line, or what was never filled, is too long', async () => {
    const file = await signedLog();
    const lines = linesOf(file);
    writeLines(file, [...lines, '\0'.repeat(2 ** 26)]);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code: 'LINE_TOO_LONG', line: 8 });
    writeFileSync(file, `${lines.join('\n')}\n${'\0'.repeat(2 ** 26)}`);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code: 'LINE_TOO_LONG', line: 8 });
    writeFileSync(file, `${lines.join('\n')}\n${'\0'.repeat(2 ** 26 - 1)}`);
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: 7 });
  });

  it('agrees about the heads of a run with half a character in its name', async () => {
    const file = await signedLog({ run: 'r\ud800' });
    expect(await bothVerify(file, { keys })).toMatchObject({
      ok: true,
      run: 'r\ud800',
      signed: { entries: 7 },
    });
    writeHeads(file, [headOver(linesOf(file))]);
    expect(await bothVerify(file)).toMatchObject({ ok: false, code: 'HEAD_ORIGIN' });
  });

  it('verifies a log of version 1 that is continued in version 2, in the same file and in the next', async () => {
    const file = await signedLog();
    const lines = rehashed(linesOf(file).map(parse), 1);
    writeLines(file, lines);
    writeHeads(file, [headOver(lines, { size: 0 }), headOver(lines)]);
    const log = await createLog({ file, run: 'r2', key: logKey, signer, rotate: { entries: 9 } });
    for (const event of [signedRun(), ...story]) await log.append([event] as NonEmpty<LogEvent>);
    await log.close();
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, entries: 16, segments: 2, runs: 2 });
    const [eighth = ''] = linesOf(file).slice(7);
    expect(parse(eighth).prev).toBe(hashOfLine(lines[6] ?? ''));
    writeLines(file, linesOf(file).with(6, (lines[6] ?? '').replace('{', '{ ')));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code: 'PREV_MISMATCH', line: 8 });
  });

  it('reads long lines of any characters, across the blocks that are written and those that are read', async () => {
    const lengths = [1, 15_000, 16_300, 16_400, 40_000, 3, 65_000, 20];
    const contents = ['\u{1f600}', '\u20ac', '\r\0'];
    const events = contents.flatMap((content, at) =>
      lengths.map((length, index) => decisionEvent(`c${at}-${index}`, 'blocked', content.repeat(length))),
    );
    const [group, sync] = await Promise.all(
      (['group', 'sync'] as const).map(async (commit) => {
        const file = join(folder(), 'run.jsonl');
        const log = await createLog({ file, run: 'r1', key: logKey, commit });
        await Promise.all(events.map((event) => log.append([event])));
        await log.close();
        return file;
      }),
    );
    const bytes = readFileSync(group ?? '');
    expect(bytes.equals(readFileSync(sync ?? ''))).toBe(true);
    expect(await bothVerify(group ?? '')).toMatchObject({ ok: true, entries: events.length });
    // The first chunk of a reader ends within a character.
    const border = 1 << 20;
    expect((bytes[border] ?? 0) & 0xc0).toBe(0x80);
    bytes[border] = 13;
    writeFileSync(group ?? '', bytes);
    const line = bytes.subarray(0, border).toString('latin1').split('\n').length;
    expect(await bothVerify(group ?? '')).toMatchObject({ ok: false, code: 'BAD_ENCODING', line });
    writeFileSync(group ?? '', readFileSync(sync ?? '').subarray(0, border));
    expect(await bothVerify(group ?? '')).toMatchObject({ ok: true, entries: line - 1 });
  });

  it('finds the same in a later segment that another file of one line replaced', async () => {
    const files = await rotatedLog('r1');
    const [first = ''] = (files.get('run.jsonl')?.toString() ?? '').split('\n');
    const place = folder();
    const name = join(place, 'run.0002.jsonl');
    for (const [own, bytes] of files) writeFileSync(join(place, own), bytes);
    writeFileSync(name, `${first}\n`);
    expect(await bothVerify(name, { keys })).toMatchObject({ ok: false, code: 'HEADS_MISSING', line: 1 });
  });

  it('counts no signature of another key', async () => {
    const file = await signedLog();
    const [, ours = ''] = (headsOf(file)[0] ?? '').split('\n\n');
    writeHeads(file, [`${headOver(linesOf(file), { by: otherSigner }).trimEnd()}\n${ours}\n\n`]);
    expect(await bothVerify(file, { keys: [otherSigner.verifier] })).toMatchObject({
      code: 'HEADS_MISSING',
      line: 1,
    });
  });

  const single = async () => filesOf(await signedLog());
  const rotated = () => rotatedLog('r1');
  it.each([
    ['the first segment', 'run.jsonl', 'run.jsonl', single],
    ['the next segment', 'run.0002.jsonl', 'run.jsonl', rotated],
    ['the named segment', 'run.0002.jsonl', 'run.0002.jsonl', rotated],
    ['a segment that nothing names', 'run.0002.jsonl', 'run.jsonl', single],
    ['the file of heads', headsName, 'run.jsonl', single],
  ])('cannot read a log where %s is a pipe, as this one', async (_, pipe, named, files) => {
    const place = folder();
    for (const [name, bytes] of await files()) writeFileSync(join(place, name), bytes);
    rmSync(join(place, pipe), { force: true });
    execFileSync('mkfifo', [join(place, pipe)]);
    const file = join(place, named);
    await expect(verifyLog(file, { keys })).rejects.toThrow('is not a regular file');
    const ask = () => saidInPython([file], { keys, anchorFiles: [] });
    expect(ask).toThrow(/ended with 2: .*is not a regular file/);
  });

  // No loop of links is a missing file: a log without its heads, or its last segment, is another log.
  it.each([
    ['the first segment', 'run.jsonl', 'run.jsonl', single],
    ['the first segment of the named one', 'run.jsonl', 'run.0002.jsonl', rotated],
    ['the next segment', 'run.0002.jsonl', 'run.jsonl', rotated],
    ['a segment that nothing names', 'run.0002.jsonl', 'run.jsonl', single],
    ['the file of heads', headsName, 'run.jsonl', single],
  ])('cannot read a log where %s is a loop of links, as this one', async (_, loop, named, files) => {
    const place = folder();
    for (const [name, bytes] of await files()) writeFileSync(join(place, name), bytes);
    rmSync(join(place, loop), { force: true });
    symlinkSync(loop, join(place, loop));
    const file = join(place, named);
    await expect(verifyLog(file, { keys })).rejects.toThrow('ELOOP');
    expect(() => saidInPython([file], { keys, anchorFiles: [] })).toThrow(/ended with 2: /);
  });

  it('cannot read the heads of a log whose first segment is missing, as this one', async () => {
    const place = folder();
    for (const [name, bytes] of await rotated()) writeFileSync(join(place, name), bytes);
    rmSync(join(place, 'run.jsonl'));
    const file = join(place, 'run.0002.jsonl');
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code: 'SEGMENT_MISSING' });
    rmSync(join(place, headsName));
    execFileSync('mkfifo', [join(place, headsName)]);
    await expect(verifyLog(file, { keys })).rejects.toThrow('is not a regular file');
    expect(() => saidInPython([file], { keys, anchorFiles: [] })).toThrow(/ended with 2: /);
  });

  it('finds a line of four gigabytes too long, in little memory', async () => {
    const file = await signedLog();
    truncateSync(file, 2 ** 32);
    const found = inShort(await verifyLog(file, { keys }), file);
    expect(found).toMatchObject({ code: 'LINE_TOO_LONG' });
    expect(saidInPython([file], { keys, anchorFiles: [] })).toEqual([found]);
  });

  it('cannot read heads of four gigabytes, as this one', async () => {
    const file = await signedLog();
    truncateSync(`${file}.heads`, 2 ** 32);
    await expect(verifyLog(file, { keys })).rejects.toThrow(/run\.jsonl\.heads is too large/);
    expect(() => saidInPython([file], { keys, anchorFiles: [] })).toThrow(/ended with 2: /);
  });

  it('agrees on code and place for any change to the files of a log', async () => {
    const single = await signedLog();
    const [one, other] = [await rotatedLog('r1'), await rotatedLog('r2')];
    const bases = [
      one,
      one,
      filesOf(single),
      filesOf(await signedLog({ by: otherSigner })),
      other,
      await oldLog(),
    ];
    const notes = headsOf(single);
    const anchors = [
      [],
      [],
      [],
      [notes[2] ?? ''],
      [notes.join('')],
      [one.get(headsName)?.toString() ?? ''],
      [headOver(linesOf(single), { by: otherSigner, size: 3 }), notes[1] ?? ''],
      [(notes[3] ?? '').split('\n\n')[0] ?? ''],
      [(notes[3] ?? '').slice(0, -30)],
    ];
    const anchorFolder = folder();
    const given = [keys, [], [otherSigner.verifier], [...keys, otherSigner.verifier]];
    const ways = anchors.map((texts, at) => ({
      keys: pick(given, at) ?? [],
      files: [] as string[],
      anchorFiles: texts.map((text, index) => {
        const name = join(anchorFolder, `${at}-${index}`);
        writeFileSync(name, text);
        return name;
      }),
    }));
    const place = folder();
    const damage = fc.record({ done: edits, base: fc.nat(), way: fc.nat(), named: fc.nat() });
    const samples = fc.sample(damage, { numRuns: isDeep ? tries(3000) : 100, seed: 6 });
    for (const [index, { done, base, way, named }] of samples.entries()) {
      const files = tampered(pick(bases, base) ?? one, done, pick(bases, base + 1) ?? other);
      mkdirSync(join(place, `${index}`));
      for (const [name, bytes] of files) writeFileSync(join(place, `${index}`, name), bytes);
      const segments = [...files.keys()].filter((name) => name !== headsName);
      const name = named % 3 === 0 ? pick(segments, named) : segments[0];
      if (name !== undefined) pick(ways, way)?.files.push(join(place, `${index}`, name));
    }
    const found: unknown[] = [];
    for (const { keys, anchorFiles, files } of ways.filter((way) => way.files.length > 0)) {
      const said = saidInPython(files, { keys, anchorFiles });
      const kept = await Promise.all(anchorFiles.map((name) => readAnchor(name)));
      for (const [index, file] of files.entries()) {
        const verification = await verifyLog(file, { keys, anchors: kept });
        expect(said[index], file).toEqual(inShort(verification, file));
        found.push(verification.ok ? 'ok' : verification.code);
      }
    }
    // The edits are no formality: most of them do harm, of nearly every kind.
    expect(found.filter((code) => code === 'ok').length).toBeLessThan(found.length / 4);
    expect(new Set(found).size).toBeGreaterThan(20);
  }, 600_000);
});
