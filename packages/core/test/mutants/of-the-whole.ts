import { isStricter } from '../../src/index.js';
import { core } from '../engine.js';
import { afterwards, applies, misreading, rejudged } from './broken.js';
import { asRestriction, isStandingGrant } from './misread.js';
import type { Mutant } from './mutant.js';

/** Engines that break a sentence without loosening anything that a law compares; some are too strict. */
export const mutantsOfTheWhole: readonly Mutant[] = [
  {
    mistake: 'a restriction covers its name alone',
    dies: 'for every way',
    engine: () =>
      misreading(({ rules }, { capability }) => ({
        rules: rules.filter(
          (rule) =>
            rule.about !== 'capability' || rule.name === capability.name || rule.decision === 'pre_approved',
        ),
      })),
  },
  {
    mistake: 'the default is one rule among the others, and is never replaced',
    dies: 'for every way',
    engine: () =>
      afterwards((decision, _request, policies) =>
        rejudged(
          decision,
          decision.judgements.map((one) => {
            const standard = policies.find(({ name }) => name === one.policy)?.default;
            return standard !== undefined && isStricter(standard.decision, one.decision)
              ? { ...one, ...standard, answer: standard.decision === 'blocked' ? null : standard.answer }
              : one;
          }),
        ),
      ),
  },
  {
    mistake: 'a permission for NAME holds for created:NAME',
    dies: 'for every way',
    engine: () =>
      misreading(({ rules }, { request }) => ({
        rules: rules.map((rule) =>
          rule.decision === 'pre_approved' && `created:${rule.worker}` === request.worker
            ? { ...rule, worker: request.worker }
            : rule,
        ),
      })),
  },
  {
    mistake: 'a restriction for NAME does not hold for created:NAME',
    dies: 'for every way',
    engine: () =>
      misreading(({ rules }, { request }) => ({
        rules: rules.filter(
          ({ worker }) =>
            worker === null ||
            worker === 'created' ||
            worker.startsWith('created:') ||
            request.chain.includes(worker),
        ),
      })),
  },
  {
    mistake: 'a restriction with `inherit: false` is inherited all the same',
    dies: 'for every way',
    engine: () => misreading(({ rules }) => ({ rules: rules.map((rule) => ({ ...rule, inherit: true })) })),
  },
  {
    mistake: 'what a policy adds to a tool is added for that policy alone',
    dies: 'for every way',
    engine: () =>
      afterwards((decision, request, policies) =>
        rejudged(
          decision,
          decision.judgements.filter(({ capability, policy }) => {
            const carries = policies.find(({ name }) => name === policy)?.carries ?? [];
            const one = decision.capabilities[capability];
            const isReported = request.capabilities.some((other) => other === one);
            return (
              isReported || policy === 'built-in' || carries.some((carried) => carried.capability === one)
            );
          }),
        ),
      ),
  },
  {
    mistake: 'a tool that is restricted and granted is granted',
    dies: 'for every way',
    engine: () =>
      misreading(({ rules }, { capability, request }) => {
        const isGranted = rules.some(
          (rule) => isStandingGrant(rule) && applies(asRestriction(rule), capability, request),
        );
        return {
          rules: isGranted
            ? rules.filter((rule) => rule.about === 'capability' || isStandingGrant(rule))
            : rules,
        };
      }),
  },
  {
    mistake: '`toolset.*` names the tools of every toolset that begins alike',
    dies: 'for every way',
    engine: () =>
      misreading(({ rules }, { request }) => ({
        rules: rules.map((rule) =>
          rule.about === 'tool' && rule.name.endsWith('.*')
            ? { ...rule, name: `${request.toolset}.*` }
            : rule,
        ),
      })),
  },
  {
    mistake: 'a grant from a worker file is admitted by policies that say nothing about it',
    dies: 'for every way',
    engine: () => ({
      ...core,
      answer: (decision, given) =>
        core.answer(decision, {
          ...given,
          policies: given.policies.map((policy) => ({
            ...policy,
            admits: { ...policy.admits, workers: policy.admits.workers || true },
          })) as unknown as typeof given.policies,
        }),
    }),
  },
  {
    mistake: 'a kept answer holds for any worker and chain',
    dies: 'for every way',
    engine: () => ({
      ...core,
      answer: (decision, given) =>
        core.answer(decision, {
          ...given,
          grants: given.grants.map((grant) =>
            grant.source === 'kept' ? { ...grant, chain: given.request.chain } : grant,
          ),
        }),
    }),
  },
];
