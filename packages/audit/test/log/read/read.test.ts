import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, LogEvent, NonEmpty } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  findCall,
  formatCall,
  formatEvent,
  type LogLine,
  logSchema,
  readLog,
  tailLog,
} from '../../../src/index.js';
import { eventNames } from '../../../src/log/line/line.js';
import type { TailOptions } from '../../../src/log/read/read-log.js';
import {
  approvalEvent,
  decisionEvent,
  endEvent,
  folder,
  openLog,
  outcomeEvent,
  runEvent,
} from '../../events.js';

const evil = '\u001b[2J\u202eevil\u200b\ncall c9';
const story: NonEmpty<LogEvent> = [
  runEvent(),
  { now: 0, event: 'policy', files: [{ name: 'policy.yaml', sha256: '0'.repeat(64), source: 'x' }] },
  decisionEvent('call-aa1', 'needs_approval', { path: 'a.md', text: evil }),
  { ...approvalEvent('call-aa1', true), keep: { remember: 'run', reach: 'file' }, note: evil } as LogEvent,
  outcomeEvent('call-aa1'),
  decisionEvent('call-bb2', null),
  { now: 0, event: 'outcome', call: 'call-bb2', outcome: 'refused', code: 'bad_input', reason: evil },
  endEvent(),
];

async function written(events: NonEmpty<LogEvent> = story): Promise<string> {
  const file = join(folder(), 'run.jsonl');
  const log = await openLog(file);
  await log.append(events);
  await log.close();
  return file;
}

async function collect<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const seqs = (lines: readonly LogLine[]) => lines.map(({ entry }) => entry.seq);

describe('readLog', () => {
  it('returns the entries with their lines, without a torn one', async () => {
    const file = await written();
    appendFileSync(file, '{"v":1,"seq":8');
    const lines = await collect(readLog(file));
    expect(lines.map(({ line, entry }) => [line, entry.event])).toEqual(
      story.map(({ event }, index) => [index + 1, event]),
    );
  });

  it('throws with the place of an unreadable line', async () => {
    const file = await written();
    appendFileSync(file, 'nonsense\n');
    await expect(collect(readLog(file))).rejects.toMatchObject({
      code: 'BAD_LINE',
      message: `${file}:9: BAD_JSON the line is not JSON`,
      details: { file, line: 9 },
    });
  });

  it('takes the event of a line from its head, and refuses a second one behind it', async () => {
    const file = await written();
    const lines = readFileSync(file, 'utf8').split('\n');
    const [outcome = ''] = lines.splice(4, 1);
    const twice = outcome.replace(/}$/, ',"event":"decision"}');
    writeFileSync(file, lines.toSpliced(4, 0, twice).join('\n'));
    expect(seqs(await collect(readLog(file, ['decision'])))).toEqual([2, 5]);
    await expect(collect(readLog(file))).rejects.toMatchObject({
      message: `${file}:5: DUPLICATE_KEY the line has a duplicate key`,
    });
  });
});

