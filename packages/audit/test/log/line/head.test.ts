import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../../test/depth.js';
import { isWholeAfter, readHead } from '../../../src/log/line/head.js';
import {
  encodeLine,
  eventNames,
  firstPrev,
  headMembers,
  membersOf,
  timeOf,
} from '../../../src/log/line/line.js';
import { approvalEvent, decisionEvent, endEvent, outcomeEvent, runEvent } from '../../events.js';

/** The head of a line in one expression, and its rest token by token. */
const text = String.raw`"(?:[^"\\]|\\.)*"`;
const word = '"[a-z_]+"';
const plainHead = new RegExp(
  String.raw`^\{"prev":"(?<prev>[0-9a-f]{64})","v":2,"seq":(?<seq>0|[1-9]\d{0,14}),` +
    String.raw`"time":"(?<time>[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","run":(?<run>${text}),` +
    `"event":"(?<event>run|policy|guard_changed|end|segment|decision|approval|outcome)"` +
    `(?:,"call":(?<call>${text}))?(?:,"decision":(?<decision>null|${word}))?` +
    `(?:,"approved":(?<approved>true|false))?(?:,"outcome":(?<outcome>${word}))?` +
    `(?:,"code":(?<code>${word}))?(?=[,}])(?!,"(?:call|decision|approved|outcome|code)":)`,
  's',
);
const token = /"(?:[^"\\]|\\(?:.|$))*("|$)([\0- ]*:)?|[{}[\]]/gs;
const headKeys = ['prev', 'v', 'seq', 'time', 'run', ...headMembers];
const bytesIn = (latin1: string) => Buffer.from(latin1, 'latin1').toString();

function headByDefinition(line: string) {
  const found = plainHead.exec(line);
  const { groups = {} } = found ?? {};
  const { event = '', call, decision, approved, outcome } = groups;
  const needs = { decision: [call, decision], approval: [call, approved], outcome: [call, outcome] }[event];
  if (found === null || needs?.includes(undefined) === true) return null;
  try {
    const read = (json: string | undefined) => (json === undefined ? null : JSON.parse(bytesIn(json)));
    const { prev, seq, time, run, code } = groups;
    const own = { call: read(call), decision: read(decision), code: read(code), outcome: read(outcome) };
    const all = { v: 2, prev, seq: Number(seq), time, run: read(run), event };
    const head = { ...all, ...own, approved: approved === 'true' };
    const members = 1 + Object.values(groups).filter((value) => value !== undefined).length;
    return { head, members, end: found[0].length };
  } catch {
    return null;
  }
}

function isWholeByDefinition(line: string, end: number): boolean {
  let depth = 1;
  const rest = line.slice(end);
  for (const { 0: found, 1: quote, 2: colon, index } of rest.matchAll(token)) {
    if (found.startsWith('"')) {
      if (quote === '') return false;
      if (depth === 1 && colon !== undefined && isHeadKey(found.slice(0, -colon.length))) return false;
    } else depth += '{['.includes(found) ? 1 : -1;
    if (depth === 0) return index + 1 === rest.length;
  }
  return false;
}

function isHeadKey(json: string): boolean {
  try {
    return headKeys.includes(JSON.parse(bytesIn(json)) as string);
  } catch {
    return json.includes('\\');
  }
}

const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'grapheme', maxLength: 400 }));
const lines = fc
  .tuple(fc.constantFrom('r1', 'r 2/ä', '"\\', 'x'.repeat(400)), fc.nat(2 ** 40), value, fc.nat(5))
  .map(([run, now, args, at]) => {
    const [call, ended] = [`c${now % 7}`, endEvent()];
    const decided = { ...decisionEvent(call, 'blocked', args as never), code: 'cannot' };
    const events = [runEvent(), decided, approvalEvent(run, true), outcomeEvent(call), ended, decided];
    const members = membersOf(events[at] ?? ended) ?? '';
    const line = encodeLine(members, { seq: now, prev: firstPrev, run, now });
    return Buffer.from(line.text).toString('latin1');
  });
const marks = '" \\ { } [ ] : , \n \0 é \xff A 0 \\u0061 "run": ,"x":1 ,"\\x":1'.split(' ');
const pieces = marks.concat([
  '',
  ' ',
  ',"code":"x"',
  ',"c\\u006fde":1',
  ',"c\\x6":1',
  ',"call" :"c"',
  '"outcome":"a",',
]);
const edits = fc.array(
  fc.record({
    at: fc.nat(),
    // Near the head as often as anywhere.
    within: fc.constantFrom(2000, 300),
    put: fc.constantFrom(...pieces),
    cut: fc.constantFrom(0, 0, 1, 5),
  }),
  { maxLength: 3 },
);

