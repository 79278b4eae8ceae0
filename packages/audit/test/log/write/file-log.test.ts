import { createHash } from 'node:crypto';
import {
  chmodSync,
  fstatSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Decision, LogEvent } from '@ambit/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isDeep } from '../../../../../test/depth.js';
import { createLog, type LogEntry, verifyLog } from '../../../src/index.js';
import { createHistories } from '../../../src/log/line/history.js';
import { maxLineBytes } from '../../../src/log/line/line.js';
import { approvalEvent, decisionEvent, folder, key, openLog, outcomeEvent, runEvent } from '../../events.js';

const entries = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogEntry);

/** Watches the real file system calls, and holds each sync back until it is let go. */
async function watchDisk() {
  const handle = await open(join(folder(), 'x'), 'w');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const seen: string[] = [];
  let release: () => void = () => {};
  let held: Promise<void> = Promise.resolve();
  const datasync = Reflect.get(prototype, 'datasync') as () => Promise<void>;
  let written = 0;
  vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
    const { size } = fstatSync(this.fd);
    if (size > written) seen.push('write');
    written = size;
    seen.push('sync');
    await held;
    await Reflect.apply(datasync, this, []);
    seen.push('synced');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const hold = () => {
    held = new Promise((resolve) => {
      release = resolve;
    });
  };
  const fail = () => {
    held = Promise.reject(new Error('the disk is full'));
    held.catch(() => undefined);
  };
  return { seen, hold, fail, release: () => release() };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('append', () => {
  it.each([
    ['code', { code: 5 }],
    ['code', { code: 'Not Found' }],
    ['decision', { decision: 'APPROVED' }],
    ['decision', { decision: undefined }],
    ['call', { call: 7 }],
    ['call', { call: undefined }],
    ['approved', { event: 'approval', approved: 'yes' }],
    ['outcome', { event: 'outcome', outcome: null }],
    ['event', { event: 'note' }],
    ['event', { event: 'segment', number: 1, next: 'other.jsonl' }],
  ])('refuses an event with another form of `%s` than a reader takes: %j', async (_, other) => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    const wrong = { ...decisionEvent('c1'), ...other } as LogEvent;
    const message = expect.stringMatching(/^an event has a wrong `event`, /) as string;
    await expect(log.append([runEvent(), wrong])).rejects.toMatchObject({ code: 'BAD_EVENT', message });
    await log.append([runEvent(), decisionEvent('c1')]);
    await log.close();
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 2 });
  });

  it('refuses a run whose id is not a text', async () => {
    const options = { file: join(folder(), 'run.jsonl'), run: 7 as unknown as string, key };
    await expect(createLog(options)).rejects.toThrow(/^the id of a run must be a text$/);
  });

  it('writes an event with the members of the log, and without its `now`', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    await log.append([runEvent()]);
    const [entry] = entries(file);
    expect(entry).toEqual({
      v: 2,
      seq: 0,
      time: '2026-11-20T10:00:00.000Z',
      run: 'r1',
      event: 'run',
      version: '1',
      user: 'u',
      machine: 'm',
      mode: 'strict',
      context: {},
      workers: {},
      toolsets: {},
      prev: '0'.repeat(64),
    });
  });

  it('omits a history that the file already contains, and writes any other', async () => {
    const [file, other] = [join(folder(), 'run.jsonl'), join(folder(), 'other.jsonl')];
    const first = await openLog(file);
    const earlier = [runEvent(), decisionEvent('c1')] as const;
    await first.append(earlier);
    await first.close();
    const next = { ...decisionEvent('c2'), history: ['fs.write'] };
    for (const name of [file, other]) {
      const log = await createLog({ file: name, run: 'r1', key, earlier });
      await log.append([next]);
      await log.close();
    }
    expect([file, other].map((name) => entries(name).at(-1)?.history)).toEqual([undefined, ['fs.write']]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 3 });
  });

  it('masks the added history of a decision like its capabilities', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const event = decisionEvent('c1', 'pre_approved', { token: secret });
    const [capability] = event.decision === null ? [] : event.capabilities;
    await log.append([{ ...event, capabilities: [{ ...capability, name: secret }] } as LogEvent]);
    const [entry] = entries(file);
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
    expect(entry?.added).toEqual([expect.stringMatching(/^masked:/)]);
  });

  it('resolves only after its bytes are synced', async () => {
    const disk = await watchDisk();
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    disk.hold();
    let resolved = false;
    const appended = log.append([runEvent()]).then(() => {
      resolved = true;
      disk.seen.push('resolved');
    });
    await vi.waitUntil(() => disk.seen.includes('sync'), { timeout: 60_000 });
    await turns();
    expect(resolved).toBe(false);
    disk.release();
    await appended;
    expect(disk.seen).toEqual(['write', 'sync', 'synced', 'resolved']);
  });

  it('writes and syncs all waiting events together, in the order of the calls', async () => {
    const disk = await watchDisk();
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    disk.hold();
    const order: number[] = [];
    const first = log.append([runEvent()]);
    await vi.waitUntil(() => disk.seen.includes('sync'), { timeout: 60_000 });
    const others = Array.from({ length: 100 }, (_, index) =>
      log.append([decisionEvent(`c${index}`), outcomeEvent(`c${index}`)]).then(() => order.push(index)),
    );
    disk.release();
    await Promise.all([first, ...others]);
    expect(disk.seen).toEqual(['write', 'sync', 'synced', 'write', 'sync', 'synced']);
    expect(order).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(
      entries(file)
        .slice(1)
        .map(({ event, call }) => `${event} ${call as string}`),
    ).toEqual(order.flatMap((index) => [`decision c${index}`, `outcome c${index}`]));
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 201 });
  });

  it('writes deferrable events with the next ones, in one write and one sync', async () => {
    const disk = await watchDisk();
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    await log.append([runEvent(), decisionEvent('c1')]);
    disk.seen.length = 0;
    const waiting = log.append([outcomeEvent('c1')], 'soon');
    await Promise.all([waiting, log.append([decisionEvent('c2')])]);
    expect(disk.seen).toEqual(['write', 'sync', 'synced']);
    await log.append([outcomeEvent('c2')], 'soon');
    const last = log.append([decisionEvent('c3')], 'soon');
    await Promise.all([last, log.close()]);
    expect(entries(file).map(({ event }) => event)).toEqual([
      'run',
      'decision',
      'outcome',
      'decision',
      'outcome',
      'decision',
    ]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 6 });
  });

  it('never throws on input from a model', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    const args = JSON.parse('{"__proto__":{"a":1},"constructor":1,"lone":"\\ud800","\\udfff":[]}') as Record<
      string,
      never
    >;
    await log.append([
      decisionEvent('c1', 'blocked', args),
      decisionEvent('c2', 'blocked', { text: '\u001b[2J\u202e\u0085\u2028' }),
      decisionEvent('c3', 'blocked', { text: '\u007f' }),
    ]);
    expect(Object.entries(entries(file)[0]?.args ?? {})).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 1],
      ['lone', '\\u{d800}'],
      ['\\u{dfff}', []],
    ]);
    expect(entries(file)[1]?.args).toEqual({ text: '\u001b[2J\u202e\u0085\u2028' });
    expect(entries(file)[2]?.args).toEqual({ text: '\u007f' });
    // Nothing in the file moves a cursor or hides text, even when it is put on a terminal as it is.
    expect(readFileSync(file, 'utf8')).toMatch(/^[ -~\n]+$/);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 3 });
  });

  it('ignores envelope members in an event', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    await log.append([
      { ...runEvent(), seq: 9, prev: 'x', hash: 'y', run: 'r9', v: 3, time: 'never' } as LogEvent,
    ]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 1, run: 'r1' });
  });

  it('writes the head first, in fixed order, with the hash of the preceding bytes', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    await log.append([decisionEvent('c1', null), approvalEvent('c1', true), outcomeEvent('c1')]);
    await log.append([
      { now: 0, event: 'outcome', call: 'c2', outcome: 'refused', code: 'blocked', reason: 'é' },
    ]);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const head = ['prev', 'v', 'seq', 'time', 'run', 'event', 'call'];
    expect(entries(file).map((entry) => Object.keys(entry).slice(0, 9))).toEqual([
      [...head, 'decision', 'code'],
      [...head, 'approved', 'how'],
      [...head, 'outcome'],
      [...head, 'outcome', 'code'],
    ]);
    expect(entries(file).map(({ prev }) => prev)).toEqual([
      '0'.repeat(64),
      ...lines.slice(0, -1).map((line) => createHash('sha256').update(line).digest('hex')),
    ]);
  });

  it('writes additions to the history, and a history only if the log does not contain it', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    const after = (call: string, decision: Decision | null, history: readonly string[]) => ({
      ...decisionEvent(call, decision),
      history,
    });
    const write = 'fs.write';
    await log.append([after('c1', 'pre_approved', []), after('c2', 'needs_approval', [write])]);
    await log.append([after('c3', 'blocked', [write]), approvalEvent('c2', true)]);
    await log.append([after('c4', null, [write, write]), after('c5', 'pre_approved', ['net.connect'])]);
    await log.append([after('c6', 'pre_approved', ['net.connect', write]), approvalEvent('c1', false)]);
    const decisions = entries(file).filter(({ event }) => event === 'decision');
    expect(decisions.map(({ call, added, history }) => [call, added, history])).toEqual([
      ['c1', [write], undefined],
      ['c2', [], undefined],
      ['c3', [], undefined],
      ['c4', [], undefined],
      ['c5', [write], ['net.connect']],
      ['c6', [write], undefined],
    ]);
    const histories = createHistories();
    const told = entries(file).map((entry) =>
      histories
        .accept('r1', entry as unknown as LogEntry)()
        .map(({ name }) => name),
    );
    expect(told.filter((_, at) => entries(file)[at]?.event === 'decision')).toEqual([
      [],
      [write],
      [write],
      [write, write],
      ['net.connect'],
      ['net.connect', write],
    ]);
  });

  it.skipIf(!isDeep)('rejects an event that is too long, and accepts the next', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    const long = decisionEvent('c1', 'blocked', { text: ' '.repeat(maxLineBytes) });
    await expect(log.append([runEvent(), long])).rejects.toMatchObject({ code: 'TOO_LONG' });
    await log.append([runEvent()]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 1 });
  });

  it('fails permanently after a failed sync, with the first error', async () => {
    const disk = await watchDisk();
    const log = await openLog(join(folder(), 'run.jsonl'));
    const handle = await open(join(folder(), 'y'), 'w');
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    vi.spyOn(prototype, 'datasync').mockRejectedValueOnce(new Error('the disk is gone'));
    const [one, two] = await Promise.allSettled([log.append([runEvent()]), log.append([runEvent()])]);
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'WRITE_FAILED' } });
    expect(two).toEqual(one);
    const writes = disk.seen.length;
    await expect(log.append([runEvent()])).rejects.toThrow('the log cannot be written: the disk is gone');
    expect(disk.seen.length).toBe(writes);
  });

  it('rejects after close, which waits for pending events', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    const appended = log.append([runEvent()]);
    await log.close();
    await appended;
    await expect(log.append([runEvent()])).rejects.toMatchObject({ code: 'CLOSED' });
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 1 });
    await log.close();
  });
});

