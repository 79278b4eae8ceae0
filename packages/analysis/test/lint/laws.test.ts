import { createRequest, decide, impliesOpacity, type NonEmpty, type Policy, type Request } from '@ambit/core';
import type { Diagnostic, WrittenPolicy } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { ruleCondition } from '../../../policy/src/document/rule-condition.js';
import { call, type Drawn, writtenPolicies } from '../../../policy/test/engine/written-policies.js';
import { seed } from '../../../policy/test/seed.js';
import { lintPolicies } from '../../src/lint/lint.js';

const calls = fc.array(call.map(createRequest), { minLength: 40, maxLength: 40 });
const runs = explore(200, seed);
const needless: readonly string[] = [
  'SHADOWED_RULE',
  'REPEATED_RULE',
  'OVERRIDDEN_PERMISSION',
  'NEEDLESS_RULE',
];

interface Found {
  readonly code: Diagnostic['code'];
  readonly policy: number;
  readonly rule: number;
  readonly message: string;
}

/** Each finding with the rule that it is about. */
function findings({ policies, texts }: Drawn): readonly Found[] {
  const written = policies as unknown as NonEmpty<WrittenPolicy>;
  const files = written.map(({ name }, index) => ({
    name,
    path: name,
    sha256: '',
    source: texts[index] ?? '',
  })) as unknown as NonEmpty<{ name: string; path: string; sha256: string; source: string }>;
  return lintPolicies({ ok: true, policies: written, files, warnings: [] }, { now: null }).flatMap(
    (found) => {
      const policy = written.findIndex(({ name }) => name === found.file);
      const rules = written[policy]?.document.rules ?? [];
      // The last rule that begins before the finding: rules of a drawn policy never lie within each other.
      const rule = rules.findLastIndex(({ place }) => place.column <= found.column);
      return rule === -1 ? [] : [{ code: found.code, policy, rule, message: found.message }];
    },
  );
}

function without(policies: NonEmpty<Policy>, gone: readonly Found[]): NonEmpty<Policy> {
  return policies.map((policy, index) => ({
    ...policy,
    rules: policy.rules.filter((_, at) => !gone.some(({ policy: of, rule }) => of === index && rule === at)),
  })) as unknown as NonEmpty<Policy>;
}

/** The result of a call: the decision, the possible approvers of each question, and the reason if it does not run. */
function cameTo(request: Request, policies: NonEmpty<Policy>) {
  const { decision, judgements, reason, instead } = decide(request, policies);
  const questions = judgements
    .filter((judgement) => judgement.decision === 'needs_approval')
    .map(({ capability, policy, answer, answered_by: by }) => [capability, policy, answer, by === null]);
  const why = decision === 'pre_approved' ? null : [reason, instead];
  return { decision, why, questions: decision === 'blocked' ? [] : questions };
}

describe('lint', () => {
  it('finds only rules whose removal, one by one and together, changes no decision', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(writtenPolicies(8), calls, (drawn, requests) => {
        const found = findings(drawn).filter(({ code }) => needless.includes(code));
        for (const { code } of found) seen.set(code, (seen.get(code) ?? 0) + 1);
        const sets = found.length === 0 ? [] : [...found.map((one) => [one]), found];
        for (const gone of sets) {
          const rest = without(drawn.policies, gone);
          // The last restriction of a file is also what makes it ask about opaque programs.
          const asks = (policies: typeof rest) => JSON.stringify(policies.map(impliesOpacity));
          if (asks(rest) !== asks(drawn.policies)) continue;
          for (const request of requests) {
            const [now, before] = [cameTo(request, rest), cameTo(request, drawn.policies)];
            // Comparing with `expect` takes most of the time, so it is left for what differs.
            if (JSON.stringify(now) !== JSON.stringify(before)) expect([gone, now]).toEqual([gone, before]);
          }
        }
      }),
      runs,
    );
    expect(needless.filter((code) => (seen.get(code) ?? 0) < tries(5))).toEqual([]);
  });

  it('finds only permissions whose removal changes no decision', () => {
    fc.assert(
      fc.property(writtenPolicies(8), calls, (drawn, requests) => {
        const found = findings(drawn).filter(
          ({ code, policy, rule, message }) =>
            (code === 'NEVER_APPLIES' ||
              (code === 'CONSTANT_CONDITION' && !message.includes('always true'))) &&
            drawn.policies[policy]?.rules[rule]?.decision === 'pre_approved',
        );
        const rest = without(drawn.policies, found);
        for (const request of found.length === 0 ? [] : requests)
          expect(decide(request, rest).decision).toBe(decide(request, drawn.policies).decision);
      }),
      runs,
    );
  });

  it('finds only exceptions whose removal changes no decision', () => {
    let seen = 0;
    fc.assert(
      fc.property(writtenPolicies(8), calls, (drawn, requests) => {
        const found = findings(drawn).filter(({ code }) => code === 'IDLE_EXCEPTION');
        seen += found.length;
        const policies = drawn.policies.map((policy, index) => ({
          ...policy,
          rules: policy.rules.map((rule, at) => {
            const written = (policy as WrittenPolicy).document.rules[at];
            const isIdle = found.some((one) => one.policy === index && one.rule === at);
            return isIdle && written !== undefined && written.about !== 'combination'
              ? { ...rule, condition: ruleCondition({ ...written, except: null }) }
              : rule;
          }),
        })) as unknown as NonEmpty<Policy>;
        for (const request of found.length === 0 ? [] : requests)
          expect(decide(request, policies).decision).toBe(decide(request, drawn.policies).decision);
      }),
      runs,
    );
    expect(seen).toBeGreaterThanOrEqual(tries(5));
  });
});
