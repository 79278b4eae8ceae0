import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import {
  canonical,
  isCanonicalHost,
  isCanonicalPath,
  type Json,
  nonCanonicalFacts,
  urlHost,
} from '../../src/index.js';

describe('a path', () => {
  it.each(['/', '/a', '/a/b.md', '/.env', '/a/...', '/a/..b', '/a/b ', '/ä/ß', '/a/*', '/-'])(
    '%j is canonical',
    (path) => {
      expect(isCanonicalPath(path)).toBe(true);
    },
  );

  it.each<readonly [Json]>([
    [''],
    ['a'],
    ['./a'],
    ['~/a'],
    ['//'],
    ['//a'],
    ['/a/'],
    ['/a//b'],
    ['/.'],
    ['/..'],
    ['/a/./b'],
    ['/a/../b'],
    ['/a/..'],
    ['/a\0b'],
    ['C:\\a'],
    ['file:///a'],
    [7],
    [null],
    [['/a']],
  ])('%j is not', (path) => {
    expect(isCanonicalPath(path)).toBe(false);
  });
});

describe('a host', () => {
  it.each([
    'example.com',
    'localhost',
    'a',
    'a-b.example',
    '_dmarc.example.com',
    'a_b.example',
    'xn--bcher-kva.example',
    '1.example',
    'example.c0m',
    '127.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '2001:db8::1',
    '2001:db8:0:1:1:1:1:1',
    'fe80::1:2',
    '::1:2:0:0',
    '1::2:0:0:3',
    `${'a'.repeat(63)}.example`,
  ])('%s is canonical', (host) => {
    expect(isCanonicalHost(host)).toBe(true);
  });

  it.each<readonly [string, Json]>([
    ['nothing', ''],
    ['upper case', 'Example.com'],
    ['a dot at its end', 'example.com.'],
    ['an empty label', 'example..com'],
    ['a label that begins with a hyphen', '-a.example'],
    ['a label that ends with a hyphen', 'a-.example'],
    ['a label that is too long', `${'a'.repeat(64)}.example`],
    ['a name that is too long', Array.from({ length: 64 }, () => 'abc').join('.')],
    ['letters that want an A-label', 'bücher.example'],
    ['an A-label that says nothing', 'xn--.example'],
    ['a scheme', 'http://example.com'],
    ['a port', 'example.com:80'],
    ['a user', 'me@example.com'],
    ['a path', 'example.com/a'],
    ['a space', 'example .com'],
    ['a percent sign', '%65xample.com'],
    ['a full-width dot', 'example。com'],
    ['a soft hyphen', 'exam\u00adple.com'],
    ['IPv4 with three parts', '127.0.1'],
    ['IPv4 with one part', '2130706433'],
    ['IPv4 in hexadecimal', '0x7f.0.0.1'],
    ['IPv4 in one hexadecimal number', '0x7f000001'],
    ['IPv4 in octal', '0177.0.0.1'],
    ['IPv4 with leading zeros', '127.0.0.01'],
    ['IPv4 that is too large', '256.0.0.1'],
    ['IPv4 with five parts', '1.2.3.4.5'],
    ['IPv4 with a dot at its end', '127.0.0.1.'],
    ['a name that ends in a number', 'example.1'],
    ['a name that ends in a hexadecimal number', 'example.0x1'],
    ['IPv6 in brackets', '[::1]'],
    ['IPv6 in full', '0:0:0:0:0:0:0:1'],
    ['IPv6 with leading zeros', '2001:0db8::1'],
    ['IPv6 in upper case', '2001:DB8::1'],
    ['IPv6 that shortens the second run', '1:0:0:2:3::4'],
    ['IPv6 that shortens one group', '2001:db8::1:1:1:1:1'],
    ['IPv6 with a zone', 'fe80::1%eth0'],
    ['IPv6 that maps IPv4', '::ffff:7f00:1'],
    ['IPv6 that maps IPv4 with dots', '::ffff:127.0.0.1'],
    ['IPv6 that maps the zero address', '::ffff:0:0'],
    ['IPv6 with dots', '::127.0.0.1'],
    ['too many groups', '1:2:3:4:5:6:7:8:9'],
    ['two gaps', '1::2::3'],
    ['a number', 127],
    ['a list', ['example.com']],
  ])('with %s is not', (_, host) => {
    expect(isCanonicalHost(host)).toBe(false);
  });

  it('with a broken A-label is canonical if the URL parser takes it, as from Node 24 on', () => {
    const host = 'xn--zz-zzzz.example';
    expect(isCanonicalHost(host)).toBe(urlHost(host) === host);
  });
});

describe('canonical', () => {
  it.each<readonly [string, Json, boolean]>([
    ['port', 0, true],
    ['port', 65_535, true],
    ['port', 65_536, false],
    ['port', -1, false],
    ['port', 80.5, false],
    ['port', '80', false],
    ['program', 'git', true],
    ['program', '/usr/bin/git', true],
    ['program', './git', false],
    ['program', 'bin/git', false],
    ['program', '/usr/../git', false],
    ['program', '/usr/bin/', false],
    ['program', '/', false],
    ['program', '.', false],
    ['program', '..', false],
    ['program', '', false],
    ['program', 'g\0it', false],
    ['program', ['git'], false],
    ['cwd', '/w', true],
    ['cwd', 'w', false],
    ['url', 'HTTP://Example.com./', true],
    ['argv', ['..'], true],
    ['paths', '../a', true],
  ])('accepts %s %j: %s', (fact, value, isKept) => {
    const capability = { name: 'x.y', other: 1, [fact]: value };
    expect(nonCanonicalFacts(capability)).toEqual(isKept ? [] : [fact]);
    expect(canonical(capability)).toEqual(isKept ? capability : { name: 'x.y', other: 1 });
  });

  it('keeps a fact called `__proto__`', () => {
    const capability = JSON.parse('{"name":"x","__proto__":{"path":"/a"},"path":"a"}') as { name: string };
    const seen = canonical(capability);
    expect([Object.keys(seen), Object.getPrototypeOf(seen), seen.path]).toEqual([
      ['name', '__proto__'],
      Object.prototype,
      undefined,
    ]);
  });
});

describe('a host by labels', () => {
  const labels = fc.constantFrom(
    'a',
    '1',
    '0x1',
    '0x',
    '08',
    '256',
    '4294967296',
    'xn--a',
    'xn--bcher-kva',
    'axn--b',
    'a--b',
    '_',
    '9a',
  );
  const random = fc.string({ unit: fc.constantFrom(...'abx01289-_'.split('')), minLength: 1, maxLength: 8 });
  const host = fc
    .array(fc.oneof(labels, random), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('.'));

  it('is canonical if the URL parser leaves it as it is', () => {
    const isLabel = (label: string) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label);
    const isKept = (text: string) =>
      URL.canParse(`http://${text}/`) && new URL(`http://${text}/`).hostname === text;
    fc.assert(
      fc.property(host, (text) => {
        expect(isCanonicalHost(text)).toBe(text.split('.').every(isLabel) && isKept(text));
      }),
      explore(50_000),
    );
  });
});
