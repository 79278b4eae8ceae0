import { describe, expect, it } from 'vitest';
import { load, mistakes } from '../world.js';

const head = 'version: 1\ndefault: needs_approval\n';
const nested = (depth: number) =>
  `${head}capabilities:\n  a:\n    when: { "==": [1, ${'['.repeat(depth)}${']'.repeat(depth)}] }\n    decision: blocked\n`;
const indented = (depth: number, line: (indent: string, level: number) => string) =>
  Array.from({ length: depth }, (_, level) => line(' '.repeat(level), level)).join('\n');

const attacks: Readonly<Record<string, string>> = {
  'brackets that stay open': '['.repeat(100_000),
  'braces that stay open': '{'.repeat(100_000),
  'brackets that close': `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  'maps in brackets': '[a: '.repeat(5_000),
  'dashes on one line': '- '.repeat(100_000),
  'question marks on one line': '? '.repeat(100_000),
  'question marks in brackets': `[${'? '.repeat(100_000)}`,
  'colons on one line': ': '.repeat(100_000),
  'question marks and dashes': '? - '.repeat(5_000),
  'keys on one line': 'a: '.repeat(5_000),
  'maps that go in and in': indented(3000, (indent, level) => `${indent}k${level}:`),
  'lists that go in and in': indented(3000, (indent) => `${indent}-`),
  'explicit keys that go in and in': indented(3000, (indent) => `${indent}?`),
  'maps and lists in turn': indented(3000, (indent, level) => `${indent}${level % 2 === 0 ? 'k:' : '-'}`),
  'a second deep document': `${head}---\n${'['.repeat(10_000)}`,
  'deep documents one after another': `${`${'['.repeat(90)}\n---\n`.repeat(500)}`,
  'anchors on one line': '&a '.repeat(5_000),
  'many anchors': Array.from({ length: 5_000 }, (_, index) => `k${index}: &a${index} 1`).join('\n'),
  'many aliases of one anchor': `a: &a [1, 2, 3]\n${Array.from({ length: 5_000 }, (_, index) => `k${index}: *a`).join('\n')}`,
  'aliases of aliases': [
    'a0: &a0 [1, 1]',
    ...Array.from({ length: 200 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`),
  ].join('\n'),
  'aliases that go in and in': [
    'a0: &a0 [1]',
    ...Array.from({ length: 5000 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}]`),
  ].join('\n'),
  'an alias in its own anchor': `a: &a\n  b: *a\n`,
  'an alias in its own list': `a: &a [1, *a]\n`,
  'one key many times': 'a: 1\n'.repeat(5_000),
  'quotes that stay open': '"'.repeat(10_001),
  'percent signs': '%a\n'.repeat(5_000),
  'exclamation marks': '!a '.repeat(5_000),
  stars: '* '.repeat(5_000),
  'document ends': '...\n'.repeat(5_000),
  'document starts': '---\n'.repeat(10_000),
  'block scalars': 'a: |\n  b\n'.repeat(10_000),
  tabs: '\t'.repeat(100_000),
  'a key of a megabyte': `${'k'.repeat(1_000_000)}: 1`,
  'a number of a megabyte': `version: ${'9'.repeat(1_000_000)}`,
  commas: `[${','.repeat(5_000)}]`,
  'carriage returns': 'a: 1\r'.repeat(10_000),
};

describe('loadPolicyText', () => {
  it.each(Object.keys(attacks))('survives %s', (name) => {
    const loaded = load(attacks[name] ?? '');
    expect(loaded.ok).toBe(false);
  });

  it('accepts a file that is nested 100 deep, and refuses one that is 101 deep', () => {
    // The top, the section, the rule, the condition and its operands are five levels.
    expect(mistakes(nested(95))).toEqual([]);
    expect(mistakes(nested(96)).map((mistake) => mistake.replace(/^\S+ /, ''))).toEqual(['TOO_DEEP']);
  });

  it('counts depth through aliases', () => {
    const half = (name: string, inner: string) =>
      `${name}: &${name} ${'['.repeat(60)}${inner}${']'.repeat(60)}`;
    // The innermost bracket at level 101 is the 41st of the second line.
    expect(mistakes(`${half('a', '1')}\n${half('b', '*a')}\n`)).toContain('2:26 TOO_DEEP');
  });

  it('accepts 200 rules with an alias each', () => {
    const rules = Array.from({ length: 200 }, (_, index) => `  crm.r${index}: *strict`).join('\n');
    const text = `${head}capabilities:\n  net: &strict { decision: blocked, match: { host: ["**.a.example", "**.b.example"] } }\n${rules}\n`;
    expect(load(text).ok).toBe(true);
  });
});
