import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDeep, tries } from '../../../../../test/depth.js';
import { createSigningKey, verifyLog } from '../../../src/index.js';
import { decisionEvent, folder, openLog } from '../../events.js';
import { bothVerify } from '../../second-verifier.js';
import { type BuiltWriter, buildWriter, callsIn, killedAt, type Moment, told } from './killed-writer.js';
import type { Told } from './writer.js';

/** Over all writers; at least one each. */
const kills = tries(30);

let writer: BuiltWriter;
beforeAll(async () => {
  writer = await buildWriter();
});
afterAll(() => writer.remove());

const { secret, verifier } = createSigningKey('ambit/one');

const writers: readonly (readonly [string, Partial<Told>])[] = [
  ['in one file', {}],
  ['with heads', { secret }],
  ['in segments', { rotate: { entries: 9 }, size: 20 }],
  ['in segments with heads', { rotate: { bytes: 9000 }, size: 300, secret }],
  ['each append by itself', { commit: 'sync' }],
  [
    'each append by itself, in segments with heads',
    { commit: 'sync', rotate: { entries: 5 }, size: 20, secret },
  ],
];

/** Before anything was told, between two appends, or at whatever the clock says then. */
function randomMoment(): Moment {
  return Math.random() < 0.3
    ? { acknowledgements: Math.floor(Math.random() * 30) }
    : { milliseconds: Math.random() * 150 };
}

