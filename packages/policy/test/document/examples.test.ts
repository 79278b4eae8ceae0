import { describe, expect, it } from 'vitest';
import { load, mistakes } from '../world.js';

function rule(lines: string, section = 'capabilities', name = 'fs.write'): string {
  return `version: 1\ndefault: blocked\n${section}:\n  ${name}:\n    decision: pre_approved\n${lines}\n`;
}

describe('the examples of a rule', () => {
  it.each<[string, string]>([
    [
      'facts',
      '    match: { path: ./a/** }\n    examples: { match: [{ path: ./a/b }, { path: /w/a }], not_match: [{ path: ~/a }] }',
    ],
    [
      'exceptions',
      '    match: { path: ./** }\n    except: { path: "**/x" }\n    examples: { match: [{ path: /w/y }], not_match: [{ path: /w/x }] }',
    ],
    [
      'arguments and context',
      '    when: { "==": [{ var: args.n }, { var: context.n }] }\n    examples: { match: [{ args: { n: 1 }, context: { n: 1 } }], not_match: [{ facts: {}, args: { n: 1 }, context: { n: 2 } }] }',
    ],
    [
      'the name',
      '    when: { "==": [{ var: capability.name }, fs.write] }\n    examples: { match: [{ path: /a }] }',
    ],
    ['a rule that always applies', '    examples: { match: [{}, { path: /a }] }'],
    [
      'a permission that has ended',
      '    until: 2001-01-01T00:00:00Z\n    examples: { match: [{ path: /a }] }',
    ],
  ])('confirm %s', (_, lines) => {
    expect(mistakes(rule(lines))).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'does not match',
      '    match: { path: ./a }\n    examples: { match: [{ path: /w/a }, { path: /w/b }] }',
      ['7:41 EXAMPLE_FAILS'],
    ],
    [
      'matches',
      '    match: { path: ./a }\n    examples: { not_match: [{ path: /w/a }] }',
      ['7:29 EXAMPLE_FAILS'],
    ],
    [
      'lacks a fact',
      '    match: { path: ./a }\n    examples: { not_match: [{ bytes: 1 }] }',
      ['7:29 EXAMPLE_UNDECIDED'],
    ],
    [
      'is not canonical',
      '    match: { path: ./a }\n    examples: { not_match: [{ path: /w/b/ }] }',
      ['7:29 EXAMPLE_UNDECIDED'],
    ],
    [
      'lacks the context',
      '    when: { "==": [{ var: context.n }, 1] }\n    examples: { not_match: [{ path: /w }] }',
      ['7:29 EXAMPLE_UNDECIDED'],
    ],
    [
      'says nothing about who calls',
      '    when: { "==": [{ var: worker }, a] }\n    examples: { match: [{ path: /w }] }',
      ['7:25 EXAMPLE_UNDECIDED'],
    ],
    ['calls a fact by the name', '    examples: { match: [{ name: fs.write }] }', ['6:27 BAD_FACT']],
    ['is not a map', '    examples: { match: [a] }', ['6:25 WRONG_TYPE']],
    ['has broken arguments', '    examples: { match: [{ facts: {}, args: 1 }] }', ['6:44 WRONG_TYPE']],
  ])('refuse one that %s', (_, lines, expected) => {
    expect(mistakes(rule(lines))).toEqual(expected);
  });

  it('report nothing about a rule with a broken condition', () => {
    expect(mistakes(rule('    match: { path: a }\n    examples: { match: [{ path: /w/a }] }'))).toEqual([
      '6:20 IMPOSSIBLE_PATTERN',
    ]);
  });

  it('accept only arguments and context for a tool', () => {
    const when = '    when: { "==": [{ var: args.n }, 1] }\n';
    expect(
      mistakes(
        rule(
          `${when}    examples: { match: [{ args: { n: 1 } }], not_match: [{ args: { n: 2 } }] }`,
          'tools',
          's.t',
        ),
      ),
    ).toEqual([]);
    expect(
      mistakes(rule(`${when}    examples: { match: [{ facts: {}, args: { n: 1 } }] }`, 'tools', 's.t')),
    ).toEqual(['7:27 UNKNOWN_KEY']);
  });

  it('show no control character', () => {
    const loaded = load(rule('    match: { "a\\u202e": x }\n    examples: { match: [{ b: 1 }] }'));
    expect(loaded.ok ? null : loaded.diagnostics[0].message).toBe(
      'this example is undecided: no fact `a\\u202e`',
    );
  });

  it('say why they are undecided', () => {
    const loaded = load(rule('    match: { path: ./a }\n    examples: { not_match: [{ path: /w/b/ }] }'));
    expect(loaded.ok ? null : loaded.diagnostics.map(({ message, help }) => [message, help])).toEqual([
      ['this example is undecided: no fact `path`', 'not in canonical form, so it counts as missing: `path`'],
    ]);
  });
});
