import {
  cpSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import {
  createLog,
  createSigningKey,
  parseSigningKey,
  parseVerifierKey,
  verifyLog,
} from '../../../src/index.js';
import { decisionEvent, endEvent, folder, key, openLog, runEvent } from '../../events.js';
import { bothVerify } from '../../second-verifier.js';
import {
  headsOf,
  linesOf,
  otherSigner,
  parse,
  rehashed,
  signedLog,
  signedRun,
  signer,
  writeHeads,
  writeLines,
} from '../../signed.js';

const keys = [signer.verifier];
const sizesOf = (file: string) => headsOf(file).map((head) => Number(head.split('\n')[1]));
/** A log whose writer was killed. */
async function unfinishedLog(): Promise<string> {
  const file = join(folder(), 'run.jsonl');
  const log = await createLog({ file, run: 'r1', key, signer, heads: never });
  await log.append([signedRun(), decisionEvent('c1')]);
  await log.close();
  return file;
}

function copied(file: string): string {
  const copy = join(folder(), 'run.jsonl');
  for (const end of ['', '.heads']) cpSync(`${file}${end}`, `${copy}${end}`);
  return copy;
}

const never = { entries: 1_000_000, seconds: 1_000_000 };

describe('createLog with a key', () => {
  it('signs before the first entry', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, signer, heads: never });
    expect(sizesOf(file)).toEqual([0]);
    expect(statSync(`${file}.heads`).mode & 0o777).toBe(0o600);
    await log.append([signedRun()]);
    // As after a kill: the run was acknowledged, and no head covers it yet.
    expect(await verifyLog(file, { keys })).toMatchObject({ ok: true, entries: 1, signed: { entries: 0 } });
    await log.close();
    expect(sizesOf(file)).toEqual([0, 1]);
  });

  it('signs some time after an entry, and not while idle', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, signer, heads: { entries: 1000, seconds: 0.01 } });
    await log.append([signedRun()]);
    while (sizesOf(file).length < 2) await wait(5);
    await wait(50);
    expect(sizesOf(file)).toEqual([0, 1]);
    await log.close();
    expect(sizesOf(file)).toEqual([0, 1]);
  });

  it('signs many entries together', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, signer, heads: { entries: 100, seconds: 1000 } });
    await log.append([signedRun()]);
    for (let at = 0; at < 250; at += 1) await log.append([decisionEvent(`c${at}`)]);
    await log.close();
    expect(sizesOf(file)).toEqual([0, 100, 200, 251]);
  });

  it('signs the end of a run before reporting it', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, signer, heads: never });
    await log.append([signedRun(), endEvent()]);
    expect(sizesOf(file)).toEqual([0, 2]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, ended: true, signed: { entries: 2 } });
    await log.close();
    expect(sizesOf(file)).toEqual([0, 2]);
  });

  it('records the name of its key unmasked', async () => {
    const file = join(folder(), 'run.jsonl');
    const named = createSigningKey('ambit/sk-abcdefghijklmnopqrstuvwxyz');
    const log = await createLog({ file, run: 'r1', key, signer: named });
    await log.append([signedRun(named)]);
    await log.close();
    expect(await verifyLog(file)).toMatchObject({ ok: true, signed: { trust: 'log' } });
  });

  it('continues a log that it signed, with its heads', async () => {
    const file = await signedLog();
    await signedLog({ file, run: 'r2' });
    expect(sizesOf(file)).toEqual([0, 2, 4, 6, 7, 7, 9, 11, 13, 14]);
    expect(await verifyLog(file, { keys })).toMatchObject({ ok: true, runs: 2, signed: { entries: 14 } });
  });

  it('signs recovered entries before the `run` event of a continued run, against a second kill', async () => {
    for (const isAtOnce of [false, true]) {
      const file = await unfinishedLog();
      const log = await createLog({ file, run: 'r1', key, signer, heads: never });
      const late = [decisionEvent('c2'), { ...signedRun(), resumed: 1 }, decisionEvent('c3')] as const;
      const run = { ...signedRun(), resumed: 2 };
      if (isAtOnce) await Promise.all([log.append(late), log.append([run])]);
      else {
        await log.append(late);
        await log.append([run]);
      }
      // As the second kill leaves it: the writer signs nothing more.
      const killed = copied(file);
      await log.close();
      expect(await bothVerify(killed, { keys })).toMatchObject({ ok: true, entries: 6 });
      expect(sizesOf(killed)).toEqual([0, 2, 2, 3, 5]);
      await signedLog({ file: killed });
      expect(await bothVerify(killed, { keys })).toMatchObject({ ok: true, signed: { entries: 13 } });
    }
  });

  it('continues a log with a valid chain, if a run began after its last head', async () => {
    const file = await unfinishedLog();
    const log = await createLog({ file, run: 'r1', key, signer, heads: never });
    await log.append([decisionEvent('c2')]);
    await log.append([{ ...signedRun(), resumed: 1 }]);
    await log.close();
    // As earlier versions left it.
    writeHeads(file, headsOf(file).slice(0, 2));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code: 'HEADS_MISSING' });
    await signedLog({ file });
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, signed: { entries: 11 } });
  });

  it('refuses a log whose last run is unsigned', async () => {
    const file = await signedLog();
    const old = linesOf(file);
    const { signer: _, ...unsigned } = parse(old[0]);
    const lines = [...old, old[1] ?? '', JSON.stringify(unsigned)];
    writeLines(file, rehashed(lines.map((line) => parse(line))));
    expect(await bothVerify(file, { keys })).toMatchObject({ ok: false, code: 'UNSIGNED' });
    await expect(createLog({ file, run: 'r2', key, signer })).rejects.toThrow('UNSIGNED');
  });

  it('signs entries that were not signed so far', async () => {
    const file = join(folder(), 'run.jsonl');
    const old = await openLog(file);
    await old.append([runEvent(), endEvent()]);
    await old.close();
    await signedLog({ file, run: 'r2' });
    expect(await verifyLog(file, { keys })).toMatchObject({ ok: true, runs: 2, signed: { entries: 9 } });
  });

  it('sets a torn head aside, and continues', async () => {
    const file = await signedLog();
    truncateSync(`${file}.heads`, statSync(`${file}.heads`).size - 20);
    await signedLog({ file, run: 'r2' });
    expect(existsSync(`${file}.heads.torn-1`)).toBe(true);
    expect(await verifyLog(file, { keys })).toMatchObject({ ok: true, signed: { entries: 14, torn: false } });
  });

  it('starts over if its first head was torn, or the first run wrote nothing else', async () => {
    const file = join(folder(), 'run.jsonl');
    writeFileSync(`${file}.heads`, 'ambit/o', { mode: 0o600 });
    await (await createLog({ file, run: 'r0', key, signer })).close();
    await signedLog({ file, run: 'r1' });
    expect(await verifyLog(file, { keys })).toMatchObject({ ok: true, signed: { entries: 7 } });
  });

  it.each<[string, string, (file: string) => unknown]>([
    ['was cut', 'HEAD_LONGER', (file) => writeLines(file, linesOf(file).slice(0, 3))],
    ['lost its heads', 'HEADS_MISSING', (file) => writeHeads(file, [])],
    [
      'has a head that was changed',
      'HEAD_SIGNATURE',
      (file) =>
        writeHeads(
          file,
          headsOf(file).map((head) => head.replace('\n4\n', '\n5\n')),
        ),
    ],
  ])('refuses a log that %s', async (_, code, damage) => {
    const file = await signedLog();
    damage(file);
    const before = readFileSync(file);
    for (const by of [signer, otherSigner])
      await expect(createLog({ file, run: 'r2', key, signer: by })).rejects.toMatchObject({ code: 'BROKEN' });
    await expect(createLog({ file, run: 'r2', key, signer })).rejects.toThrow(code);
    expect(readFileSync(file)).toEqual(before);
  });

  it('refuses a log that another key signed, and any signed log without a key', async () => {
    const file = await signedLog();
    await expect(createLog({ file, run: 'r2', key, signer: otherSigner })).rejects.toThrow('HEAD_KEY');
    await expect(createLog({ file, run: 'r2', key })).rejects.toThrow('without its key');
    // Nor with a key of the same name and another secret.
    const namesake = createSigningKey('ambit/one');
    await expect(createLog({ file, run: 'r2', key, signer: namesake })).rejects.toThrow('HEAD_KEY');
    await (await createLog({ file, run: 'r2', key, signer })).close();
  });

  it('does not write heads through a link', async () => {
    const file = join(folder(), 'run.jsonl');
    writeFileSync(`${file}.target`, '');
    symlinkSync(`${file}.target`, `${file}.heads`);
    await expect(createLog({ file, run: 'r1', key, signer })).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    expect(readFileSync(`${file}.target`, 'utf8')).toBe('');
  });

  it('rejects further events after a head cannot be written', async () => {
    const file = join(folder(), 'run.jsonl');
    const probe = await open(file, 'a');
    const handles = Object.getPrototypeOf(probe) as typeof probe;
    await probe.close();
    const log = await createLog({ file, run: 'r1', key, signer, heads: { entries: 2, seconds: 1000 } });
    await log.append([signedRun()]);
    const real = Reflect.get(handles, 'write') as (...given: unknown[]) => Promise<unknown>;
    const failing = function (this: unknown, ...given: unknown[]): Promise<unknown> {
      const isHead = Buffer.isBuffer(given[0]) && given[0].includes('— ambit/one');
      return isHead ? Promise.reject(new Error('ENOSPC: no space')) : Reflect.apply(real, this, given);
    };
    const full = vi.spyOn(handles, 'write').mockImplementation(failing as never);
    try {
      // The entry is durable, and said to be; what comes after it is not taken.
      await log.append([decisionEvent('c1')]);
      await expect(log.append([decisionEvent('c2')])).rejects.toMatchObject({
        code: 'WRITE_FAILED',
        message: 'a tree head of the log cannot be written: ENOSPC: no space',
      });
    } finally {
      full.mockRestore();
    }
    await log.close();
    expect(await verifyLog(file, { keys })).toMatchObject({ ok: true, entries: 2, signed: { entries: 0 } });
  });
});

