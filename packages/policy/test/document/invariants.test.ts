import { createRequest, decide } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { load, mistakes } from '../world.js';

/** One invariant in flow style, on the fourth line. */
function one(invariant: string): string {
  return `version: 1\ndefault: needs_approval\ninvariants:\n  - ${invariant}\n`;
}

describe('an invariant', () => {
  it.each<[string, readonly string[]]>([
    [
      '{ id: a, capabilities: [secret.read, { name: net.connect, match: { host: a } }], never: pre_approved }',
      [],
    ],
    ['{ capabilities: [net], never: pre_approved, reason: r, owner: o, note: n }', []],
    ['{ capabilities: [net] }', ['4:5 MISSING_KEY']],
    ['{ never: pre_approved }', ['4:5 MISSING_KEY']],
    ['{ capabilities: [], never: pre_approved }', ['4:21 EMPTY_SECTION']],
    ['{ capabilities: [Net], never: pre_approved }', ['4:22 BAD_CAPABILITY_NAME']],
    [
      '{ capabilities: [{ name: net.connect, match: { hsot: a } }], never: pre_approved }',
      ['4:52 UNKNOWN_FACT'],
    ],
    ['{ capabilities: [net], never: blocked }', ['4:35 UNKNOWN_VALUE']],
    ['{ capabilities: [net], never: needs_approval }', ['4:35 UNKNOWN_VALUE']],
    ['{ capabilities: [net], never: [pre_approved] }', ['4:35 WRONG_TYPE']],
    ['{ capabilities: [net], never: pre_approved, decision: blocked }', ['4:49 UNKNOWN_KEY']],
    ['{ capabilities: [net], never: pre_approved, id: "" }', ['4:53 BAD_TEXT']],
    ['net', ['4:5 WRONG_TYPE']],
  ])('%s', (invariant, expected) => {
    expect(mistakes(one(invariant))).toEqual(expected);
  });

  it.each([
    ['invariants: {}', ['3:13 WRONG_TYPE']],
    ['invariants:', ['3:1 EMPTY_SECTION']],
  ])('must be in a list: %s', (line, expected) => {
    expect(mistakes(`version: 1\ndefault: blocked\n${line}\n`)).toEqual(expected);
  });

  it('is kept in the document with its places, and is not a rule', () => {
    const loaded = load(
      one(
        '{ capabilities: [secret.read, { name: net, except: { host: a } }], never: pre_approved, note: n }',
      ),
    );
    if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
    const { document, rules } = loaded.policy;
    expect([rules, document.rules]).toEqual([[], []]);
    expect(document.invariants).toMatchObject([
      {
        id: 'invariants[0]',
        at: 'policy.yaml:4:5',
        place: { line: 4, column: 5 },
        members: [
          { name: 'secret.read', match: null, except: null, place: { line: 4, column: 22 } },
          { name: 'net', match: null, except: [{ fact: 'host' }], place: { line: 4, column: 35 } },
        ],
        never: 'pre_approved',
        reason: null,
        owner: null,
        note: 'n',
      },
    ]);
  });

  it('changes no decision', () => {
    const loaded = load(
      `${one('{ capabilities: [net], never: pre_approved }')}capabilities: { net.connect: pre_approved }\n`,
    );
    if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
    const call = { tool: 'a.b', chain: ['main'], args: {}, context: {}, history: [], now: 0 } as const;
    const request = createRequest({ ...call, capabilities: [{ name: 'net.connect' }] });
    expect(decide(request, [loaded.policy]).decision).toBe('pre_approved');
  });
});
