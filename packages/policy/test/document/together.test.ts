import { type CallDecision, type Capability, createRequest, decide, type JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { load, mistakes } from '../world.js';

/** A file with these lines under `together:`, from the fourth line on. */
function together(lines: string): string {
  return `version: 1\ndefault: pre_approved\ntogether:\n${lines}\n`;
}

/** One combination in flow style, on the fourth line. */
function one(rule: string): readonly string[] {
  return mistakes(together(`  - ${rule}`));
}

/** The warnings of `check` about a file that loads. */
function remarks(text: string): readonly string[] {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  return loaded.warnings.map(({ line, column, code, help }) => `${line}:${column} ${code}; ${help}`);
}

interface Call {
  readonly capabilities: readonly Capability[];
  readonly history?: readonly Capability[];
  readonly args?: JsonObject;
}

function decided(text: string, { capabilities, history = [], args = {} }: Call): CallDecision {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const call = { tool: 'a.b', chain: ['main'], args, context: {}, capabilities, history, now: 0 } as const;
  return decide(createRequest(call), [loaded.policy]);
}

const read = { name: 'secret.read' };
const connect = (host: string) => ({ name: 'net.connect', host });
const exfiltration = (more = '') =>
  together(
    `  - { id: x, capabilities: [secret.read, { name: net.connect, except: { host: "**.internal.example" } }], decision: blocked${more} }`,
  );

describe('a combination', () => {
  it.each<[string, readonly string[]]>([
    ['{ capabilities: [secret.read, net.connect], decision: blocked }', []],
    ['{ capabilities: [secret.read], decision: needs_approval, within: call, answer: any }', []],
    [
      '{ capabilities: [{ name: net }], decision: blocked, within: run, observe: true, owner: o, note: n }',
      [],
    ],
    [
      '{ capabilities: [crm.x], decision: blocked, when: { "==": [{ var: args.n }, 1] }, reason: r, instead: i }',
      [],
    ],
    ['blocked', ['4:5 WRONG_TYPE']],
    ['{}', ['4:5 EMPTY_SECTION']],
    ['{ decision: blocked }', ['4:5 MISSING_KEY']],
    ['{ capabilities: [net] }', ['4:5 MISSING_KEY']],
    ['{ capabilities: [net], decision: deny }', ['4:38 UNKNOWN_DECISION']],
    ['{ capabilities: [net], decision: pre_approved }', ['4:38 PERMISSIVE_COMBINATION']],
    ['{ capabilities: net, decision: blocked }', ['4:21 WRONG_TYPE']],
    ['{ capabilities: { net: blocked }, decision: blocked }', ['4:21 WRONG_TYPE']],
    ['{ capabilities: [], decision: blocked }', ['4:21 EMPTY_SECTION']],
    ['{ capabilities: [[net]], decision: blocked }', ['4:22 WRONG_TYPE']],
    ['{ capabilities: [{}], decision: blocked }', ['4:22 EMPTY_SECTION']],
    ['{ capabilities: [{ match: { host: a } }], decision: blocked }', ['4:22 MISSING_KEY']],
    ['{ capabilities: [{ name: 1 }], decision: blocked }', ['4:30 WRONG_TYPE']],
    ['{ capabilities: [Net], decision: blocked }', ['4:22 BAD_CAPABILITY_NAME']],
    ['{ capabilities: ["net.*"], decision: blocked }', ['4:22 BAD_CAPABILITY_NAME']],
    ['{ capabilities: [{ name: "net.*" }], decision: blocked }', ['4:30 BAD_CAPABILITY_NAME']],
    ['{ capabilities: [{ name: net, when: true }], decision: blocked }', ['4:35 UNKNOWN_KEY']],
    ['{ capabilities: [{ name: net, mtach: { host: a } }], decision: blocked }', ['4:35 UNKNOWN_KEY']],
    [
      '{ capabilities: [{ name: net.connect, match: { hsot: a } }], decision: blocked }',
      ['4:52 UNKNOWN_FACT'],
    ],
    ['{ capabilities: [{ name: net.connect, match: { name: a } }], decision: blocked }', ['4:52 BAD_FACT']],
    [
      '{ capabilities: [{ name: net.connect, match: { host: A.example } }], decision: blocked }',
      ['4:58 IMPOSSIBLE_PATTERN'],
    ],
    [
      '{ capabilities: [{ name: net.connect, except: { port: "443" } }], decision: blocked }',
      ['4:59 IMPOSSIBLE_PATTERN'],
    ],
    [
      '{ capabilities: [{ name: Net, match: { path: out/** } }], decision: blocked }',
      ['4:30 BAD_CAPABILITY_NAME', '4:50 IMPOSSIBLE_PATTERN'],
    ],
    ['{ capabilities: [{ name: net, match: {} }], decision: blocked }', ['4:42 EMPTY_SECTION']],
    ['{ capabilities: [{ name: net, "__proto__": { host: a } }], decision: blocked }', ['4:35 RESERVED_KEY']],
    [
      '{ capabilities: [{ name: net, match: { "__proto__": a } }], decision: blocked }',
      ['4:44 RESERVED_KEY'],
    ],
    ['{ capabilities: [net], decision: blocked, within: session }', ['4:55 UNKNOWN_VALUE']],
    ['{ capabilities: [net], decision: blocked, within: [run] }', ['4:55 WRONG_TYPE']],
    ['{ capabilities: [net], decision: blocked, answer: nobody }', ['4:55 UNKNOWN_VALUE']],
    ['{ capabilities: [net], decision: blocked, observe: yes }', ['4:56 WRONG_TYPE']],
    [
      '{ capabilities: [net], decision: blocked, when: { var: capability.host } }',
      ['4:60 CAPABILITY_OUT_OF_SIGHT'],
    ],
    [
      '{ capabilities: [net], decision: blocked, when: { and: [{ missing: [capability.host] }] } }',
      ['4:73 CAPABILITY_OUT_OF_SIGHT'],
    ],
    ['{ capabilities: [net], decision: blocked, match: { host: a } }', ['4:47 MISPLACED_KEY']],
    ['{ capabilities: [net], decision: blocked, except: { host: a } }', ['4:47 MISPLACED_KEY']],
    ['{ capabilities: [net], decision: blocked, below: true }', ['4:47 MISPLACED_KEY']],
    ['{ capabilities: [net], decision: blocked, inherit: false }', ['4:47 MISPLACED_KEY']],
    [
      '{ capabilities: [net], decision: needs_approval, until: 2026-01-01T00:00:00Z }',
      ['4:54 MISPLACED_KEY'],
    ],
    ['{ capabilities: [net], decision: blocked, examples: { match: [{}] } }', ['4:47 NOT_YET']],
    ['{ capabilities: [net], decision: blocked, worker: w }', ['4:47 UNKNOWN_KEY']],
    ['{ capabilities: [net], decision: blocked, id: a b }', ['4:51 BAD_ID']],
  ])('%s', (rule, expected) => {
    expect(one(rule)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['together:', ['3:1 EMPTY_SECTION']],
    ['together: {}', ['3:11 WRONG_TYPE']],
    ['together: blocked', ['3:11 WRONG_TYPE']],
    ['workers: { w: { together: [] } }', ['3:17 UNKNOWN_KEY']],
  ])('stands in a list at the top: %s', (line, expected) => {
    expect(mistakes(`version: 1\ndefault: blocked\n${line}\n`)).toEqual(expected);
  });

  it('reports all its mistakes together', () => {
    expect(one('{ capabilities: [Net, { match: { path: a } }], within: x, when: { a: 1 }, id: "" }')).toEqual(
      [
        '4:5 MISSING_KEY',
        '4:22 BAD_CAPABILITY_NAME',
        '4:27 MISSING_KEY',
        '4:44 IMPOSSIBLE_PATTERN',
        '4:60 UNKNOWN_VALUE',
        '4:71 UNKNOWN_OPERATOR',
        '4:83 BAD_TEXT',
      ],
    );
  });

  it('has an id that differs from every other rule and invariant', () => {
    const text = (ids: readonly string[]) =>
      together(
        ids
          .map((id) => `  - { ${id === '' ? '' : `id: "${id}", `}capabilities: [net], decision: blocked }`)
          .join('\n'),
      );
    expect(mistakes(text(['', '']))).toEqual([]);
    expect(mistakes(text(['a', 'a']))).toEqual(['5:11 DUPLICATE_ID']);
    expect(mistakes(text(['together[1]', '']))).toEqual(['5:5 DUPLICATE_ID']);
    expect(mistakes(`${text(['a'])}capabilities: { net: { decision: blocked, id: a } }\n`)).toEqual([
      '5:47 DUPLICATE_ID',
    ]);
    expect(
      mistakes(`${text(['a'])}invariants: [{ id: a, capabilities: [net], never: pre_approved }]\n`),
    ).toEqual(['5:20 DUPLICATE_ID']);
  });

  it('is ordered by place among the other rules, in the policy and in its document', () => {
    const loaded = load(
      `${together('  - { capabilities: [net], decision: blocked }')}capabilities: { fs: blocked }\ntools: { s.t: blocked }\n`,
    );
    const ids = ['together[0]', 'capabilities.fs', 'tools.s.t'];
    expect(loaded.ok && loaded.policy.rules.map(({ id }) => id)).toEqual(ids);
    expect(loaded.ok && loaded.policy.document.rules.map(({ id }) => id)).toEqual(ids);
  });

  it('is read into the deciding rule and the written rule', () => {
    const loaded = load(exfiltration(', within: run, reason: r'));
    if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
    const condition = expect.any(Function) as unknown;
    const said = {
      about: 'combination',
      id: 'x',
      at: 'policy.yaml:4:5',
      decision: 'blocked',
      answer: 'person',
      reason: 'r',
      instead: null,
      worker: null,
      inherit: true,
      observe: false,
      within: 'run',
    };
    expect(loaded.policy.rules).toEqual([
      {
        ...said,
        condition,
        members: [
          { name: 'secret.read', condition },
          { name: 'net.connect', condition },
        ],
      },
    ]);
    expect(loaded.policy.document.rules).toMatchObject([
      {
        ...said,
        place: { line: 4, column: 5 },
        members: [
          { name: 'secret.read', match: null, except: null, place: { line: 4, column: 29 } },
          { name: 'net.connect', match: null, except: [{ fact: 'host' }], place: { line: 4, column: 42 } },
        ],
      },
    ]);
  });

  it.each([
    [
      'secret.raed',
      '4:22 UNKNOWN_CAPABILITY; did you mean `secret.read`? begin your own names with your own prefix',
    ],
    [
      '{ match: { path: /a }, name: fs.wriet }',
      '4:51 UNKNOWN_CAPABILITY; did you mean `fs.write`? begin your own names with your own prefix',
    ],
  ])('warns about a misspelled name that would never apply: %s', (member, expected) => {
    expect(remarks(together(`  - { capabilities: [${member}, net], decision: blocked }`))).toEqual([
      expected,
    ]);
  });

  it.each([
    ['net, net', ['4:27 REPEATED_MEMBER; list it once']],
    ['net, { name: net }', ['4:27 REPEATED_MEMBER; list it once']],
    ['net, net.connect, net.connect.private', []],
    ['net, { name: net, match: { host: a } }', []],
  ])('warns about a duplicate entry: %s', (list, expected) => {
    expect(remarks(together(`  - { capabilities: [${list}], decision: blocked }`))).toEqual(expected);
  });
});

describe('the decision of a combination', () => {
  it.each<[string, string, Call, string]>([
    ['all in one call', '', { capabilities: [read, connect('a.example')] }, 'blocked'],
    ['one of them alone', '', { capabilities: [read] }, 'pre_approved'],
    ['an exception', '', { capabilities: [read, connect('x.internal.example')] }, 'pre_approved'],
    [
      'names under those listed',
      '',
      { capabilities: [{ name: 'secret.read.all' }, { name: 'net.connect.private', host: 'b' }] },
      'blocked',
    ],
    [
      'a name that only begins so',
      '',
      { capabilities: [{ name: 'secret.readback' }, connect('a')] },
      'pre_approved',
    ],
    ['history, within a call', '', { capabilities: [read], history: [connect('a')] }, 'pre_approved'],
    ['history, within a run', ', within: run', { capabilities: [read], history: [connect('a')] }, 'blocked'],
    [
      'an exception in the history',
      ', within: run',
      { capabilities: [read], history: [connect('x.internal.example')] },
      'pre_approved',
    ],
    [
      'history alone',
      ', within: run',
      { capabilities: [{ name: 'fs.read' }], history: [read, connect('a')] },
      'pre_approved',
    ],
    [
      'names alone in the history: undecided, so it counts',
      ', within: run',
      { capabilities: [read], history: [{ name: 'net.connect' }] },
      'blocked',
    ],
    [
      'a fact that is missing: undecided, so it counts',
      '',
      { capabilities: [read, { name: 'net.connect' }] },
      'blocked',
    ],
    [
      'a fact that is not canonical: missing',
      '',
      { capabilities: [read, connect('X.INTERNAL.EXAMPLE')] },
      'blocked',
    ],
    [
      'a condition that holds',
      ', when: { "==": [{ var: args.n }, 1] }',
      { capabilities: [read, connect('a')], args: { n: 1 } },
      'blocked',
    ],
    [
      'a condition that does not',
      ', when: { "==": [{ var: args.n }, 1] }',
      { capabilities: [read, connect('a')], args: { n: 2 } },
      'pre_approved',
    ],
    [
      'a condition that cannot be told',
      ', when: { "==": [{ var: args.n }, 1] }',
      { capabilities: [read, connect('a')] },
      'blocked',
    ],
    ['an observed combination', ', observe: true', { capabilities: [read, connect('a')] }, 'pre_approved'],
  ])('about %s', (_, more, call, decision) => {
    expect(decided(exfiltration(more), call).decision).toBe(decision);
  });

  it('covers capabilities that policies add to a tool, including its own members', () => {
    const text = `${exfiltration()}carries: { a.b: [secret.read] }\n`;
    expect(decided(text, { capabilities: [connect('a')] }).decision).toBe('blocked');
  });

  it('counts an undecided match, which reads a fact that the capability never has', () => {
    const text = together(
      '  - { capabilities: [{ name: secret.read, match: { host: a } }, net], decision: blocked }',
    );
    expect(decided(text, { capabilities: [read, connect('a')] }).decision).toBe('blocked');
  });

  it('is given for each listed capability and no other', () => {
    const capabilities = [read, connect('a'), { name: 'fs.read' }];
    const { judgements } = decided(exfiltration(), { capabilities });
    expect(judgements.map(({ decision }) => decision)).toEqual(['blocked', 'blocked', 'pre_approved']);
  });

  it('applies to a single capability that satisfies both members', () => {
    const text = together('  - { capabilities: [net, net.connect], decision: blocked }');
    expect(decided(text, { capabilities: [connect('a')] }).decision).toBe('blocked');
    expect(decided(text, { capabilities: [{ name: 'net.listen' }] }).decision).toBe('pre_approved');
  });

  it('treats an entry listed twice like an entry listed once', () => {
    const text = together('  - { capabilities: [net, net], decision: blocked }');
    expect(decided(text, { capabilities: [connect('a')] }).decision).toBe('blocked');
  });

  it.each([
    ['', 'person'],
    [', answer: person', 'person'],
    [', answer: any', 'any'],
  ])('is answered by a person, unless the combination says otherwise:%s', (more, answer) => {
    const text = together(`  - { capabilities: [net], decision: needs_approval${more} }`);
    expect(decided(text, { capabilities: [connect('a')] }).judgements[0]).toMatchObject({
      decision: 'needs_approval',
      answer,
      answered_by: null,
    });
  });

  it('is not answered by a standing grant', () => {
    const text = `${together('  - { capabilities: [net], decision: needs_approval }')}tools: { a.b: pre_approved }\n`;
    expect(decided(text, { capabilities: [connect('a')] }).decision).toBe('needs_approval');
  });
});