describe('readHead', () => {
  it('equals its definition, and finds the same line whole, however it is damaged', () => {
    const seen = { heads: 0, whole: 0, all: 0 };
    fc.assert(
      fc.property(lines, edits, (line, done) => {
        const damaged = done.reduce((before, { at, within, put, cut }) => {
          const place = at % Math.min(within, before.length + 1);
          return before.slice(0, place) + put + before.slice(place + cut);
        }, line);
        const bytes = Buffer.from(damaged, 'latin1');
        const expected = headByDefinition(damaged);
        for (const prev of [null, firstPrev, 'f'.repeat(64)]) expect(readHead(bytes, prev)).toEqual(expected);
        const isWhole = expected !== null && isWholeByDefinition(damaged, expected.end);
        if (expected !== null) expect(isWholeAfter(bytes, expected as never)).toBe(isWhole);
        seen.all += 1;
        if (expected !== null) seen.heads += 1;
        if (isWhole) seen.whole += 1;
      }),
      explore(3000),
    );
    // Neither is rare, so both are compared.
    for (const count of [seen.whole, seen.heads - seen.whole, seen.all - seen.heads])
      expect(count).toBeGreaterThan(tries(20));
  });
});

describe('the head of a line', () => {
  it('ends before a repeated member, wherever the first bytes of the line are cut', () => {
    const at = { seq: 1, prev: firstPrev, now: 0 };
    for (let length = 0; length < 400; length += 1) {
      const members = membersOf(outcomeEvent('c')) ?? '';
      const { text: line } = encodeLine(members, { ...at, run: 'x'.repeat(length) });
      const twice = Buffer.from(line.replace('"}', '","code":"a","code":"b"}'));
      expect([length, readHead(Buffer.from(line))?.head.outcome]).toEqual([length, 'completed']);
      expect([length, readHead(twice)]).toEqual([length, null]);
    }
  });
});

describe('membersOf', () => {
  it('is null exactly for a head that no reader takes, and for a segment', () => {
    const words = ['a_b', 'Not Found', '', 'a\n', '\ud800"\u2028\u{1f600}', 'run', null, 5, true, ['a'], {}];
    const member = fc.option(fc.constantFrom(...words), { nil: undefined });
    const own = { call: member, decision: member, approved: member, outcome: member, code: member };
    const event = fc.oneof(fc.constantFrom(...eventNames), member);
    // Mostly taken, so that both are frequent.
    const usual = fc.record({
      event: fc.constantFrom(...eventNames),
      call: fc.constantFrom('c1', '\ud800"\u2028', undefined),
      decision: fc.constantFrom('blocked', null, undefined),
      approved: fc.constantFrom(true, undefined),
      outcome: fc.constantFrom('failed', undefined),
      code: fc.constantFrom('cannot', undefined),
    });
    const seen = { taken: 0, all: 0 };
    fc.assert(
      fc.property(fc.oneof(usual, fc.record({ event, ...own })), (head) => {
        const members = `,${JSON.stringify(head).slice(1)}`;
        const { text: line } = encodeLine(members, { seq: 0, prev: firstPrev, run: 'r', now: 0 });
        const isTaken = readHead(Buffer.from(line)) !== null && head.event !== 'segment';
        expect(membersOf({ ...head, x: 1 })).toBe(isTaken ? `${members.slice(0, -1)},"x":1}` : null);
        seen.all += 1;
        if (isTaken) seen.taken += 1;
      }),
      explore(3000),
    );
    for (const count of [seen.taken, seen.all - seen.taken]) expect(count).toBeGreaterThan(tries(100));
  });
});

describe('timeOf', () => {
  it('equals toISOString, whichever time came before', () => {
    const time = fc.oneof(
      fc.integer({ min: -8.64e15, max: 8.64e15 }),
      fc.integer({ min: -3000, max: 3000 }),
      fc.double({ min: -3000, max: 3000, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(time), (times) => {
        for (const one of times) expect(timeOf(one)).toBe(new Date(one).toISOString());
      }),
      explore(3000),
    );
    expect(() => timeOf(Number.NaN)).toThrow(RangeError);
  });
});
