import { createHmac } from 'node:crypto';
import type { Json, LogEvent } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../../test/depth.js';
import { lastPoint, numberOf, pointAt } from '../../../../../test/texts.js';
import { canonicalJson } from '../../../src/log/line/canonical-json.js';
import { membersOf } from '../../../src/log/line/line.js';
import { createEventTexts, hmacUnder } from '../../../src/log/mask/event-texts.js';
import { createMask, createMasking } from '../../../src/log/mask/mask.js';
import { mayHoldSecret } from '../../../src/log/mask/secret-hint.js';
import { isSecretKey } from '../../../src/log/mask/secret-keys.js';
import { assignedSecrets, secretShapes } from '../../../src/log/mask/secret-shapes.js';
import { approvalEvent, decisionEvent, key, outcomeEvent, question } from '../../events.js';

const words =
  'pass word passwd pwd phrase code secret credential credentials authorization Authorization cookie token tokens otp pin PIN jwt bearer Bearer api key keys private access signing encryption session id connection string mnemonic seed recovery codes cvv cvc -u --user --proxy-user Cookie: Authorization: Token db user'.split(
    ' ',
  );
const marks = [
  '_',
  '-',
  '.',
  ' ',
  '',
  '=',
  ': ',
  '"',
  "'",
  '://',
  '@',
  ':',
  '/',
  '--',
  '\n',
  'a',
  'Z',
  '9',
  'é',
  '\u{1f600}',
];
const shapes = [
  '-----BEGIN RSA PRIVATE KEY-----',
  `sk-${'a1'.repeat(10)}`,
  `rk_live_${'b2'.repeat(10)}`,
  `pk_test_${'b2'.repeat(10)}`,
  ...['p', 'o', 'u', 's', 'r'].map((kind) => `gh${kind}_${'c3'.repeat(12)}`),
  `github_pat_${'d4'.repeat(12)}`,
  `glpat-${'e5'.repeat(12)}`,
  `npm_${'f6'.repeat(20)}`,
  `hf_${'g7'.repeat(20)}`,
  `AIza${'h8'.repeat(20)}`,
  `pypi-AgE${'i9'.repeat(20)}`,
  'AKIAABCDEFGH12345678',
  'ASIAABCDEFGH12345678',
  'xoxb-12345678-abcdefgh',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  'postgres://user:hunter2000@db',
  'hunter2000',
];
const piece = fc.oneof(
  fc.constantFrom(...words, ...words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)),
  fc.constantFrom(...marks),
  fc.constantFrom(...shapes),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const innocent = fc.constantFrom(
  'out/a.md',
  'report',
  'fs.write',
  'https://example.org/x',
  'a b',
  '7',
  'x'.repeat(100),
);
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(innocent, text),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, true, false, -0),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(innocent, text), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('mayHoldSecret', () => {
  it('is true for every text with a secret or a secret name', () => {
    let held = 0;
    fc.assert(
      fc.property(text, (one) => {
        const isFound =
          secretShapes.some((shape) => one.search(shape) !== -1) ||
          isSecretKey(one) ||
          assignedSecrets(one).length > 0;
        if (isFound) held += 1;
        return !isFound || mayHoldSecret(one);
      }),
      explore(4000),
    );
    expect(held).toBeGreaterThan(tries(1000));
  });

  it('finds the same at any place', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(9),
        (one, before) => mayHoldSecret(' '.repeat(before) + one) === mayHoldSecret(one),
      ),
      explore(4000),
    );
  });

  it('finds a hint at the end of a text of any length', () => {
    for (let length = 65_520; length < 65_540; length += 1)
      for (const hint of ['pin', 'hf_', 'aiza', 'mnemonic'])
        expect([length, hint, mayHoldSecret('x'.repeat(length) + hint)]).toEqual([length, hint, true]);
  });

  it('looks for a user name once in a text with many URLs', () => {
    const many = '://'.repeat(2_000_000);
    expect([mayHoldSecret(many), mayHoldSecret(`${many}@`)]).toEqual([false, true]);
  });

  it.each([...words.filter((word) => isSecretKey(word)), ...shapes.slice(0, -1)])('is true for %s', (one) => {
    expect(mayHoldSecret(one)).toBe(true);
    expect(mayHoldSecret(`é ${one} x`)).toBe(true);
  });

  it('is false for most events', () => {
    for (const one of [
      'filesystem.write_file',
      'policy.yaml:12:7',
      '/work/out/report-7.md',
      'https://example.org/a?b=c',
      '{"client":"gateway","session":"1d0f-identity","isolation":"none"}',
      'the connection is closed, and its recovery takes a while',
    ])
      expect(mayHoldSecret(one)).toBe(false);
  });

  it.each(['session', 'connection', 'seed', 'recovery'])('recognises the second word after %s', (first) => {
    const second = { session: 'id', connection: 'string', seed: 'phrase', recovery: 'codes' }[first];
    for (const between of ['_', '', ' ', '7-', '-12-', '\n', '\u001f', '": "', 'é', '\u2028']) {
      const name = `${first}${between}${second}`;
      for (const one of [name, name.toUpperCase(), JSON.stringify(name), JSON.stringify({ a: [name] })])
        expect([one, mayHoldSecret(one)]).toEqual([one, true]);
    }
  });
});

