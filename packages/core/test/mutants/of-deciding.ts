import { settle } from '../../src/index.js';
import { core } from '../engine.js';
import { afterwards, applies, concluding, judgingEach, misreading, mostLenient, rejudged } from './broken.js';
import { asRestriction, decidedAs, isStandingGrant, onlyOne, withoutCarries } from './misread.js';
import type { Mutant } from './mutant.js';

const silent = { decision: 'pre_approved', answer: 'any' } as const;

/** Engines that decide more loosely than they should, each in one way. */
export const mutantsOfDeciding: readonly Mutant[] = [
  {
    mistake: 'the first rule that applies wins',
    dies: 'order of rules',
    engine: () => misreading((policy, about) => ({ rules: onlyOne(policy.rules, about, 'first') })),
  },
  {
    mistake: 'the last rule that applies wins',
    dies: 'order of rules',
    engine: () => misreading((policy, about) => ({ rules: onlyOne(policy.rules, about, 'last') })),
  },
  {
    mistake: 'only the first capability of a call is judged',
    dies: 'order of rules',
    engine: () =>
      afterwards((decision) =>
        rejudged(
          decision,
          decision.judgements.filter(({ capability }) => capability === 0),
        ),
      ),
  },
  {
    mistake: 'a question that is asked twice blocks',
    dies: 'repetition of any',
    engine: () =>
      concluding(({ decision, judgements }) =>
        judgements.filter((one) => one.decision === 'needs_approval').length < 2 ? decision : 'blocked',
      ),
  },
  {
    mistake: 'a standing grant of one policy answers the questions of another',
    dies: 'attenuation',
    engine: () =>
      judgingEach((capability, request, policies) => {
        const decision = core.decide({ ...request, capabilities: [capability] }, withoutCarries(policies));
        const grant = decision.judgements.find(({ answered_by }) => answered_by !== null)?.answered_by;
        const isGranted = policies.some((policy) =>
          policy.rules.some(
            (rule) => isStandingGrant(rule) && applies(asRestriction(rule), capability, request),
          ),
        );
        return rejudged(
          decision,
          decision.judgements.map((one) =>
            isGranted && one.answer === 'any'
              ? { ...one, answered_by: grant ?? { by: 'rule', id: 'r0', at: 'a.yaml:1:1' } }
              : one,
          ),
        );
      }),
  },
  {
    mistake: 'the most lenient policy wins',
    dies: 'attenuation',
    engine: () =>
      concluding(({ judgements }, policies) =>
        mostLenient(policies.map(({ name }) => settle(judgements.filter(({ policy }) => policy === name)))),
      ),
  },
  {
    mistake: 'the most lenient capability wins',
    dies: 'another capability',
    engine: () =>
      concluding(({ capabilities, judgements }) =>
        mostLenient(
          capabilities.map((_, index) => settle(judgements.filter(({ capability }) => capability === index))),
        ),
      ),
  },
  {
    mistake:
      'a rule that speaks about a capability takes the place of the default, whether or not it applies',
    dies: 'another `blocked` rule',
    engine: () =>
      misreading((policy, { capability }) => ({
        default: policy.rules.some((rule) => rule.about === 'capability' && rule.name === capability.name)
          ? silent
          : policy.default,
      })),
  },
  {
    mistake: 'a permission covers what is under its name unless it says otherwise',
    dies: 'without `below`',
    engine: () =>
      misreading(({ rules }) => ({
        rules: rules.map((rule) => (rule.about === 'capability' ? { ...rule, below: true } : rule)),
      })),
  },
  {
    mistake: 'a name is compared as a prefix, so that fs.write speaks about fs.writeback',
    dies: 'without `below`',
    engine: () =>
      misreading(({ rules }, { capability }) => ({
        rules: rules.map((rule) =>
          rule.about === 'capability' && capability.name.startsWith(rule.name)
            ? { ...rule, name: capability.name }
            : rule,
        ),
      })),
  },
  {
    mistake: 'an inherited rule takes the place of the default',
    dies: 'an inherited rule',
    engine: () =>
      misreading(({ rules }, { capability, request }) => ({
        rules: rules.map((rule) =>
          rule.decision !== 'pre_approved' && applies(rule, capability, request)
            ? { ...rule, worker: null }
            : rule,
        ),
      })),
  },
  {
    mistake: 'a tool rule takes the place of the default',
    dies: 'an inherited rule',
    engine: () =>
      misreading((policy, { capability, request }) => ({
        default: policy.rules.some(
          (rule) =>
            rule.about === 'tool' && rule.decision !== 'pre_approved' && applies(rule, capability, request),
        )
          ? silent
          : policy.default,
      })),
  },
  {
    mistake: 'a permission is inherited down the chain',
    dies: 'in front of the chain',
    engine: () =>
      misreading(({ rules }, { request }) => ({
        rules: rules.map((rule) =>
          rule.worker !== null && request.chain.includes(rule.worker) ? { ...rule, worker: null } : rule,
        ),
      })),
  },
  {
    mistake: 'what the run has been permitted once is permitted again',
    dies: 'more history',
    engine: () =>
      afterwards((decision, { history }) =>
        rejudged(
          decision,
          decision.judgements.map((one) => {
            const name = decision.capabilities[one.capability]?.name;
            return history.some((earlier) => earlier.name === name)
              ? { ...one, decision: 'pre_approved', answer: null }
              : one;
          }),
        ),
      ),
  },
  {
    mistake: 'an undecided condition is false',
    dies: 'condition is undecided',
    engine: () => misreading(({ rules }) => ({ rules: rules.map((rule) => decidedAs(rule, false)) })),
  },
  {
    mistake: 'an undecided condition is true',
    dies: 'condition is undecided',
    engine: () => misreading(({ rules }) => ({ rules: rules.map((rule) => decidedAs(rule, true)) })),
  },
  {
    mistake: 'an undecided rule is left out, and the default with it',
    dies: 'condition is undecided',
    engine: () =>
      misreading(({ rules, ...policy }, { capability, request }) => ({
        rules: rules.map((rule) => decidedAs(rule, false)),
        default: rules.some((rule) => applies(decidedAs(rule, true), capability, request))
          ? { decision: 'pre_approved', answer: 'any' }
          : policy.default,
      })),
  },
  {
    mistake: 'a fact that is missing makes a restriction not apply',
    dies: 'taking a fact away',
    engine: () =>
      misreading(({ rules }) => ({
        rules: rules.map((rule) => (rule.decision === 'pre_approved' ? rule : decidedAs(rule, false))),
      })),
  },
  {
    mistake: 'the policies vote',
    dies: 'is neutral',
    engine: () =>
      judgingEach((capability, request, policies) => {
        const decision = core.decide({ ...request, capabilities: [capability] }, withoutCarries(policies));
        const lenient = decision.judgements.filter((one) => one.decision === 'pre_approved');
        if (lenient.length * 2 <= decision.judgements.length) return decision;
        return rejudged(
          decision,
          decision.judgements.map((one) => ({ ...one, decision: 'pre_approved', answer: null })),
        );
      }),
  },
];
