import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { type Case, someCase } from './arbitrary/case.js';
import { core, decisionOn } from './engine.js';
import { restatement } from './laws/restatement.js';
import { oracle } from './oracle.js';

describe('decide', () => {
  it(`${restatement.title}`, async () => {
    const details = await restatement.check(core, explore(20_000));
    expect(fc.defaultReportMessage(details) ?? 'no counterexample').toBe('no counterexample');
  });
});

describe('the distribution of random cases', () => {
  const cases = fc.sample(someCase(), { numRuns: 3000, seed: 1 });
  const found = cases.map((given) => decisionOn(core, given));
  const share = (count: number) => count / cases.length;

  it.each([
    ['pre_approved', 0.1],
    ['needs_approval', 0.2],
    ['blocked', 0.2],
  ] as const)('give %s often enough', (decision, least) => {
    expect(share(found.filter((one) => one.decision === decision).length)).toBeGreaterThan(least);
  });

  it.each<readonly [string, number, (given: Case, index: number) => boolean]>([
    ['an undecided rule', 0.12, has(({ undecided }) => undecided.length > 0)],
    ['a question that wants a person', 0.15, has(({ answer }) => answer === 'person')],
    [
      'a default that counts because rules are undecided',
      0.1,
      has((one) => one.default && one.undecided.length > 0),
    ],
    ['a standing grant in effect', 0.015, has(({ answered_by }) => answered_by?.by === 'rule')],
    ['a reference grant in effect', 0.05, has(({ answered_by }) => answered_by?.by === 'reference')],
    ['a kept answer in effect', 0.03, has(({ answered_by }) => answered_by?.by === 'kept')],
    ['a call that runs by grants', 0.03, (_, index) => isGranted(index)],
    ['a call that reports nothing', 0.05, ({ request }) => request.capabilities[0].tool !== undefined],
    ['an acting worker that was created', 0.1, ({ request }) => request.worker.startsWith('created:')],
    ['more than one policy', 0.3, ({ policies }) => policies.length > 1],
    ['an inherited rule that applies', 0.02, isInherited],
    ['a combination that applies', 0.01, isCombined],
    ['an observed rule', 0.02, has(({ observed }) => observed !== undefined)],
    [
      'capabilities that a policy adds',
      0.05,
      ({ request }, index) => isAddedTo(request.capabilities.length, index),
    ],
    ['sys.guard', 0.01, has(({ policy }) => policy === 'built-in')],
  ])('have %s often enough', (_, least, test) => {
    expect(share(cases.filter(test).length)).toBeGreaterThan(least);
  });

  function has(test: (judgement: (typeof found)[number]['judgements'][number]) => boolean) {
    return (_: Case, index: number) => found[index]?.judgements.some(test) ?? false;
  }

  function isGranted(index: number): boolean {
    const one = found[index];
    return one?.decision === 'pre_approved' && one.judgements.some(({ answered_by }) => answered_by !== null);
  }

  function isAddedTo(reported: number, index: number): boolean {
    return (found[index]?.capabilities.length ?? 0) > reported;
  }

  function isCombined({ policies }: Case, index: number): boolean {
    const applying = new Set(found[index]?.judgements.flatMap(({ rules }) => rules.map(({ at }) => at)));
    return policies
      .flatMap(({ rules }) => rules)
      .some(({ about, at }) => about === 'combination' && applying.has(at));
  }

  function isInherited({ request, policies }: Case, index: number): boolean {
    const applying = new Set(found[index]?.judgements.flatMap(({ rules }) => rules.map(({ at }) => at)));
    return policies
      .flatMap(({ rules }) => rules)
      .some((rule) => rule.worker !== null && rule.worker !== request.worker && applying.has(rule.at));
  }
});

describe('the oracle', () => {
  it('decides by the strictest possible world', () => {
    const given = fc.sample(someCase(), { numRuns: 500, seed: 2 });
    expect(new Set(given.map((one) => oracle(one).decision))).toEqual(
      new Set(['pre_approved', 'needs_approval', 'blocked']),
    );
  });
});
