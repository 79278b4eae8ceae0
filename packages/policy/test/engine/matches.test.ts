import type { Capability, Json } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { compileGlob, covers, type Glob, longestText, mostSteps } from '../../src/condition/glob.js';
import { matches } from '../../src/condition/match.js';
import type { Match, Pattern } from '../../src/condition/pattern.js';
import { compileCovers } from '../../src/engine/expression/compile-glob.js';
import { compileMatch } from '../../src/engine/expression/compile-match.js';

const piece = fc.constantFrom('a', 'b', 'ab', '.', '*', '?', '**', '😀', '\ud83d', '\ude00', '-');
const written = {
  path: fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('/')),
  tight: fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
  host: fc.array(piece, { maxLength: 5 }).map((parts) => parts.join('.')),
};
const prefix = fc.constantFrom('', '/', '/', '/a/', '**/');

const glob: fc.Arbitrary<Glob> = fc.oneof(
  fc
    .tuple(prefix, fc.oneof(written.path, written.tight))
    .map(([start, rest]) => compileGlob('path', { written: start + rest, rest: start + rest })),
  fc.oneof(written.host, written.tight).map((rest) => compileGlob('host', { written: rest, rest })),
  written.tight.map((rest) => compileGlob('text', { written: rest, rest })),
);
const text = fc
  .array(fc.constantFrom('a', 'b', '/', '.', '😀', '\ud83d', '\ude00', 'ab', '-'), { maxLength: 8 })
  .chain((parts) => fc.constantFrom(parts.join(''), `/${parts.join('')}`, parts.join('.')));
const value: fc.Arbitrary<Json> = fc.oneof(text, fc.constantFrom<Json>(1, 2, true, false, null, ['a'], {}));
const pattern: fc.Arbitrary<Pattern> = fc.oneof(
  glob.map((one): Pattern => ({ kind: 'glob', glob: one })),
  fc.constantFrom(1, 2).map((one): Pattern => ({ kind: 'number', value: one })),
  fc.boolean().map((one): Pattern => ({ kind: 'boolean', value: one })),
  fc
    .tuple(fc.constantFrom(null, 1, 2), fc.constantFrom(null, 1, 2))
    .map(([from, to]): Pattern => ({ kind: 'range', from, to })),
);
const fact = fc.constantFrom('path', 'host', 'constructor', 'name', '__proto__');
const match = fc.array(fc.record({ fact, patterns: fc.array(pattern, { minLength: 1, maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 3,
}) as unknown as fc.Arbitrary<Match>;

describe('a compiled glob', () => {
  it('covers what the plain one covers', () => {
    fc.assert(
      fc.property(glob, fc.array(text, { minLength: 5, maxLength: 5 }), (one, texts) => {
        const test = compileCovers(one);
        expect(texts.map(test)).toEqual(texts.map((each) => covers(one, each)));
      }),
      explore(10_000),
    );
  }, 600_000);

  it.each([
    ['/a/**', ['/a', '/a/b', '/ab', '/', 'a']],
    ['**/.env', ['/.env', '/a/.env', '/a.env', '/a/.env/b']],
    ['/a/*.md', ['/a/x.md', '/a/.md', '/a/b/x.md', '/a/x.mdx']],
    ['/a*b*c', ['/abc', '/abbc', '/acb', '/ab/c', '/a😀b😀c']],
    ['/', ['/', '', '/a']],
    ['**/*.pem', ['/', '', 'a.pem', '/a.pem', '/x/.pem', '/x.pem/y', '/x/y/z.pem']],
    ['/a/**/*.md', ['/a', '/a/x.md', '/a.md', '/a/b/c.md', '/a/b/c.md/d', '/ab/c.md']],
  ])('%s of %j', (rest, texts) => {
    const one = compileGlob('path', { written: rest, rest });
    expect(texts.map(compileCovers(one))).toEqual(texts.map((each) => covers(one, each)));
  });
});

describe('a compiled match', () => {
  it('says what the plain one says', () => {
    fc.assert(
      fc.property(match, fc.dictionary(fact, value, { noNullPrototype: true }), (one, facts) => {
        const capability = Object.defineProperty({ ...facts }, 'name', { value: 'x', enumerable: true });
        expect(compileMatch(one)(capability as Capability)).toEqual(matches(one, capability as Capability));
      }),
      explore(10_000),
    );
  }, 600_000);

  it.each([
    ['a text that is too long', '*', 'a'.repeat(longestText + 1)],
    [
      'a pattern and a text that are too long for one another',
      'a'.repeat(mostSteps / 1024 + 1),
      'a'.repeat(1024),
    ],
  ])('is undecided on %s, as the plain one is, and never cuts it', (_, rest, long) => {
    const one: Match = [
      { fact: 'text', patterns: [{ kind: 'glob', glob: compileGlob('text', { written: rest, rest }) }] },
    ];
    const capability = { name: 'x', text: long };
    const truth = { undecided: 'fact `text` is too long to be matched' };
    expect(matches(one, capability)).toEqual(truth);
    expect(compileMatch(one)(capability)).toEqual(truth);
  });
});
