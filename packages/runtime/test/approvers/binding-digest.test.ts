import type { Question } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { bindingDigest } from '../../src/approvers/binding-digest.js';
import { question } from '../store/stored-things.js';

describe('bindingDigest', () => {
  const base = question('q');
  const digest = (changes: Partial<Record<keyof Question, unknown>> = {}, policies = ['p', 'r']) =>
    bindingDigest({ ...base, ...changes } as Question, policies);
  const args = (text: string) => digest({ args: JSON.parse(text) as unknown });

  it('is equal for the same call, regardless of the order of keys and policies', () => {
    expect(args('{"b": 1, "a": {"d": 2, "c": 3}}')).toBe(args('{"a": {"c": 3, "d": 2}, "b": 1}'));
    expect(digest({}, ['r', 'p', 'r'])).toBe(digest());
    expect(digest()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is equal under another id and other wording', () => {
    const words = base.capabilities.map((one) => ({ ...one, words: 'otherwise' }));
    expect(digest({ id: 'other', call: 'c2', summary: 's', capabilities: words, again: 'again' })).toBe(
      digest(),
    );
  });

  it('differs for any other change', () => {
    const all = [
      digest(),
      digest({ chain: ['main', 'other'] }),
      digest({ chain: ['other'] }),
      digest({ tool: 'filesystem.delete_file' }),
      digest({ args: { ...base.args, path: 'b.md' } }),
      digest({ args: { ...base.args, extra: null } }),
      digest({ args: {} }),
      digest({ capabilities: [{ capability: { name: 'fs.write', path: '/w/b.md' }, words: '' }] }),
      digest({ capabilities: [...base.capabilities, ...base.capabilities] }),
      digest({ asked_by: [judgement(['r1'])] }),
      digest({ asked_by: [judgement(['r1', 'r2'])] }),
      digest({ asked_by: [{ ...judgement(['r1']), answer: 'person' }] }),
      digest({ begun: true }),
      digest({}, ['p']),
      digest({}, []),
      digest({}, ['p', 'r', 's']),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('differs for texts without a canonical form, and for escaped look-alikes', () => {
    const texts = [
      '{"a": "\\ud800"}',
      '{"a": "\\udc00"}',
      '{"a": "\\\\ud800"}',
      '{"\\ud800": "a"}',
      '{"a": "\\ufffd"}',
    ];
    const escapedByHand = '{"\\"a\\"": "\\"\\\\ud800\\""}';
    const digests = [...texts, escapedByHand].map(args);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('includes a key `__proto__`', () => {
    expect(args('{"__proto__": {"a": 1}}')).not.toBe(args('{}'));
    expect(args('{"__proto__": {"a": "\\ud800"}}')).not.toBe(args('{"a": "\\ud800"}'));
  });
});

function judgement(rules: readonly string[]) {
  const asking = rules.map((id) => ({ id }));
  return {
    policy: 'p',
    capability: 0,
    decision: 'needs_approval',
    answer: 'any',
    rules: asking,
    undecided: [],
  };
}
