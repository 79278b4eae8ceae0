import { createHash } from 'node:crypto';
import type { JsonObject, LogEvent } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { canonicalJson } from '../../src/log/line/canonical-json.js';
import { encodeLine, firstPrev, hashOf, maxLineBytes, membersOf } from '../../src/log/line/line.js';
import { createTree } from '../../src/log/tree/merkle-tree.js';
import { acceptLines, type Chain, createChain } from '../../src/verify/chain.js';
import { approvalEvent, decisionEvent, endEvent, outcomeEvent, runEvent } from '../events.js';

const ofRun = (run: string, events: readonly object[]) => events.map((event) => ({ run, event }));
const calls: readonly object[] = [
  decisionEvent('c1', 'needs_approval', { path: 'a.md', text: 'Größe "1"\n\u{1f600}', n: [1.5, -2, 1e21] }),
  approvalEvent('c1', true),
  outcomeEvent('c1'),
  decisionEvent('c2', 'pre_approved', { long: 'a long text \\ '.repeat(20), b: { a: 1, c: null } }),
  { ...decisionEvent('c3', null), code: 'bad_input' },
  { ...outcomeEvent('c3'), outcome: 'refused' },
  outcomeEvent('c2'),
  decisionEvent('c4', 'blocked', { hidden: 'a\u200bb' }),
  { ...outcomeEvent('c4'), outcome: 'refused' },
];
const story = [
  ...ofRun('r1', [runEvent(), ...calls, endEvent()]),
  ...ofRun('r2', [runEvent(), ...calls, endEvent()]),
];

const time = (index: number) => new Date(Date.UTC(2026, 10, 20, 10) + index * 300).toISOString();
const log = story.reduce<{ prev: string; lines: string[] }>(
  ({ prev, lines }, { run, event }, seq) => {
    const members = membersOf(event as LogEvent as unknown as JsonObject);
    const { hash, text } = encodeLine(members, { seq, prev, run, time: time(seq) });
    return { prev: hash, lines: [...lines, text.slice(0, -1)] };
  },
  { prev: firstPrev, lines: [] },
).lines;

/** All that a verification says of whole lines. */
function saidOf(read: (chain: Chain, take: (entry: { readonly hash: string }) => void) => unknown): unknown {
  const chain = createChain('run.jsonl');
  const tree = createTree();
  const wrong = read(chain, ({ hash }) => tree.append(hash));
  const { seq, hash, run } = chain.last() ?? {};
  const last = { seq, hash, run, time: chain.time() };
  const ends = { end: chain.end(), size: chain.size(), runs: chain.runs(), ended: chain.ended() };
  return { wrong, last, ...ends, clock: chain.clockBack(), root: tree.root().toString('hex') };
}

const quickly = (bytes: Buffer) => saidOf((chain, take) => acceptLines(chain, bytes, take));

/** The definition: each line by itself, as `parseLine` reads it. */
const plainly = (bytes: Buffer) =>
  saidOf((chain, take) => {
    for (let start = 0, before = 0; start < bytes.length; before += 1) {
      const end = bytes.indexOf(10, start);
      const taken = chain.accept(bytes.subarray(start, end));
      if (!taken.ok) return { damage: taken, before };
      take(taken.entry);
      start = end + 1;
    }
    return null;
  });

/** Values as somebody may spell them who makes every hash right, some of them as no log would. */
const spellings = [
  '1.0',
  '01',
  '"\\u0041"',
  '["\\u000a"]',
  '[1, 2]',
  '{"b":1,"a":2}',
  '{"a":1,"a":2}',
  '{"é":1}',
  '"é"',
  '"\u2028"',
  '-0',
  '1e400',
  'null',
  'true',
  '"c1"',
  '"c2"',
  '"r2"',
  '"refused"',
  '"completed"',
  '"pre_approved"',
  '"decision"',
  '"end"',
  '"segment"',
  '"2026-11-20T09:00:00.000Z"',
  '"2026-11-20T24:00:00.000Z"',
  '"2026-13-20T10:00:00.000Z"',
  '"2026-11-20T10:00:00Z"',
  '"+002026-11-20T10:00:00.000Z"',
  `"${'a'.repeat(64)}"`,
  '3',
  '-1',
  '1e2',
];
const members = 'v seq time run event call decision code approved outcome args tool prev hash zzz'.split(' ');

