import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { canonicalJson } from '../../../src/log/line/canonical-json.js';
import { encodeLine, hashOf, membersOf } from '../../../src/log/line/line.js';
import { parseLine } from '../../../src/log/line/parse-line.js';
import { type QuickEntry, quickEntry, quickTime } from '../../../src/log/line/quick-line.js';
import { canonicalValueEnd } from '../../../src/log/line/quick-scan.js';
import { approvalEvent, decisionEvent, endEvent, outcomeEvent } from '../../events.js';

const at = { seq: 7, prev: 'a'.repeat(64) };
const time = '2026-11-20T10:00:00.000Z';
const lineOf = (event: object) =>
  encodeLine(membersOf(event as JsonObject), { ...at, run: 'r1', time }).text.slice(0, -1);
const quick = (line: string, end = at) => quickEntry(Buffer.from(`x\n${line}\ny`), 2, { end, run: 'r1' });
const valueEnd = (text: string) => canonicalValueEnd(Buffer.from(text), 0);

/** What a chain reads of an entry, as `quickEntry` gives it. */
function meaningOf(line: string): Omit<QuickEntry, 'next'> {
  const parsed = parseLine(Buffer.from(line));
  if (!parsed.ok) throw new Error(parsed.damage.message);
  const { seq, run, hash, event, time, call, decision, code, approved, outcome } = parsed.entry;
  const only = (kind: string, value: Json | undefined) =>
    event === kind && typeof value === 'string' ? value : null;
  return {
    seq,
    run,
    hash,
    event: event as QuickEntry['event'],
    at: Date.parse(time),
    call: typeof call === 'string' ? call : '',
    decision: only('decision', decision),
    code: only('decision', code),
    approved: event === 'approval' && approved === true,
    outcome: only('outcome', outcome),
  };
}

/** A line with a member as it is spelled here, hashed as it stands: by somebody who counts on nobody looking closely. */
function forged(spelled: string): string {
  const members: Record<string, string> = {
    v: '1',
    seq: '7',
    time: `"${time}"`,
    run: '"r1"',
    event: '"decision"',
    call: '"c1"',
    decision: '"blocked"',
    prev: `"${at.prev}"`,
    ...(spelled.startsWith('"') ? {} : { x: spelled }),
  };
  const own = spelled.startsWith('"') ? `,${spelled}` : '';
  const sorted = Object.keys(members)
    .sort()
    .map((name) => `"${name}":${members[name]}`);
  const hash = createHash('sha256').update(`{${sorted.join()}${own}}`).digest('hex');
  return `{${Object.entries(members)
    .map(([name, text]) => `"${name}":${text}`)
    .join()}${own},"hash":"${hash}"}`;
}

describe('canonicalValueEnd', () => {
  it('goes to the end of every canonical value whose keys are plain, and past no other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
        const text = canonicalJson(value as Json);
        const isPlain = !text.includes('\\u') && !/"(?:[^"]*[\\\u0080-\uffff])[^"]*":/.test(text);
        const length = Buffer.byteLength(text);
        const end = valueEnd(`${text},`);
        return isPlain ? end === length : end === -1 || end === length;
      }),
      explore(3000),
    );
  });

  it('finds the end of every text, however long, wherever it stands', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '"',
        '\\',
        '\\n',
        '\\"',
        '\\u',
        '\n',
        '\u001f',
        '\u0080',
        '\u007f',
        '\u{1f600}',
        '!',
        '[',
        ']',
        '#',
      ),
      fc.nat(90).map((length) => 'abcdefghij'.repeat(9).slice(0, length)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(9), (parts, before) => {
        const text = `"${parts.join('')}"`;
        const bytes = Buffer.from(`${'x'.repeat(before)}${text},`);
        const found = /^"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\["\\bfnrt])*"/u.exec(text)?.[0];
        const expected = found === undefined ? -1 : before + Buffer.byteLength(found);
        expect(canonicalValueEnd(bytes, before)).toBe(expected);
      }),
      explore(4000),
    );
  });

  it.each([
    '1.0',
    '01',
    '-0',
    '1E2',
    '1e2',
    '+1',
    '.5',
    '1.',
    '1e400',
    '-',
    '--1',
    '1e',
    '0x1',
    '"\\u0041"',
    '"\\/"',
    '"\\x"',
    '"\t"',
    '"',
    '"a',
    '"\\',
    '"\\u001b"',
    '[1 ]',
    '[ 1]',
    '[1,]',
    '[,1]',
    '[1',
    '[1}',
    '[1 ,2]',
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a" :1}',
    '{"a": 1}',
    '{"a":1,}',
    '{a:1}',
    '{"a"}',
    '{"a":1',
    '{"a":1]',
    '{"\\"":1}',
    '{"é":1}',
    '{"a":1,"\ufb33":1,"\u{1f600}":1}',
    'nul',
    'True',
    'tru',
    'undefined',
    'NaN',
    ' 1',
    `${'['.repeat(600)}${']'.repeat(600)}`,
  ])('does not take %s', (text) => {
    expect(valueEnd(text)).not.toBe(Buffer.byteLength(text));
  });
});