describe('tailLog', () => {
  const tail = async (file: string, options?: TailOptions) => seqs(await collect(tailLog(file, options)));

  it('returns all entries, or the last ones', async () => {
    const file = await written();
    expect(await tail(file)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await tail(file, { lines: 3 })).toEqual([5, 6, 7]);
    expect(await tail(file, { lines: 0 })).toEqual([]);
    await expect(tail(`${file}.none`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('follows a file that does not exist yet, returns whole lines, and stops on request', async () => {
    const source = readFileSync(await written(), 'utf8').split('\n');
    const file = join(folder(), 'later.jsonl');
    const stop = new AbortController();
    const following = tailLog(file, { follow: true, signal: stop.signal });
    const first = following.next();
    writeFileSync(file, `${source[0]}\n${source[1]?.slice(0, 20)}`);
    expect((await first).value?.line).toBe(1);
    const second = following.next();
    appendFileSync(file, `${source[1]?.slice(20)}\n${source[2]}\n`);
    expect((await second).value?.entry.seq).toBe(1);
    expect((await following.next()).value?.entry.seq).toBe(2);
    const last = following.next();
    stop.abort();
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it('reports that the file was truncated', async () => {
    const file = await written();
    const following = tailLog(file, { follow: true, lines: 1 });
    expect((await following.next()).value?.entry.seq).toBe(7);
    truncateSync(file, 10);
    await expect(following.next()).rejects.toMatchObject({ code: 'CUT' });
  });
});

describe('findCall', () => {
  it.each(['call-aa1', 'call-a', '2', '3', '4'])(
    'finds a call by its id, a prefix or an entry: %s',
    async (wanted) => {
      const found = await findCall(await written(), wanted);
      expect(found.ok && [found.story.call, seqs(found.story.lines)]).toEqual(['call-aa1', [2, 3, 4]]);
    },
  );

  it.each([
    ['call-', '2 calls begin with `call-`', ['call-aa1', 'call-bb2']],
    ['0', 'entry `0` is not about a call', []],
    ['call-ab1', expect.stringMatching(/^no call `call-ab1` in /), ['call-aa1']],
    ['\u001b', expect.stringMatching(/^no call `\\u\{1b\}` in /), []],
    ['', expect.stringMatching(/^no call `` in /), []],
  ])('suggests a call for `%s`', async (wanted, message, similar) => {
    expect(await findCall(await written(), wanted)).toEqual({ ok: false, message, similar });
  });
});

describe('formatCall', () => {
  it('tells the story of a call', async () => {
    const found = await findCall(await written(), 'call-aa1');
    expect(found.ok && formatCall(found.story)).toBe(
      String.raw`call call-aa1, run r1

decision  seq 2  2026-11-20T10:00:00.000Z
  worker      main
  tool        filesystem.write_file
  arguments   {
                "path": "a.md",
                "text": "\u001b[2J\u{202e}evil\u{200b}\ncall c9"
              }
  carries     fs.write: write /w/a.md
  decision    needs_approval
  - policy.yaml on ${'`'}write /w/a.md${'`'}: needs_approval
      rule ask at policy.yaml:3:5 says needs_approval
  reason      files are looked at

approval  seq 3  2026-11-20T10:00:00.000Z
  asked about write /w/a.md
  asked why   files are looked at
  answer      approved
  by          person alice
  kept        for run, as far as file
  note        \u{1b}[2J\u{202e}evil\u{200b}\u{a}call c9

outcome  seq 4  2026-11-20T10:00:00.000Z
  outcome     completed`,
    );
  });

  it('shows a call that was never judged, and accepts incomplete entries', async () => {
    const found = await findCall(await written(), 'call-bb2');
    expect(found.ok && formatCall(found.story)).toContain('decision    none: refused before it was judged');
    const bare = { v: 1, seq: 0, time: 't', run: 'r', prev: '', hash: '', call: 'c' } as const;
    const lines = eventNames.map((event, index) => ({ line: index + 1, entry: { ...bare, event } }));
    expect(formatCall({ call: 'c', lines })).toContain('call c, run r');
    expect(lines.map(({ entry }) => formatEvent(entry)).every((line) => line.startsWith('   0  t  '))).toBe(
      true,
    );
    expect(formatCall({ call: 'c', lines: [] })).toBe('call c: nothing is recorded');
  });
});

describe('formatEvent', () => {
  it('returns one line for each event, without control characters', async () => {
    const lines = (await collect(readLog(await written()))).map(({ entry }) => formatEvent(entry));
    expect(lines).toEqual([
      '   0  2026-11-20T10:00:00.000Z  run       r1  mode strict  by u',
      '   1  1970-01-01T00:00:00.000Z  policy    policy.yaml',
      '   2  2026-11-20T10:00:00.000Z  decision  call-aa1  main  filesystem.write_file  needs_approval  ask at policy.yaml:3:5',
      String.raw`   3  2026-11-20T10:00:00.000Z  approval  call-aa1  approved  person alice  \u{1b}[2J\u{202e}evil\u{200b}\u{a}call c9`,
      '   4  2026-11-20T10:00:00.000Z  outcome   call-aa1  completed',
      '   5  2026-11-20T10:00:00.000Z  decision  call-bb2  main  filesystem.write_file  refused (bad_input)',
      String.raw`   6  1970-01-01T00:00:00.000Z  outcome   call-bb2  refused  bad_input  \u{1b}[2J\u{202e}evil\u{200b}\u{a}call c9`,
      '   7  2026-11-20T10:00:00.000Z  end       finished',
    ]);
  });
});

describe('logSchema', () => {
  const schema = logSchema() as unknown as {
    required: string[];
    oneOf: { required: string[]; properties: Record<string, JsonObject> }[];
  };

  it('covers every kind of event and every member that a log writes', async () => {
    expect(schema.oneOf.map(({ properties }) => properties.event?.const)).toEqual([...eventNames]);
    for (const { entry } of await collect(readLog(await written()))) {
      const branch = schema.oneOf.find(({ properties }) => properties.event?.const === entry.event);
      const members = Object.keys(entry);
      expect(schema.required.filter((member) => !members.includes(member))).toEqual([]);
      expect(branch?.required.filter((member) => !members.includes(member))).toEqual([]);
      const known = [...schema.required, ...Object.keys(branch?.properties ?? {})];
      expect(members.filter((member) => !known.includes(member))).toEqual([]);
    }
  });
});