interface Forgery {
  readonly at: number;
  readonly member: string;
  readonly spelled: string;
  /** Whether the hash is that of the line as it is spelled, or that of what it says. */
  readonly asItStands: boolean;
}

/** Lines with one member spelled so, and every hash made right from there on. */
function forged(lines: readonly string[], { at, member, spelled, asItStands }: Forgery): readonly string[] {
  let prev = firstPrev;
  return lines.map((line, index) => {
    const { hash: _, ...rest }: JsonObject = { ...(JSON.parse(line) as JsonObject), prev };
    const texts = new Map(Object.entries(rest).map(([key, value]) => [key, canonicalJson(value)]));
    if (index === at) texts.set(member, spelled);
    texts.delete('hash');
    const textOf = (keys: readonly string[]) => keys.map((key) => `"${key}":${texts.get(key)}`).join();
    const canonical = `{${textOf([...texts.keys()].sort())}}`;
    const value = asItStands ? undefined : parsed(canonical);
    prev = value === undefined ? createHash('sha256').update(canonical).digest('hex') : hashOf(value);
    return `{${textOf([...texts.keys()])},"hash":"${prev}"}`;
  });
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value = JSON.parse(json) as JsonObject;
    canonicalJson(value);
    return value;
  } catch {
    return undefined;
  }
}

const forgery = fc.record({
  at: fc.nat(log.length - 1),
  member: fc.constantFrom(...members),
  spelled: fc.constantFrom(...spellings),
  asItStands: fc.boolean(),
});
const moved = fc.record({
  how: fc.constantFrom('drop', 'double', 'swap'),
  at: fc.nat(log.length - 1),
  to: fc.nat(log.length - 1),
});
const byteEdit = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  cut: fc.nat(3),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 2 }),
    fc.constantFrom('"', '\\', '}', '{', ',', '\n', ' ', '\r', '\0', 'é').map((text) => Buffer.from(text)),
  ),
});

const unchanged: Forgery = { at: 1, member: 'zzz', spelled: '1', asItStands: true };

/** One of each kind, whatever is drawn besides. */
const examples: readonly (readonly [
  string,
  Forgery,
  { at: number; cut: number; put: Buffer<ArrayBuffer> }[]?,
])[] = [
  ['ok', unchanged],
  ['BAD_ENCODING', unchanged, [{ at: 0.5, cut: 1, put: Buffer.from([0xff]) }]],
  ['BAD_JSON', { ...unchanged, spelled: '01' }],
  ['BAD_FIELD', { ...unchanged, member: 'time', spelled: '"2026-11-20T10:00:00Z"' }],
  ['DUPLICATE_KEY', { ...unchanged, spelled: '{"a":1,"a":2}' }],
  ['WRONG_VERSION', { ...unchanged, member: 'v', spelled: '3' }],
  ['UNKNOWN_EVENT', { ...unchanged, member: 'event', spelled: '"c1"' }],
  ['SEQ_GAP', { ...unchanged, member: 'seq', spelled: '3' }],
  ['RUN_CHANGED', { ...unchanged, member: 'run', spelled: '"r2"' }],
  ['PREV_MISMATCH', { ...unchanged, member: 'prev', spelled: `"${'a'.repeat(64)}"` }],
  ['HASH_MISMATCH', { ...unchanged, spelled: '1.0' }],
  ['OUTCOME_WITHOUT_DECISION', { ...unchanged, at: 3, member: 'call', spelled: '"c2"' }],
];

