import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../src/canonical-json.js';
import { encodeLine, hashOf, membersOf } from '../src/line.js';
import { parseLine } from '../src/parse-line.js';
import { quickEntry } from '../src/quick-line.js';
import { canonicalValueEnd } from '../src/quick-scan.js';
import { approvalEvent, decisionEvent, endEvent, outcomeEvent } from './events.js';

const at = { seq: 7, prev: 'a'.repeat(64) };
const time = '2026-11-20T10:00:00.000Z';
const lineOf = (event: object) =>
  encodeLine(membersOf(event as JsonObject), { ...at, run: 'r1', time }).text.slice(0, -1);
const bytesOf = (text: string) => ({ bytes: Buffer.from(text, 'latin1'), text });
const quick = (line: string, where = at) => quickEntry(bytesOf(`x\n${line}\ny`), [2, 2 + line.length], where);
const valueEnd = (text: string) => canonicalValueEnd(bytesOf(text), 0);

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
  it('goes to the end of every canonical value of ASCII, and past no other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value as Json);
        const isPlain = /^[ !#-[\]-~"]*$/.test(text);
        if (/[^\0-\u00ff]/.test(text)) return true;
        const end = valueEnd(`${text},`);
        return isPlain ? end === text.length : end === -1 || end === text.length;
      }),
      { numRuns: 3000 },
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
    '"\u007f"',
    '"é"',
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
    'nul',
    'True',
    'tru',
    'undefined',
    'NaN',
    ' 1',
    `${'['.repeat(600)}${']'.repeat(600)}`,
  ])('does not take %s', (text) => {
    expect(valueEnd(text)).not.toBe(text.length);
  });
});

describe('quickEntry', () => {
  it.each([
    decisionEvent('c1'),
    decisionEvent('c1', null, { text: 'a "b" \\ \n', list: [1.5, -2, 1e21, true, null, {}] }),
    approvalEvent('c1', true),
    approvalEvent('c1', false),
    outcomeEvent('c1'),
    endEvent(),
  ])('takes what a log writes: %#', (event) => {
    const line = lineOf(event);
    const whole = parseLine(Buffer.from(line));
    if (!whole.ok) throw new Error(whole.damage.message);
    expect(whole.entry).toMatchObject(quick(line) ?? { quick: 'no' });
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
    ['text beyond ASCII in bytes of its own', '["\u00ff"]'],
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
      '{}',
      '{',
      '{"v":1',
    ])
      expect(quick(other)).toBeNull();
  });

  it('takes no line that a closer look would not take, nor with another meaning', () => {
    const line = lineOf(decisionEvent('c1', 'needs_approval', { a: [1, { b: 'text' }], n: 12.5 }));
    const bits = fc.record({
      at: fc.nat(line.length - 1),
      to: fc.integer({ min: 0, max: 255 }),
      cut: fc.nat(3),
    });
    let taken = 0;
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 2 }), fc.boolean(), (edits, isRehashed) => {
        let text = line;
        for (const { at: place, to, cut } of edits)
          text = text.slice(0, place) + String.fromCharCode(to) + text.slice(place + cut);
        const bytes = Buffer.from(text, 'latin1');
        const whole = parseLine(bytes);
        if (isRehashed && whole.ok) {
          const { hash, ...rest } = whole.entry;
          text = text.replace(hash, hashOf(rest));
        }
        const found = quick(text);
        if (found === null) return;
        taken += 1;
        const closer = parseLine(Buffer.from(text, 'latin1'));
        if (!closer.ok) throw new Error(`taken: ${text}`);
        const { hash, ...rest } = closer.entry;
        expect(hashOf(rest)).toBe(hash);
        expect(closer.entry).toMatchObject({ ...found });
      }),
      { numRuns: 6000 },
    );
    expect(taken).toBeGreaterThan(200);
  });
});