describe('createLog', () => {
  it('creates the file and its folders with access only for their owner', async () => {
    const root = folder();
    await openLog(join(root, 'a/b/run.jsonl'));
    const modes = ['a', 'a/b', 'a/b/run.jsonl'].map((path) =>
      (statSync(join(root, path)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '700', '600']);
  });

  it('continues the chain of its run', async () => {
    const file = join(folder(), 'run.jsonl');
    for (const call of ['c1', 'c2', 'c3']) {
      const log = await openLog(file);
      expect(log.recovered).toBeNull();
      await log.append([decisionEvent(call)]);
      await log.close();
    }
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 3 });
    expect(entries(file).map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });

  it('continues the log of another run only with a `run` event', async () => {
    const file = join(folder(), 'run.jsonl');
    const first = await openLog(file);
    await first.append([decisionEvent('c1')]);
    await first.close();
    truncateSync(file, statSync(file).size - 10);
    const second = await openLog(file, 'r2');
    expect(second.recovered).toMatchObject({ line: 1 });
    await second.append([runEvent(), decisionEvent('c1')]);
    await second.close();
    const third = await openLog(file, 'r3');
    await expect(third.append([decisionEvent('c1')])).rejects.toMatchObject({ code: 'BROKEN' });
    await third.append([runEvent()]);
    await third.append([decisionEvent('c1')]);
    await third.close();
    expect(entries(file).map(({ seq, run, event }) => [seq, run, event])).toEqual([
      [0, 'r2', 'run'],
      [1, 'r2', 'decision'],
      [2, 'r3', 'run'],
      [3, 'r3', 'decision'],
    ]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 4, run: 'r3', runs: 2 });
  });

  it('sets torn lines aside, and continues', async () => {
    const file = join(folder(), 'run.jsonl');
    for (const number of [1, 2]) {
      const log = await openLog(file);
      await log.append([decisionEvent('whole'), decisionEvent('torn')]);
      await log.close();
      truncateSync(file, statSync(file).size - 10);
      const torn = readFileSync(file, 'utf8').split('\n').at(-1) ?? '';
      const again = await openLog(file);
      expect(again.recovered).toEqual({
        file: `${file}.torn-${number}`,
        line: number + 1,
        bytes: torn.length,
      });
      expect(readFileSync(`${file}.torn-${number}`, 'utf8')).toBe(torn);
      await again.close();
    }
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 2, torn: null });
  });

  it('leaves a torn line in its place, and no other file, if it cannot set it aside', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    await log.append([decisionEvent('torn')]);
    await log.close();
    truncateSync(file, statSync(file).size - 10);
    const [before, names] = [readFileSync(file, 'utf8'), readdirSync(dirname(file))];
    (await watchDisk()).fail();
    await expect(openLog(file)).rejects.toThrow('the disk is full');
    expect([readFileSync(file, 'utf8'), readdirSync(dirname(file))]).toEqual([before, names]);
  });

  it('refuses a second writer, without effect on the first', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await openLog(file);
    await expect(openLog(file)).rejects.toMatchObject({ code: 'LOCKED' });
    await log.append([runEvent()]);
    await log.close();
    await (await openLog(file)).append([runEvent()]);
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 2 });
  });

  it('leaves no files when it refuses', async () => {
    const root = folder();
    const file = join(root, 'run.jsonl');
    writeFileSync(file, 'not a log\n', { mode: 0o600 });
    await expect(openLog(file)).rejects.toMatchObject({ code: 'BROKEN' });
    expect(readdirSync(root)).toEqual(['run.jsonl']);
  });

  it.each<[string, (root: string, file: string) => void]>([
    [
      'a symbolic link',
      (root, file) => {
        writeFileSync(join(root, 'target'), '');
        symlinkSync(join(root, 'target'), file);
      },
    ],
    ['a link to nothing', (root, file) => symlinkSync(join(root, 'target'), file)],
    ['a folder', (_, file) => mkdirSync(file)],
    [
      'a file that its group may write',
      (_, file) => {
        writeFileSync(file, '');
        chmodSync(file, 0o620);
      },
    ],
    [
      'a file that everybody may write',
      (_, file) => {
        writeFileSync(file, '');
        chmodSync(file, 0o602);
      },
    ],
  ])('refuses %s', async (_, make) => {
    const root = folder();
    const file = join(root, 'run.jsonl');
    make(root, file);
    await expect(openLog(file)).rejects.toMatchObject({ code: 'UNSAFE_FILE' });
    expect(readdirSync(root)).not.toContain('run.jsonl.lock');
  });

  it('refuses an undecidable lock: of another program, of another machine', async () => {
    const root = folder();
    const file = join(root, 'run.jsonl');
    writeFileSync(`${file}.lock`, 'something else');
    await expect(openLog(file)).rejects.toMatchObject({ code: 'LOCKED' });
    const nonce = '00000000-0000-4000-8000-000000000000';
    writeFileSync(
      `${file}.lock`,
      JSON.stringify({ pid: 1, start: null, machine: 'elsewhere', boot: null, space: null, nonce }),
    );
    await expect(openLog(file)).rejects.toMatchObject({ code: 'LOCKED' });
    expect(readdirSync(root)).toEqual(['run.jsonl.lock']);
    rmSync(`${file}.lock`);
    symlinkSync(join(root, 'nothing'), `${file}.lock`);
    await expect(openLog(file)).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('takes over a lock whose process number now belongs to another process', async () => {
    const root = folder();
    const file = join(root, 'run.jsonl');
    const log = await openLog(file);
    const lock = JSON.parse(readFileSync(`${file}.lock`, 'utf8')) as { start: string | null };
    await log.close();
    if (lock.start === null) return;
    writeFileSync(`${file}.lock`, JSON.stringify({ ...lock, start: '1' }));
    // A process that was killed while taking it over has left this one behind too.
    linkSync(`${file}.lock`, `${file}.lock.${(lock as unknown as { nonce: string }).nonce.slice(0, 8)}`);
    await (await openLog(file)).close();
    expect(readdirSync(root)).toEqual(['run.jsonl']);
  });

  it('requires a key of 16 bytes', async () => {
    const file = join(folder(), 'run.jsonl');
    await expect(createLog({ file, run: 'r', key: key.subarray(0, 8) })).rejects.toThrow(TypeError);
  });
});
