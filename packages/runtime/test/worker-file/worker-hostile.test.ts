import { escapeText, formatDiagnostics } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { sectionsAbout } from '../../../../test/diagnostics.js';
import { defined, everything, header, mistakes, read } from '../worker-text.js';

const found = (text: string) => mistakes(header(text));

describe('hostile YAML in a worker file', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 0; level < 6; level += 1) {
    const [name, next] = [String.fromCharCode(97 + level), String.fromCharCode(98 + level)];
    bomb.push(`${next}: &${next} [${Array.from({ length: 10 }, () => `*${name}`).join(', ')}]`);
  }

  it.each<[string, string, string]>([
    ['lists in lists', `input: ${'['.repeat(50_000)}`, 'TOO_DEEP'],
    ['maps in maps', `input: ${'{a: '.repeat(5_000)}`, 'TOO_DEEP'],
    ['closed lists in lists', `input: ${'['.repeat(200)}${']'.repeat(200)}`, 'TOO_DEEP'],
    ['an alias bomb', bomb.join('\n'), 'TOO_MANY_ALIASES'],
    ['an alias of itself', 'input: &a { x: *a }', 'BAD_ALIAS'],
    ['an alias of nothing', 'input: *a', 'BAD_ALIAS'],
    ['__proto__', '__proto__: { locked: true }', 'RESERVED_KEY'],
    [
      '__proto__ under a toolset',
      'toolsets: { filesystem: { __proto__: { approvals: {} } } }',
      'RESERVED_KEY',
    ],
    ['__proto__ in a schema', 'input: { type: object, properties: { __proto__: true } }', 'RESERVED_KEY'],
    ['a merge key', 'x: &x { locked: true }\n<<: *x', 'MERGE_KEY'],
    ['a merge key in a root', 'sandbox: { paths: { a: { <<: { root: / } } } }', 'MERGE_KEY'],
    ['a duplicate key', 'max_depth: 1\nmax_depth: 2', 'DUPLICATE_KEY'],
    ['a duplicate key in quotes', 'max_depth: 1\n"max_depth": 2', 'DUPLICATE_KEY'],
    ['a tag', 'name: !!str main', 'TAG'],
    ['a tag of its own', 'name: !eval main', 'TAG'],
    ['a key that is a list', '? [name]\n: main', 'KEY_NOT_TEXT'],
    ['a directive', '%YAML 1.1\n', 'DIRECTIVE'],
    ['a lone surrogate', 'description: "\\uD800"', 'BAD_TEXT'],
    ['a NUL', 'description: a\u0000b', 'CONTROL_CHARACTER'],
    ['a tab', 'sandbox:\n\tpaths: {}', 'SYNTAX'],
    ['an open quote', 'name: "main', 'SYNTAX'],
  ])('%s is a diagnostic', (_title, text, code) => {
    expect(found(text).map((mistake) => mistake.replace(/^\S+ /, ''))).toContain(code);
  });

  it.each<[string, Uint8Array, readonly string[]]>([
    ['bytes that are not UTF-8', Uint8Array.of(0x61, 0x0a, 0x80), ['2:1 NOT_UTF8']],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0), ['1:1 NOT_UTF8']],
    ['more than eight million bytes', new Uint8Array(8_000_001), ['1:1 FILE_TOO_LARGE']],
  ])('%s are a diagnostic', (_title, bytes, expected) => {
    expect(mistakes(bytes)).toEqual(expected);
  });

  it('accepts plain aliases', () => {
    const text = 'sandbox: { paths: { a: &a { root: ./a }, b: *a } }';
    expect(defined(header(text)).roots.map(({ name, root }) => `${name} ${root}`)).toEqual([
      'a ./a',
      'b ./a',
    ]);
  });

  it('is escaped in diagnostics', () => {
    const report = formatDiagnostics(read(header('"a\\e[31m\u202e": 1')).diagnostics);
    expect(escapeText(report.replaceAll('\n', ''))).toBe(report.replaceAll('\n', ''));
  });
});

describe('a mutation of a worker file', () => {
  const seeds = [everything, ...sectionsAbout('worker').flatMap(({ avoid, prefer }) => [avoid, prefer])].map(
    (text) => new TextEncoder().encode(text),
  );
  const pieces = [
    '[',
    '{',
    '}',
    ': ',
    '- ',
    '\n',
    '\r',
    '---\n',
    '&a ',
    '*a',
    '!x ',
    '"',
    '<<: ',
    '~',
    '\u202e',
    '__proto__',
  ];
  const edit = fc.record({
    at: fc.nat(2000),
    cut: fc.nat(6),
    put: fc.oneof(
      fc.constantFrom(...pieces).map((piece) => new TextEncoder().encode(piece)),
      fc.uint8Array({ maxLength: 4 }),
    ),
  });

  it('returns a definition, or diagnostics with places in the file', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        (seed, edits) => {
          const bytes = edits.reduce((current, { at, cut, put }) => {
            const start = at % (current.length + 1);
            return Uint8Array.from([...current.slice(0, start), ...put, ...current.slice(start + cut)]);
          }, seed);
          const { definition, diagnostics } = read(bytes);
          expect(definition === null).toBe(diagnostics.length > 0);
          const lines = new TextDecoder().decode(bytes).split('\n');
          for (const { line, column, length } of diagnostics) {
            const room = (lines[line - 1]?.length ?? -1) + 1;
            expect(line >= 1 && column >= 1 && column <= room && column - 1 + length <= room).toBe(true);
          }
        },
      ),
      explore(4000),
    );
  });
});

describe('the documented codes for workers', () => {
  it.each(sectionsAbout('worker'))(
    '$code: the example to avoid has exactly this code, the one to prefer has none',
    ({ code, avoid, prefer }) => {
      const around = { workers: ['main', 'reader', 'read_file'] };
      expect(read(avoid, around).diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
      expect(mistakes(prefer, around)).toEqual([]);
    },
  );
});
