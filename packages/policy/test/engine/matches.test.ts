import {
  type CallView,
  type Capability,
  canonical,
  isCanonicalHost,
  isCanonicalPath,
  type Json,
} from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { compileGlob, covers, type Glob, longestText, mostSteps } from '../../src/condition/glob.js';
import { matches } from '../../src/condition/match.js';
import type { Match, Pattern } from '../../src/condition/pattern.js';
import { compileGlobs, compileMatch } from '../../src/engine/compile-condition.js';

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
const fact = fc.constantFrom('path', 'host', 'constructor', 'name', '__proto__');
const kindOf = (of: string) => (of === 'path' || of === 'host' ? of : 'text');
const patternFor = (of: string): fc.Arbitrary<Pattern> =>
  fc.oneof(
    glob.filter(({ kind }) => kind === kindOf(of)).map((one): Pattern => ({ kind: 'glob', glob: one })),
    fc.constantFrom(1, 2).map((one): Pattern => ({ kind: 'number', value: one })),
    fc.boolean().map((one): Pattern => ({ kind: 'boolean', value: one })),
    fc
      .tuple(fc.constantFrom(null, 1, 2), fc.constantFrom(null, 1, 2))
      .map(([from, to]): Pattern => ({ kind: 'range', from, to })),
  );
const match = fc.array(
  fact.chain((of) =>
    fc.record({ fact: fc.constant(of), patterns: fc.array(patternFor(of), { minLength: 1, maxLength: 3 }) }),
  ),
  { minLength: 1, maxLength: 3 },
) as unknown as fc.Arbitrary<Match>;

/** Rules read texts in their canonical form. */
function isOfKind(kind: Glob['kind'], one: string): boolean {
  return kind === 'text' || (kind === 'path' ? isCanonicalPath(one) : isCanonicalHost(one));
}

const globsOfOneKind = fc.constantFrom('path', 'host', 'text').chain((kind) =>
  fc.tuple(
    fc.constant(kind),
    fc.array(
      glob.filter((one) => one.kind === kind),
      { minLength: 1, maxLength: 3 },
    ),
  ),
);

/** A match reads nothing of the call. */
const nowhere = { request: {} as CallView };

describe('compiled globs', () => {
  it('are not confused when there are more than are cached', () => {
    for (let at = 0; at < 4_500; at += 1) {
      const isCovered = compileGlobs([compileGlob('text', { written: `${at}*q`, rest: `${at}*q` })]);
      expect([`${at}-q`, `${at + 1}-q`].map(isCovered)).toEqual([true, false]);
    }
  });

  it('cover the same texts as the plain ones', () => {
    let seen = 0;
    fc.assert(
      fc.property(globsOfOneKind, fc.array(text, { minLength: 8, maxLength: 8 }), ([kind, globs], drawn) => {
        const test = compileGlobs(globs);
        const texts = drawn.filter((each) => isOfKind(kind, each));
        seen += texts.length;
        expect(texts.map(test)).toEqual(texts.map((each) => globs.some((one) => covers(one, each))));
      }),
      explore(20_000),
    );
    expect(seen).toBeGreaterThan(tries(20_000));
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
    const canonicalTexts = texts.filter(isCanonicalPath);
    expect(canonicalTexts.map(compileGlobs([one]))).toEqual(canonicalTexts.map((each) => covers(one, each)));
  });
});

describe('a compiled match', () => {
  it('has the same result as the plain one', () => {
    fc.assert(
      fc.property(match, fc.dictionary(fact, value, { noNullPrototype: true }), (one, facts) => {
        const capability = Object.defineProperty({ ...facts }, 'name', { value: 'x', enumerable: true });
        const canonicalOne = canonical(capability as Capability);
        expect(compileMatch(one)(canonicalOne, nowhere)).toEqual(matches(one, canonicalOne));
      }),
      explore(10_000),
    );
  }, 600_000);

  it.each([
    ['a text that is too long', '*', 'a'.repeat(longestText + 1)],
    ['a pattern and a text that are too long together', 'a'.repeat(mostSteps / 1024 + 1), 'a'.repeat(1024)],
  ])('is undecided on %s like the plain one, and never cuts it', (_, rest, long) => {
    const one: Match = [
      { fact: 'text', patterns: [{ kind: 'glob', glob: compileGlob('text', { written: rest, rest }) }] },
    ];
    const capability = { name: 'x', text: long };
    const truth = { undecided: 'fact `text` is too long to be matched' };
    expect(matches(one, capability)).toEqual(truth);
    expect(compileMatch(one)(capability, nowhere)).toEqual(truth);
  });
});
