import { describe, expect, it } from 'vitest';
import { always, createRequest, decide, type Policy, plainRule, type Rule } from '../../src/index.js';
import { policy } from '../guard/stage.js';

const restriction: Rule = {
  about: 'capability',
  name: 'net',
  below: false,
  id: 'no-net',
  at: 'policy.yaml:4:3',
  decision: 'blocked',
  ...plainRule,
};

function said(rules: readonly Rule[], standard: Policy['default']['decision'] = 'pre_approved') {
  const request = createRequest({
    tool: 'shell.run',
    chain: ['main'],
    args: {},
    capabilities: [{ name: 'proc.exec.opaque', why: 'it runs scripts' }],
    context: {},
    history: [],
    now: 0,
  });
  const layer = policy({ default: { decision: standard, answer: 'any' }, rules });
  const { decision, judgements } = decide(request, [layer]);
  return [decision, judgements.at(-1)?.rules.map(({ id }) => id)];
}

const implied = ['needs_approval', ['implied.proc.exec.opaque']];

describe('a policy with a permissive default', () => {
  it('asks about opaque programs if it restricts something', () => {
    expect(said([restriction])).toEqual(implied);
    expect(said([{ ...restriction, about: 'tool', name: 'http.*', condition: always } as Rule])).toEqual(
      implied,
    );
    expect(said([{ ...restriction, worker: 'other' }])).toEqual(implied);
    expect(
      said([{ ...restriction, name: 'proc', decision: 'pre_approved', below: true }, restriction])[0],
    ).toBe('needs_approval');
  });

  it('permits opaque programs if it restricts nothing', () => {
    expect(said([])).toEqual(['pre_approved', []]);
    expect(said([{ ...restriction, observe: true }])).toEqual(['pre_approved', []]);
    expect(said([{ ...restriction, decision: 'pre_approved' }])).toEqual(['pre_approved', []]);
  });

  it('follows its own rule about opaque programs', () => {
    const own: Rule = { ...restriction, id: 'own', name: 'proc.exec.opaque', decision: 'pre_approved' };
    expect(said([restriction, own])).toEqual(['pre_approved', ['own']]);
    expect(said([restriction, { ...own, decision: 'blocked' }])).toEqual(['blocked', ['own']]);
    expect(said([restriction, { ...own, observe: true }])).toEqual(implied);
    expect(said([restriction, { ...own, decision: 'blocked', worker: 'other' }])).toEqual(implied);
  });
});
