import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@ambit/audit';
import type { JsonObject, NonEmpty } from '@ambit/core';
import { type LogEvent, openStateFolder, openStore } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf, jsonLines } from '../../host.js';
import { storedRun } from '../store/stored.js';

const now = Date.UTC(2026, 10, 20, 10);

const events: NonEmpty<LogEvent> = [
  {
    now,
    event: 'decision',
    call: 'call-1',
    chain: ['main'],
    tool: 'x.y',
    args: { a: 1 },
    context: {},
    history: [],
    grants: [],
    decision: 'needs_approval',
    capabilities: [{ name: 'net.connect', host: 'a.example' }],
    judgements: [
      {
        capability: 0,
        policy: 'policy.yaml',
        decision: 'needs_approval',
        default: true,
        rules: [],
        undecided: [],
        answer: 'any',
        answered_by: null,
      },
    ],
    reason: null,
    instead: null,
  },
  { now, event: 'outcome', call: 'call-1', outcome: 'refused', code: 'strict', reason: 'nobody was asked' },
];

async function folderWithLog(name = '.ambit/log/run-1.jsonl', args: JsonObject = { a: 1 }) {
  const folder = folderOf({ 'policy.yaml': 'version: 1\ndefault: blocked\n' });
  const file = join(folder, name);
  const log = await createLog({ file, run: 'run-1', key: Buffer.alloc(32) });
  const [decision, outcome] = events;
  await log.append([{ ...decision, args } as LogEvent, outcome as LogEvent]);
  await log.close();
  return { folder, file };
}

describe('log', () => {
  it('finds the log of a stored run that was moved to the default place', async () => {
    const { folder } = await folderWithLog();
    const environment = { AMBIT_HOME: join(folder, 'state'), HOME: folder };
    const store = await openStore(await openStateFolder(environment, folder));
    await store.begin(storedRun('run-1', { log: join(folder, 'gone.jsonl') }));
    await store.close();
    expect(await ambit(['log', 'verify', 'run-1'], { folder, environment })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('run-1: verified, 2 '),
    });
  });

  it('verify reports whether a log is valid, and the place of damage', async () => {
    const { folder, file } = await folderWithLog();
    const whole = await ambit(['log', 'verify', file], { folder });
    expect(whole).toEqual({
      exit: 0,
      out: `${file}: verified, 2 entries of run run-1; the run has no end yet; not signed; run \`ambit log key\` to sign future logs\n`,
      err: '',
    });
    writeFileSync(file, readFileSync(file, 'utf8').replace('a.example', 'b.example'));
    const { exit, out } = await ambit(['log', 'verify', file, '--json'], { folder });
    expect([exit, JSON.parse(out)]).toMatchObject([1, { ok: false, line: 2, code: 'PREV_MISMATCH' }]);
  });

  it('show finds a call in the newest log by id, prefix or number', async () => {
    const { folder, file } = await folderWithLog();
    const old = await createLog({
      file: join(folder, '.ambit/log/old.jsonl'),
      run: 'old',
      key: Buffer.alloc(32),
    });
    await old.close();
    utimesSync(old.path, 1, 1);
    const byId = await ambit(['log', 'show', 'call-1'], { folder });
    expect([byId.exit, byId.err]).toEqual([0, '']);
    expect(byId.out).toContain('call call-1, run run-1\n');
    expect(byId.out).toContain('connect to a.example');
    for (const wanted of ['call', '1'])
      expect(await ambit(['log', 'show', wanted], { folder })).toEqual(byId);
    const { out } = await ambit(['log', 'show', 'call-1', '--log', file, '--json'], { folder });
    expect(JSON.parse(out)).toMatchObject({ call: 'call-1', entries: [{ seq: 0 }, { seq: 1 }] });
  });

  it('show warns of an invalid log, and exits with 1', async () => {
    const { folder, file } = await folderWithLog();
    writeFileSync(file, readFileSync(file, 'utf8').replace('a.example', 'b.example'));
    const { exit, out, err } = await ambit(['log', 'show', 'call-1'], { folder });
    expect([exit, err.split('\n')[0]]).toEqual([
      1,
      'ambit: this log does not verify; it may contain false entries',
    ]);
    expect(err).toContain('.ambit/log/run-1.jsonl:2: PREV_MISMATCH');
    expect(out).toContain('connect to b.example');
  });

  it('show finds the id of a call in older logs, but no number', async () => {
    const { folder, file } = await folderWithLog();
    const newer = join(folder, '.ambit/log/newer.jsonl');
    const made = await createLog({ file: newer, run: 'newer', key: Buffer.alloc(32) });
    await made.close();
    writeFileSync(join(folder, '.ambit/log/bad.jsonl'), 'x\n');
    for (const [name, time] of [
      [file, 1],
      [join(folder, '.ambit/log/bad.jsonl'), 2],
      [newer, 3],
    ] as const)
      utimesSync(name, time, time);
    const { exit, out } = await ambit(['log', 'show', 'call-1', '--json'], { folder });
    expect([exit, JSON.parse(out)]).toMatchObject([0, { log: file, call: 'call-1' }]);
    expect((await ambit(['log', 'show', '0'], { folder })).exit).toBe(2);
    const { err } = await ambit(['log', 'show', 'call-9'], { folder });
    expect(err).toContain(`hint: ambit log tail ${newer}\n`);
    const tail = await ambit(['log', 'tail', '--json'], { folder });
    expect([tail.exit, tail.out]).toEqual([0, readFileSync(newer, 'utf8')]);
    expect(await ambit(['log', 'tail'], {})).toMatchObject({
      exit: 2,
      err: expect.stringContaining('no run has written a log in this folder'),
    });
  });

  it('show suggests a similar call, and the command that lists calls', async () => {
    const { folder, file } = await folderWithLog();
    expect(await ambit(['log', 'show', 'call-2'], { folder })).toMatchObject({
      exit: 2,
      out: '',
      err: expect.stringContaining(`hint: did you mean call-1? ambit log tail ${file}\n`),
    });
    expect(await ambit(['log', 'show', 'zzz', '--log', file], { folder })).toMatchObject({
      exit: 2,
      err: expect.stringContaining(`hint: ambit log tail ${file}\n`),
    });
  });

  it('tail prints the last entries, one per line', async () => {
    const { folder, file } = await folderWithLog();
    const all = await ambit(['log', 'tail', file], { folder });
    expect(all.out.split('\n')).toHaveLength(3);
    expect(all.out).toContain('  needs_approval  default of policy.yaml\n');
    const last = await ambit(['log', 'tail', file, '-n', '1'], { folder });
    expect(last.out).toBe(`${all.out.split('\n')[1]}\n`);
    const json = await ambit(['log', 'tail', file, '--json'], { folder });
    expect(jsonLines(json.out)).toEqual(jsonLines(readFileSync(file, 'utf8')));
  });
});

