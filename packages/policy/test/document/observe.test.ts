import { createRequest, decide } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { load } from '../world.js';

const text = `version: 1
default: needs_approval
capabilities:
  fs.read:
    - pre_approved
    - { id: strict, decision: blocked, match: { path: /w/** }, observe: true }
  fs.write: { id: loose, decision: pre_approved, observe: true }
  net: { id: heard, decision: blocked, observe: false }
tools:
  a.b: { id: grant, decision: pre_approved, observe: true }
workers:
  w: { capabilities: { fs.list: { id: own, decision: pre_approved, observe: true } } }
`;

function judged(name: string, facts: Readonly<Record<string, string>> = {}, worker = 'main') {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const call = { tool: 'a.b', chain: [worker], args: {}, context: {}, history: [], now: 0 } as const;
  const { judgements } = decide(createRequest({ ...call, capabilities: [{ ...facts, name }] }), [
    loaded.policy,
  ]);
  const [first] = judgements;
  return [
    first?.decision,
    first?.default,
    first?.rules.map(({ id }) => id),
    first?.observed?.map(({ id }) => id),
  ];
}

describe('a rule that is only observed', () => {
  it.each([
    [
      'restricts nothing',
      judged('fs.read', { path: '/w/a' }),
      ['pre_approved', false, ['capabilities.fs.read[0]'], ['strict', 'grant']],
    ],
    [
      'that does not apply is not mentioned',
      judged('fs.read', { path: '/a' }),
      ['pre_approved', false, ['capabilities.fs.read[0]'], ['grant']],
    ],
    [
      'that is undecided is mentioned',
      judged('fs.read'),
      ['pre_approved', false, ['capabilities.fs.read[0]'], ['strict', 'grant']],
    ],
    [
      'permits nothing, answers nothing and leaves the default in',
      judged('fs.write'),
      ['needs_approval', true, [], ['loose', 'grant']],
    ],
    [
      'of a worker permits it nothing',
      judged('fs.list', {}, 'w'),
      ['needs_approval', true, [], ['grant', 'own']],
    ],
    ['and says false is a rule like any other', judged('net'), ['blocked', false, ['heard'], ['grant']]],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('is kept in the document', () => {
    const loaded = load(text);
    expect(loaded.ok && loaded.policy.document.rules.map(({ id, observe }) => [id, observe])).toEqual([
      ['capabilities.fs.read[0]', false],
      ['strict', true],
      ['loose', true],
      ['heard', false],
      ['grant', true],
      ['own', true],
    ]);
  });
});
