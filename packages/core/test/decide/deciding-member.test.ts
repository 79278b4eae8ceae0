import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../src/asking/refusal.js';
import { memberWithin } from '../../src/decide/judgement.js';

const at = (path: string | null) => ({ path, count: 1, of: 1204 });

describe('memberWithin', () => {
  it.each([
    [['/w/src/a.ts', '/w/src/config/.env'], '/w/src/config/.env', 'config/.env (1 of 1 204 files)'],
    [['/etc/passwd', '/w/src/a.ts'], '/etc/passwd', 'passwd (1 of 1 204 files)'],
    [
      ['/w/src/a.ts', '/w/src/b.ts'],
      null,
      'files that are not known before the call runs, besides 1 203 known ones',
    ],
  ])('does not name a parent folder of the files %j', (paths, path, words) => {
    expect(memberWithin(at(path), { paths })).toBe(words);
  });
});

describe('refusalOf', () => {
  it('names the deciding file, without a path of the host', () => {
    const rule = { id: 'no-secrets', at: 'policy.yaml:3:5', decision: 'blocked' } as const;
    const decision = {
      decision: 'blocked',
      capabilities: [{ name: 'fs.read', path: { paths: ['/home/ada/w/a.ts', '/home/ada/w/config/.env'] } }],
      judgements: [
        {
          capability: 0,
          member: at('/home/ada/w/config/.env'),
          policy: 'policy.yaml',
          decision: 'blocked',
          default: false,
          rules: [rule],
          undecided: [],
          answer: null,
          answered_by: null,
        },
      ],
      reason: 'secrets stay here',
      instead: null,
    } as const;
    expect(refusalOf('blocked', decision, { policies: [], fallback: '' })).toEqual({
      code: 'blocked',
      reason: 'secrets stay here: config/.env (1 of 1 204 files)',
      rule,
      instead: 'make a narrower call: leave out config/.env, or name the files that it needs',
    });
  });
});
