import { equalJson, type Grant, type Judgement, type KeptAnswer } from '../../src/index.js';
import { core, type Engine } from '../engine.js';
import { rejudged } from './broken.js';
import type { Mutant } from './mutant.js';

/** Engines that answer questions which nothing may answer, or not twice. */
export const mutantsOfGrants: readonly Mutant[] = [
  {
    mistake: 'a grant answers for the whole call when it answers one question',
    dies: 'twice is once',
    engine: () => ({
      ...core,
      answer: (decision, given) => {
        const after = core.answer(decision, given);
        const isAnswered = after.judgements.some((one) => one.answered_by !== null);
        return isAnswered && after.decision === 'needs_approval'
          ? { ...after, decision: 'pre_approved' }
          : after;
      },
    }),
  },
  {
    mistake: 'a grant is used up by the question that it answers',
    dies: 'twice is once',
    engine: () => {
      const used = new Set<Grant>();
      return {
        ...core,
        answer: (decision, given) => {
          const left = given.grants.filter((grant) => !used.has(grant));
          const after = core.answer(decision, { ...given, grants: left });
          for (const grant of equalJson(after as never, decision as never) ? [] : left) used.add(grant);
          return after;
        },
      };
    },
  },
  {
    mistake: 'a grant answers `blocked`',
    dies: 'turns `blocked`',
    engine: () => ({
      ...core,
      answer: (decision, given) => {
        const asked = decision.judgements.map(
          (one): Judgement =>
            one.decision === 'blocked' ? { ...one, decision: 'needs_approval', answer: 'any' } : one,
        );
        return core.answer(rejudged(decision, asked), given);
      },
    }),
  },
  {
    mistake: 'the mode answers whatever is open',
    dies: 'answers a question that wants a person',
    engine: () => ({ ...core, admitsUnattended: () => true }),
  },
  {
    mistake: 'a grant answers a question that wants a person',
    dies: 'answers a question that wants a person',
    engine: () => ({
      ...core,
      answer: (decision, given) => {
        const asked = decision.judgements.map(
          (one): Judgement => (one.answer === 'person' ? { ...one, answer: 'any' } : one),
        );
        const { judgements } = core.answer(rejudged(decision, asked), given);
        return rejudged(
          decision,
          decision.judgements.map((one, index) => ({
            ...one,
            answered_by: judgements[index]?.answered_by ?? null,
          })),
        );
      },
    }),
  },
  {
    mistake: 'an answer to a question that wants a person may be kept',
    dies: 'answers a question that wants a person',
    engine: () => ({
      ...core,
      keepable: (questions, policies) =>
        core.keepable(
          questions.map((one) => ({ ...one, answer: 'any' })),
          policies,
        ),
    }),
  },
  {
    mistake: 'a kept answer counts when its time is up',
    dies: 'for every way that undecided rules may turn out',
    engine: () => withKept((kept) => ({ ...kept, until: Number.POSITIVE_INFINITY })),
  },
  {
    mistake: 'a kept answer answers policies that came after it',
    dies: 'for every way that undecided rules may turn out',
    engine: () => withKept((kept, names) => ({ ...kept, policies: names })),
  },
  {
    mistake: 'decisions are remembered by tool and capability names, without the facts',
    dies: 'replaying a log',
    engine: () => {
      const known = new Map<string, ReturnType<Engine['decide']>>();
      return {
        ...core,
        decide: (request, policies) => {
          const key = [request.tool, ...request.capabilities.map(({ name }) => name)].join(' ');
          const decision = known.get(key) ?? core.decide(request, policies);
          known.set(key, decision);
          return decision;
        },
      };
    },
  },
];

/** An engine that reads kept answers wrongly. */
function withKept(misread: (kept: KeptAnswer, policies: readonly string[]) => KeptAnswer): Engine {
  return {
    ...core,
    answer: (decision, given) => {
      const names = given.policies.map(({ name }) => name);
      const grants = given.grants.map((grant) => (grant.source === 'kept' ? misread(grant, names) : grant));
      return core.answer(decision, { ...given, grants });
    },
  };
}