describe('quickEntry', () => {
  it.each([
    decisionEvent('c1'),
    decisionEvent('c1', null, { text: 'a "b" \\ \n', list: [1.5, -2, 1e21, true, null, {}] }),
    approvalEvent('c1', true),
    approvalEvent('c1', false),
    decisionEvent('c1', null, { text: 'Größe, 大きさ, \u{1f600}' }),
    decisionEvent('c1', null, { text: 'a long text '.repeat(20000) }),
    { ...decisionEvent('c1', 'blocked'), code: 'timeout' },
    outcomeEvent('c1'),
    { ...outcomeEvent('c1'), outcome: 'refused' },
    endEvent(),
  ])('takes what a log writes: %#', (event) => {
    const line = lineOf(event);
    expect(quick(line)).toEqual({ ...meaningOf(line), next: Buffer.byteLength(line) + 3 });
  });

  it.each([
    ['a number of another form', '1.0'],
    ['an escape of another form', '["\\u0041"]'],
    ['space', '[1, 2]'],
    ['keys in another order', '{"b":1,"a":1}'],
    ['a key that stands twice within', '{"a":1,"a":2}'],
    ['a key that stands twice', '"decision":"pre_approved"'],
    ['another member of the same name', '"v":1'],
    ['control characters', '"x":"\u0001"'],
    ['a key beyond ASCII', '{"é":1}'],
    ['a code with an escape', '"code":"\\\\"'],
    ['a code beyond ASCII', '"code":"é"'],
    ['a code that is no text', '"code":[1]'],
  ])('leaves to a closer look, though it is hashed as it stands: %s', (_, spelled) => {
    expect(quick(forged(spelled))).toBeNull();
    expect(quick(forged('[1,2]'))).not.toBeNull();
  });

  it('leaves what does not go on from the line before it, and what is no whole line', () => {
    const line = lineOf(decisionEvent('c1'));
    expect(quick(line, { ...at, seq: 8 })).toBeNull();
    expect(quick(line, { ...at, prev: 'b'.repeat(64) })).toBeNull();
    for (const other of [
      `${line} `,
      ` ${line}`,
      line.slice(0, -1),
      `${line}}`,
      `${line}{}`,
      `${line}\r`,
      '{}',
      '{',
      '{"v":1',
    ])
      expect(quick(other)).toBeNull();
  });

  it('takes no line of a run that is spelled otherwise than it is', () => {
    for (const [run, other] of [
      ['a\\b', 'a\b'],
      ['Ã©', 'é'],
      ['"', '"'],
    ] as const) {
      const members = membersOf(endEvent() as unknown as JsonObject);
      const { text } = encodeLine(members, { ...at, run: other, time });
      expect(quickEntry(Buffer.from(text), 0, { end: at, run })).toBeNull();
    }
  });

  it('takes a run, a call and a time only where they are what they look like', () => {
    const line = lineOf(outcomeEvent('c1'));
    const other = (from: string, to: string) => {
      const { hash: _, ...rest } = JSON.parse(line.replace(from, to)) as JsonObject;
      return JSON.stringify({ ...rest, hash: hashOf(rest) });
    };
    expect(quick(other('c1', 'c2'))).toMatchObject({ call: 'c2' });
    expect(quick(other('"r1"', '"r2"'))).toBeNull();
    expect(quick(other('"c1"', '"\\\\"'))).toBeNull();
    expect(quick(other('"c1"', '"é"'))).toBeNull();
    for (const time of [
      '2026-11-20T10:00:00Z',
      '2026-11-20 10:00:00.000Z',
      '2026-11-20T10:00:00.00aZ',
      '+002026-11-20T10:00:00.000Z',
    ])
      expect(quick(other(`"${'2026-11-20T10:00:00.000Z'}"`, `"${time}"`))).toBeNull();
  });

  it('takes no line that a closer look would not take, nor with another meaning', () => {
    const line = lineOf(decisionEvent('c1', 'needs_approval', { a: [1, { b: 'é text' }], n: 12.5 }));
    const bits = fc.record({
      at: fc.nat(line.length - 1),
      to: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(34, 44, 92, 125, 0x2028, 0x1f600)),
      cut: fc.nat(3),
    });
    let taken = 0;
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 2 }), fc.boolean(), (edits, isRehashed) => {
        let text = line;
        for (const { at: place, to, cut } of edits)
          text = text.slice(0, place) + String.fromCodePoint(to) + text.slice(place + cut);
        const whole = parseLine(Buffer.from(text));
        if (isRehashed && whole.ok) {
          const { hash, ...rest } = whole.entry;
          text = text.replace(hash, hashOf(rest));
        }
        const found = quick(text);
        if (found === null) return;
        taken += 1;
        const closer = parseLine(Buffer.from(text));
        if (!closer.ok) throw new Error(`taken: ${text}`);
        const { hash, ...rest } = closer.entry;
        expect(hashOf(rest)).toBe(hash);
        expect({ ...meaningOf(text), next: found.next }).toEqual(found);
      }),
      explore(6000),
    );
    expect(taken).toBeGreaterThan(200);
  });
});

describe('quickTime', () => {
  it('is what Date.parse gives, whatever was read before', () => {
    const days = fc.constantFrom('2026-11-20', '2026-11-31', '2026-02-30', '0000-01-01', '2026-13-01');
    const hours = fc.constantFrom(
      '10:00:00',
      '10:00:59',
      '10:00:60',
      '10:60:00',
      '24:00:00',
      '24:01:00',
      '25:00:00',
    );
    const rests = fc.constantFrom('000', '001', '999', '00x', '0');
    const time = fc.tuple(days, hours, rests).map(([day, hour, rest]) => `${day}T${hour}.${rest}Z`);
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 30 }), (times) => {
        for (const text of times) {
          const json = Buffer.from(`"${text}"`);
          expect(quickTime(json, 0, json.length)).toBe(/\.\d{3}Z$/.test(text) ? Date.parse(text) : null);
        }
      }),
      explore(4000),
    );
  });
});