/** The members, in any order. */
function membersIn(members: string | null): unknown {
  return JSON.parse(`{${(members ?? '').slice(1)}`);
}

describe('the texts of an event', () => {
  it('equal those of the masked event, on the quick path or not', () => {
    let quick = 0;
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 3 }),
        value,
        fc.boolean(),
        (args, context, isRuled) => {
          const rules = isRuled ? { 'filesystem.write_file': ['a', '*.b'] } : {};
          const [texts, mask] = [createEventTexts(key, rules), createMask(key, rules)];
          const events: LogEvent[] = args.flatMap((one, index): LogEvent[] => [
            { ...decisionEvent(`c${index % 2}`, 'needs_approval', one), context: context as never },
            { ...approvalEvent(`c${index % 2}`, true), question: question(`c${index % 2}`, one as never) },
            ...(index === 1 ? [outcomeEvent('c0')] : []),
            { now: 1, event: 'outcome', call: 'c1', outcome: 'failed', error: JSON.stringify(context) },
          ]);
          for (const event of events) {
            const masked = mask(event);
            expect(membersIn(texts(event))).toEqual(membersIn(membersOf(masked)));
            if (canonicalJson(masked.args ?? null) === canonicalJson((event as { args?: Json }).args ?? null))
              quick += 1;
          }
        },
      ),
      explore(600),
    );
    expect(quick).toBeGreaterThan(50);
  });

  it('take the quick path for an outcome, unless its call has a secret or a rule', () => {
    const masking = createMasking(key, { 'crm.*': ['name'] });
    const isQuick = (event: LogEvent) => {
      masking.mask(event);
      return !masking.mayConcern(outcomeEvent('c'));
    };
    expect(isQuick(decisionEvent('c', 'pre_approved', { path: 'mapping.ts' }))).toBe(true);
    expect(isQuick(decisionEvent('c', 'pre_approved', { token: 'hunter2000' }))).toBe(false);
    masking.mask(outcomeEvent('c'));
    expect(isQuick({ ...decisionEvent('c', 'pre_approved', {}), tool: 'crm.find' } as LogEvent)).toBe(false);
  });

  it.each([{}, { token: 'hunter2000' }])('do not need a history that earlier entries contain: %j', (args) => {
    const event = decisionEvent('c', 'pre_approved', args);
    const unreadable = () => {
      throw new Error('the history was read');
    };
    Object.defineProperty(event, 'history', { enumerable: true, get: unreadable });
    const members = membersIn(createEventTexts(key)(event, { isTold: true, names: ['fs.read'] }));
    expect(members).toMatchObject({ event: 'decision', added: ['fs.read'] });
    expect(members).not.toHaveProperty('history');
  });

  it.each<[string, unknown]>([
    ['undefined members', { a: undefined, b: [undefined] }],
    ['functions', { a: () => 1, b: [() => 1] }],
    ['bigints and symbols', { a: 10n, b: Symbol('x') }],
    ['infinite numbers and NaN', { a: Number.NaN, b: [Number.POSITIVE_INFINITY] }],
    ['lone surrogates', { '\ud800': '\udfff' }],
    ['dates and maps', { a: new Date(0), b: new Map([[1, 2]]) }],
    ['holes', { a: Array(3) }],
    ['depth', JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`)],
  ])('equal those of the plain JSON form: %s', (_, args) => {
    const event = decisionEvent('c', 'blocked', args as Json);
    expect(membersIn(createEventTexts(key)(event))).toEqual(membersIn(membersOf(createMask(key)(event))));
  });
});

describe('hmacUnder', () => {
  it('equals that of node, for every key and text', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.array(fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf) })),
        (bytes, texts) => {
          const digest = hmacUnder(bytes);
          for (const one of [...texts, 'x'.repeat(9000), ''])
            expect(digest(one)).toBe(createHmac('sha256', bytes).update(one).digest('hex'));
        },
      ),
      explore(300),
    );
  });
});
