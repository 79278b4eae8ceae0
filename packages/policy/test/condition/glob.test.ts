import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { compileGlob, covers, type GlobKind } from '../../src/condition/glob.js';

function isCovered(kind: GlobKind, pattern: string, text: string): boolean {
  return covers(compileGlob(kind, { written: pattern, rest: pattern }), text);
}

describe('covers', () => {
  it.each<[GlobKind, string, readonly string[], readonly string[]]>([
    ['path', '/a/**', ['/a', '/a/b', '/a/b/c', '/a/.b'], ['/', '/ab', '/b/a']],
    ['path', '/a/*', ['/a/b', '/a/.b', '/a/b.c'], ['/a', '/a/b/c', '/']],
    ['path', '/a/**/z', ['/a/z', '/a/b/z', '/a/b/c/z', '/a/z/z'], ['/a', '/z', '/a/zz', '/a/z/b']],
    [
      'path',
      '**/.git/**',
      ['/.git', '/a/.git', '/a/.git/config', '/.git/a/b'],
      ['/a/git', '/a/.gitignore', '/'],
    ],
    ['path', '**/.env', ['/.env', '/a/b/.env'], ['/a/.envrc', '/.env/a', '/a/x.env']],
    ['path', '**/*.pem', ['/x.pem', '/a/.pem', '/a/b.c.pem'], ['/a/pem', '/a.pem/b']],
    ['path', '**', ['/', '/a', '/a/b'], []],
    ['path', '/**', ['/', '/a', '/a/b'], []],
    ['path', '/', ['/'], ['/a']],
    ['path', '/*', ['/a'], ['/', '/a/b']],
    ['path', '/a?c', ['/abc', '/a.c', '/a😀c'], ['/ac', '/abbc', '/a/c']],
    ['path', '/a/**/**/b', ['/a/b', '/a/x/b', '/a/x/y/b'], ['/ab', '/a']],
    ['path', '/**/a/**/b/**', ['/a/b', '/x/a/y/b/z'], ['/b/a', '/a']],
    ['path', '/A', ['/A'], ['/a']],
    ['path', '/a.b', ['/a.b'], ['/axb']],
    ['path', '/[a]{b,c}(d)+', ['/[a]{b,c}(d)+'], ['/a', '/ab']],
    ['host', 'a.example', ['a.example'], ['b.a.example', 'a.exampl', 'axexample']],
    [
      'host',
      '**.example.com',
      ['example.com', 'a.example.com', 'a.b.example.com'],
      ['aexample.com', 'example.com.evil', 'com'],
    ],
    ['host', '*.example.com', ['a.example.com'], ['example.com', 'a.b.example.com', '.example.com.evil']],
    ['host', 'a*.example.com', ['a.example.com', 'ab.example.com'], ['ba.example.com', 'a.b.example.com']],
    ['host', '10.*.*.1', ['10.0.0.1', '10.255.9.1'], ['10.0.0.2', '10.0.1']],
    ['host', 'fe80:*', ['fe80::1', 'fe80:1:2::3'], ['fe81::1']],
    ['host', '**', ['a', 'a.b', '::1'], []],
    ['text', '*', ['', 'a', 'a/b.c\n'], []],
    ['text', 'a*', ['a', 'a/b/c', 'a.b'], ['', 'ba']],
    ['text', '*://*.example/*', ['https://a.example/x/y'], ['https://a.example']],
    ['text', '', [''], ['a']],
    ['text', '?', ['a', '😀', '/'], ['', 'ab']],
    ['text', 'git *', ['git push', 'git '], ['git', 'legit push']],
  ])('%s %s', (kind, pattern, covered, left) => {
    expect(covered.filter((text) => !isCovered(kind, pattern, text))).toEqual([]);
    expect(left.filter((text) => isCovered(kind, pattern, text))).toEqual([]);
  });

  it('reads the characters of a folder literally', () => {
    const glob = compileGlob('path', { written: './**', folder: '/w/*/[x]?', rest: '**' });
    expect(covers(glob, '/w/*/[x]?/a')).toBe(true);
    expect(covers(glob, '/w/other/[x]y/a')).toBe(false);
  });

  it.each<[GlobKind, string, string]>([
    ['text', `${'*a'.repeat(30)}b`, 'a'.repeat(100_000)],
    ['path', `/${'*a'.repeat(30)}b`, `/${'a'.repeat(100_000)}`],
    ['path', `${'**/a/'.repeat(30)}b`, '/a'.repeat(50_000)],
    ['host', `${'**.a*a.'.repeat(30)}b`, 'aaa.'.repeat(25_000)],
  ])('%s: is done with a pattern and a text made to take long', (kind, pattern, text) => {
    expect(isCovered(kind, pattern, text)).toBe(false);
  });

  it('agrees with an exhaustive search', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '*', '?', 'a*', '*b', '**');
    const pattern = fc.array(part, { maxLength: 5 });
    const text = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba'), { maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (parts, segments) => {
        const expected = trySegments(parts, segments);
        expect(isCovered('path', `/${parts.join('/')}`, `/${segments.join('/')}`)).toBe(expected);
        if (parts.length > 0 && segments.length > 0)
          expect(isCovered('host', parts.join('.'), segments.join('.'))).toBe(expected);
      }),
      explore(3000),
    );
  });
});

function trySegments([part, ...parts]: readonly string[], segments: readonly string[]): boolean {
  if (part === undefined) return segments.length === 0;
  if (part === '**')
    return segments.some((_, at) => trySegments(parts, segments.slice(at))) || trySegments(parts, []);
  const [segment, ...rest] = segments;
  return segment !== undefined && tryCharacters([...part], [...segment]) && trySegments(parts, rest);
}

function tryCharacters([part, ...parts]: readonly string[], characters: readonly string[]): boolean {
  if (part === undefined) return characters.length === 0;
  const [character, ...rest] = characters;
  if (part === '*')
    return (
      tryCharacters(parts, characters) || (character !== undefined && tryCharacters([part, ...parts], rest))
    );
  return character !== undefined && (part === '?' || part === character) && tryCharacters(parts, rest);
}