function moving(
  lines: readonly string[],
  { how, at, to }: { how: string; at: number; to: number },
): readonly string[] {
  const line = lines[at] ?? '';
  if (how === 'drop') return lines.toSpliced(at, 1);
  return how === 'double' ? lines.toSpliced(to, 0, line) : lines.with(at, lines[to] ?? '').with(to, line);
}

function bytesOf(
  lines: readonly string[],
  edits: readonly { at: number; cut: number; put: Uint8Array }[],
): Buffer {
  let bytes = Buffer.from(lines.join('\n'));
  for (const { at, cut, put } of edits) {
    const start = Math.floor(at * bytes.length);
    bytes = Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + cut)]);
  }
  return Buffer.concat([bytes, Buffer.from('\n')]);
}

describe('acceptLines', () => {
  it('takes most of a log without a closer look', () => {
    const chain = createChain('run.jsonl');
    const quick: string[] = [];
    expect(
      acceptLines(chain, bytesOf(log, []), (entry) => void ('next' in entry && quick.push(entry.event))),
    ).toBeNull();
    expect([quick.length, log.length]).toEqual([18, 22]);
  });

  it('takes no line that is not UTF-8, though it is hashed as it stands', () => {
    const [first = ''] = log;
    const { hash: prev } = JSON.parse(first) as { hash: string };
    const head = `"event":"end","prev":"${prev}","run":"r1","seq":1,"text":"`;
    const saidOfText = (text: Buffer) => {
      const members = Buffer.concat([Buffer.from(head), text, Buffer.from(`","time":"${time(1)}","v":1`)]);
      const hash = createHash('sha256').update('{').update(members).update('}').digest('hex');
      const line = Buffer.concat([Buffer.from(`${first}\n{`), members, Buffer.from(`,"hash":"${hash}"}\n`)]);
      return acceptLines(createChain('run.jsonl'), line, () => {});
    };
    expect(saidOfText(Buffer.from('é'))).toBeNull();
    for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]])
      expect(saidOfText(Buffer.from(bytes))).toMatchObject({ before: 1, damage: { code: 'BAD_ENCODING' } });
  });

  it('takes no line that is too long, though it is right in all else', () => {
    const [first = ''] = log;
    const { hash: prev } = JSON.parse(first) as { hash: string };
    const at = { seq: 1, prev, run: 'r1', time: time(1) };
    const lineOf = (length: number) =>
      encodeLine({ names: ['event', 'text'], texts: ['"end"', `"${' '.repeat(length)}"`] }, at);
    const rest = lineOf(0).length;
    const saidOfLine = (length: number) =>
      acceptLines(createChain('run.jsonl'), Buffer.from(`${first}\n${lineOf(length - rest).text}`), () => {});
    expect(saidOfLine(maxLineBytes)).toBeNull();
    expect(saidOfLine(maxLineBytes + 1)).toMatchObject({ before: 1, damage: { code: 'LINE_TOO_LONG' } });
  });

  it('says of any log what the definition says of it, line by line', () => {
    const codes = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(forgery, { maxLength: 2 }),
        fc.array(moved, { maxLength: 1 }),
        fc.array(byteEdit, { maxLength: 1 }),
        (forgeries, moves, edits) => {
          let lines: readonly string[] = log;
          // Only the last of them: a line that is no JSON any more cannot be hashed again.
          for (const one of forgeries)
            lines = lines.every((line) => parsed(line)) ? forged(lines, one) : lines;
          const bytes = bytesOf(moves.reduce(moving, lines), edits);
          const expected = plainly(bytes);
          expect(quickly(bytes)).toEqual(expected);
          codes.add((expected as { wrong: { damage: { code: string } } | null }).wrong?.damage.code ?? 'ok');
        },
      ),
      {
        ...explore(2500),
        examples: examples.map(([, one, edits = []]): [Forgery[], never[], typeof edits] => [
          [one],
          [],
          edits,
        ]),
      },
    );
    for (const [code] of examples) expect(codes).toContain(code);
  });
});