describe('a damaged log', () => {
  const commands = [
    ...['tail', 'query', 'export', 'stats'].map((name) => ['log', name, 'bad.jsonl']),
    ['log', 'show', '0', '--log', 'bad.jsonl'],
    ...['report', 'learn'].map((name) => [name, 'bad.jsonl']),
    ['replay', 'bad.jsonl', '--policy', 'policy.yaml'],
    ['explain', '--policy', 'policy.yaml', '--log', 'bad.jsonl', '--seq', '0'],
  ];

  it.each(commands)('is one JSON document of %s %s', async (...argv) => {
    const files = { 'bad.jsonl': 'x\n', 'policy.yaml': 'version: 1\ndefault: blocked\n' };
    const { exit, out } = await ambit([...argv, '--json'], { files });
    const message = expect.stringMatching(/BAD_JSON the line is not JSON$|so nothing is learnt from it$/);
    expect([exit, jsonLines(out)]).toMatchObject([1, [{ error: { message } }]]);
  });

  it.each(commands)('whose first line cannot be read is named once by %s %s', async (...argv) => {
    const files = { 'bad.jsonl': 'x\n', 'policy.yaml': 'version: 1\ndefault: blocked\n' };
    const { exit, out, err } = await ambit(argv, { files });
    const message = /^ambit: \S+bad\.jsonl:1: BAD_JSON the line is not JSON\nhint: ambit log verify \S+\n$/;
    expect([exit, out, err]).toEqual([1, '', expect.stringMatching(message)]);
  });

  it.each(commands)('whose second line cannot be read is named once by %s %s', async (...argv) => {
    const { folder, file } = await folderWithLog();
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(join(folder, 'bad.jsonl'), [lines[0], 'x', ...lines.slice(1)].join('\n'));
    const message = /^ambit: \S+bad\.jsonl:2: BAD_JSON the line is not JSON\nhint: ambit log verify \S+\n$/;
    const { exit, out, err } = await ambit(argv, { folder });
    expect([exit, out, err]).toEqual([1, '', expect.stringMatching(message)]);
  });
});

describe('explain', () => {
  it('accepts a call from a log, and reports a different recorded decision', async () => {
    const { folder, file } = await folderWithLog();
    const argv = ['explain', '--policy', 'policy.yaml', '--log', file, '--seq', '0'];
    const { exit, out } = await ambit(argv, { folder });
    expect(exit).toBe(0);
    expect(out).toMatch(/^blocked: main calls x\.y\n/);
    expect(out).toContain('The log records another decision under the policies of its run: needs_approval');
    expect(out).not.toContain('The log masks a secret');
    const full = await ambit([...argv, '--full'], { folder });
    expect(full.out.split('The log records another decision')).toHaveLength(2);
    expect(await ambit([...argv.slice(0, -1), '1'], { folder })).toMatchObject({
      exit: 2,
      err: `ambit: entry 1 is not a decision, but: outcome\nhint: ambit log tail ${file}\n`,
    });
  });

  it('says that the log masks a secret of the call', async () => {
    const { folder, file } = await folderWithLog('run-1.jsonl', { password: 'hunter2' });
    const { out } = await ambit(['explain', '--policy', 'policy.yaml', '--log', file, '--seq', '0'], {
      folder,
    });
    expect(out).toContain(
      'The log masks a secret of this call: a rule that reads it may decide differently here.\n',
    );
  });
});
