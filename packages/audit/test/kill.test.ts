import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigningKey, verifyLog } from '../src/index.js';
import { decisionEvent, folder, openLog } from './events.js';

const built = mkdtempSync(join(tmpdir(), 'ambit-writer-'));
const writer = join(built, 'writer.mjs');

beforeAll(async () => {
  await build({
    entry: [fileURLToPath(new URL('writer.ts', import.meta.url))],
    outDir: built,
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    target: 'node20',
    noExternal: [/.*/],
    esbuildOptions: (options) => {
      options.conditions = ['@ambit/source'];
    },
    config: false,
    dts: false,
    silent: true,
  });
}, 60_000);

afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Runs until it has said `durable` so many times, then kills it; gives how often it said so. */
async function killedAfter(
  file: string,
  { acknowledgements, secret = '' }: { readonly acknowledgements: number; readonly secret?: string },
): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, [writer, file, '2000', secret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length - 2 >= acknowledgements) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(output.startsWith('open\n')).toBe(true);
  return output.split('durable\n').length - 1;
}

describe('a writer that is killed', () => {
  it('leaves a log that verifies up to its last whole line, holds all that was durable, and is gone on with', async () => {
    const file = join(folder(), 'run.jsonl');
    let durable = 0;
    for (let round = 0; round < 30; round += 1) {
      durable += 2 * (await killedAfter(file, { acknowledgements: (round * 7) % 23 }));
      const found = await verifyLog(file);
      if (!found.ok) throw new Error(JSON.stringify(found));
      expect(found.entries).toBeGreaterThanOrEqual(durable);
      durable = found.entries;
    }
    const log = await openLog(file);
    await log.append([decisionEvent('last')]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: durable + 1, torn: null });
    expect(readdirSync(join(file, '..')).filter((name) => name.includes('lock'))).toEqual(['run.jsonl.lock']);
  }, 120_000);

  it('leaves heads that hold, and are gone on with, whenever it is killed', async () => {
    const file = join(folder(), 'run.jsonl');
    const { secret, verifier } = createSigningKey('ambit/one');
    let durable = 0;
    for (let round = 0; round < 15; round += 1) {
      durable += 2 * (await killedAfter(file, { acknowledgements: (round * 7) % 23, secret }));
      const found = await verifyLog(file, { keys: [verifier] });
      if (!found.ok) throw new Error(JSON.stringify(found));
      expect(found.entries).toBeGreaterThanOrEqual(durable);
      durable = found.entries;
    }
    expect(await verifyLog(file, { keys: [verifier] })).toMatchObject({ signed: { trust: 'given' } });
  }, 120_000);

  it('lets nobody in before it is dead', async () => {
    const file = join(folder(), 'run.jsonl');
    const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await expect(openLog(file)).rejects.toMatchObject({
      code: 'LOCKED',
      message: `the log is being written by process ${child.pid}`,
    });
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    await (await openLog(file)).append([decisionEvent('next')]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, torn: null });
  });
});

describe('a disk that takes no more', () => {
  it('rejects, for good, and has acknowledged nothing that is not there', async () => {
    const file = join(folder(), 'run.jsonl');
    // The system refuses to let any file grow beyond 64 blocks, in the middle of a line.
    const command = 'ulimit -f 64 && exec "$0" "$1" "$2" 3333';
    const run = spawnSync('bash', ['-c', command, process.execPath, writer, file], { encoding: 'utf8' });
    const said = run.stdout.trimEnd().split('\n').slice(1);
    const durable = said.filter((line) => line === 'durable').length;
    const failures = said.filter((line) => line.startsWith('failed'));
    expect(durable).toBeGreaterThan(0);
    expect(new Set(failures)).toEqual(
      new Set(['failed WRITE_FAILED the log cannot be written: EFBIG: file too large, write']),
    );
    // Nothing is acknowledged after the first failure.
    expect(said.lastIndexOf('durable')).toBeLessThan(said.indexOf(failures[0] ?? ''));
    const found = await verifyLog(file);
    expect(found).toMatchObject({ ok: true, torn: { bytes: expect.any(Number) as number } });
    expect(found.ok && found.entries).toBeGreaterThanOrEqual(2 * durable);
    const again = await openLog(file);
    await again.append([decisionEvent('next')]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, torn: null });
    expect(readFileSync(again.recovered?.file ?? '', 'utf8')).toMatch(/^\{"v":1,/);
  });
});