describe('a key', () => {
  it('is read only from its text', () => {
    const { secret, verifier } = signer;
    expect(parseSigningKey(`${secret}\n`)?.verifier.text).toBe(verifier.text);
    expect(parseVerifierKey(verifier.text)?.id).toBe(verifier.id);
    const wrong = [
      '',
      secret.replace('PRIVATE+KEY+', ''),
      secret.replace('ambit/one', 'ambit/two'),
      secret.slice(0, -4),
      `${secret} `,
      secret.replace(/.{4}$/, 'AAAA'),
    ];
    expect(wrong.map((text) => parseSigningKey(text))).toEqual(wrong.map(() => null));
    expect(wrong.map((text) => parseVerifierKey(text.replace('PRIVATE+KEY+', '')))).toEqual(
      wrong.map(() => null),
    );
    for (const name of ['', 'a b', 'a+b', 'a\nb']) expect(() => createSigningKey(name)).toThrow(TypeError);
  });

  it('reads the signed-note example of C2SP', () => {
    const example = 'example.com/foo+530d903a+Aej4vbZ4dW5ob2V4YW1wbGU=';
    expect(parseVerifierKey(example)).toBeNull();
    const sumdb = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';
    expect(parseVerifierKey(sumdb)).toMatchObject({ name: 'sum.golang.org', id: '033de0ae' });
  });
});