describe('a killed writer', () => {
  it.each(writers)(
    'keeps every acknowledged event, writes each once, and leaves a log that can continue: %s',
    async (_, options) => {
      let file = join(folder(), 'run.jsonl');
      const keys = options.secret === undefined ? [] : [verifier];
      let acknowledged: string[] = [];
      for (let round = 0; round < kills / writers.length; round += 1) {
        // A log that only grows would take longer to verify each time.
        if (round % 20 === 19) {
          file = join(folder(), 'run.jsonl');
          acknowledged = [];
        }
        const moment = randomMoment();
        const at = JSON.stringify({ round, moment });
        acknowledged.push(
          ...(await killedAt(writer.program, told(file, { ...options, name: `k${round}` }), moment)),
        );
        const found = await verifyLog(file, { keys });
        if (!found.ok) throw new Error(`${at} ${JSON.stringify(found)}`);
        const calls = await callsIn(file);
        const there = new Set(calls);
        expect({ at, doubled: calls.length - there.size }).toEqual({ at, doubled: 0 });
        expect({
          at,
          lost: acknowledged.filter((call) => !there.has(call) || !there.has(`${call}-again`)),
        }).toEqual({
          at,
          lost: [],
        });
      }
      const log = await openLog(file, 'r1', options.secret);
      await log.append([decisionEvent('last')]);
      await log.close();
      expect(await bothVerify(file, { keys })).toMatchObject({ ok: true, torn: null, unfinished: null });
      expect((await callsIn(file)).at(-1)).toBe('last');
      expect(readdirSync(join(file, '..')).filter((name) => name.includes('lock'))).toEqual([]);
    },
    600_000 + kills * 1000,
  );

  it('keeps the lock while it is running', async () => {
    const file = join(folder(), 'run.jsonl');
    const child = spawn(process.execPath, [writer.program, JSON.stringify(told(file))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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

describe('a full or failing disk', () => {
  /** The system refuses to let any file grow beyond a number of blocks of 1024 bytes. */
  const limited = (given: Told, blocks: number) =>
    spawnSync(
      'bash',
      [
        '-c',
        `ulimit -f ${blocks} && exec "$0" "$1" "$2"`,
        process.execPath,
        writer.program,
        JSON.stringify(given),
      ],
      {
        encoding: 'utf8',
      },
    )
      .stdout.trimEnd()
      .split('\n')
      .slice(1);

  it('leaves no file behind where none can be filled', () => {
    const root = folder();
    limited(told(join(root, 'run.jsonl'), {}), 0);
    expect(readdirSync(root)).toEqual([]);
  });

  it.skipIf(!isDeep).each(['group', 'sync'] as const)(
    'rejects permanently, and acknowledges only stored events: %s',
    async (commit) => {
      const file = join(folder(), 'run.jsonl');
      const said = limited(told(file, { size: 3333, commit }), 64);
      const durable = said.filter((line) => line.startsWith('durable '));
      const failures = said.filter((line) => line.startsWith('failed'));
      expect(durable.length).toBeGreaterThan(0);
      expect(new Set(failures)).toEqual(
        new Set(['failed WRITE_FAILED the log cannot be written: EFBIG: file too large, write']),
      );
      // Nothing is acknowledged after the first failure.
      expect(said.lastIndexOf(durable.at(-1) ?? '')).toBeLessThan(said.indexOf(failures[0] ?? ''));
      const found = await verifyLog(file);
      expect(found).toMatchObject({ ok: true, torn: { bytes: expect.any(Number) as number } });
      const calls = await callsIn(file);
      expect(durable.filter((line) => !calls.includes(line.slice(8)))).toEqual([]);
      const again = await openLog(file);
      await again.append([decisionEvent('next')]);
      expect(await verifyLog(file)).toMatchObject({ ok: true, torn: null });
      expect(readFileSync(again.recovered?.file ?? '', 'utf8')).toMatch(/^\{"prev":"/);
    },
  );

  it.skipIf(!isDeep || !canMount())(
    'loses and repeats no event, and the log continues after space is free',
    async () => {
      const outside = folder();
      const place = join(outside, 'disk');
      mkdirSync(place);
      for (const options of [
        { secret, rotate: { entries: 9 } },
        { rotate: { bytes: 9000 } },
        { secret },
      ] as const) {
        const file = join(place, 'run.jsonl');
        const writers = ['one', 'two'].map((name) =>
          JSON.stringify(told(file, { ...options, name, size: 1000 })),
        );
        const run = spawnSync(
          'unshare',
          ['-rm', 'bash', '-c', fill, writer.program, place, ...writers, process.execPath],
          {
            encoding: 'utf8',
          },
        );
        expect(run.stderr).toBe('');
        const said = run.stdout.split('\n');
        expect(said.filter((line) => line.startsWith('failed')).length).toBeGreaterThan(1);
        for (const line of said.filter((one) => one.startsWith('failed')))
          expect(line).toMatch(
            /^failed WRITE_FAILED (the log|a tree head of the log) cannot be written: ENOSPC: no space/,
          );
        const acknowledged = said.flatMap((line) => (line.startsWith('durable ') ? [line.slice(8)] : []));
        for (const [copy, writer] of [
          ['full', 'one'],
          ['again', 'two'],
        ] as const) {
          const log = join(outside, copy, 'run.jsonl');
          expect(await bothVerify(log, { keys: 'secret' in options ? [verifier] : [] })).toMatchObject({
            ok: true,
          });
          const calls = await callsIn(log);
          expect(new Set(calls).size).toBe(calls.length);
          const due = acknowledged.filter((call) => copy === 'again' || call.startsWith('one-'));
          expect(due.some((call) => call.startsWith(writer))).toBe(true);
          expect(due.filter((call) => !calls.includes(call))).toEqual([]);
          rmSync(join(outside, copy), { recursive: true });
        }
      }
    },
  );
});

describe('a folder that cannot be written', () => {
  it.skipIf(!canMount())('is reported before anything runs', () => {
    const place = folder();
    const given = JSON.stringify(told(join(place, 'run.jsonl')));
    const script = 'mount -t tmpfs -o ro none "$1" && exec "$3" "$0" "$2"';
    const run = spawnSync(
      'unshare',
      ['-rm', 'bash', '-c', script, writer.program, place, given, process.execPath],
      {
        encoding: 'utf8',
      },
    );
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(
      /LogError: the log cannot be written: \S+\/run\.jsonl: the file system is read-only/,
    );
  });
});

function canMount(): boolean {
  const can = spawnSync('unshare', ['-rm', 'bash', '-c', 'mount -t tmpfs none /mnt']).status === 0;
  if (!can) process.stderr.write('no file system can be mounted here: the full disk is NOT tested\n');
  return can;
}

// A disk of our own: filled by one writer beside something that takes room, then by another once that is gone.
const fill = `set -e
mount -t tmpfs -o size=256k none "$1"
head -c 100000 /dev/zero > "$1/ballast"
"$4" "$0" "$2"
cp -r "$1" "$1/../full"
rm "$1/ballast"
"$4" "$0" "$3"
cp -r "$1" "$1/../again"
`;
