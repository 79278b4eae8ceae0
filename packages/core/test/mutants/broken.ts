import {
  type CallDecision,
  type Capability,
  type Decision,
  isStricter,
  type NonEmpty,
  type Policy,
  type Request,
  type Rule,
  settle,
} from '../../src/index.js';
import { core, type Engine } from '../engine.js';

/** What a broken engine takes a policy to say about one capability of a call. */
export type Misreading = (
  policy: Policy,
  about: { readonly capability: Capability; readonly request: Request; readonly policies: NonEmpty<Policy> },
) => Partial<Policy>;

/** An engine that judges each capability by core's rules, but reads each policy wrongly. */
export function misreading(misread: Misreading): Engine {
  return judgingEach((capability, request, policies) => {
    const read = policies.map((policy) => ({
      ...policy,
      ...misread(policy, { capability, request, policies }),
      carries: [],
    })) as unknown as NonEmpty<Policy>;
    return core.decide({ ...request, capabilities: [capability] }, read);
  });
}

/** An engine that judges calls whole, but reads each policy wrongly. */
export function misreadingAll(misread: (policy: Policy) => Partial<Policy>): Engine {
  return {
    ...core,
    decide: (request, policies) =>
      core.decide(
        request,
        policies.map((policy) => ({ ...policy, ...misread(policy) })) as unknown as NonEmpty<Policy>,
      ),
  };
}

/** An engine that decides each capability by itself, and joins the judgements. */
export function judgingEach(
  judge: (capability: Capability, request: Request, policies: NonEmpty<Policy>) => CallDecision,
): Engine {
  const decide: Engine['decide'] = (request, policies) => {
    const whole = core.decide(request, policies);
    const judgements = whole.capabilities.flatMap((capability, index) =>
      judge(capability, request, policies).judgements.map((one) => ({ ...one, capability: index })),
    );
    return { ...whole, decision: settle(judgements), judgements };
  };
  return { ...core, decide };
}

/** An engine that changes what core decided. */
export function afterwards(
  change: (decision: CallDecision, request: Request, policies: NonEmpty<Policy>) => CallDecision,
): Engine {
  return {
    ...core,
    decide: (request, policies) => change(core.decide(request, policies), request, policies),
  };
}

/** An engine that draws another conclusion from the judgements that core made. */
export function concluding(
  conclude: (decision: CallDecision, policies: NonEmpty<Policy>) => Decision,
): Engine {
  return {
    ...core,
    answer: (decision, given) => {
      const after = core.answer(decision, given);
      return { ...after, decision: conclude(after, given.policies) };
    },
  };
}

/** The most lenient of several decisions. */
export function mostLenient(decisions: readonly Decision[]): Decision {
  return decisions.reduce((one, other) => (isStricter(one, other) ? other : one));
}

/** Whether a rule applies for certain to a capability of a call. */
export function applies(rule: Rule, capability: Capability, request: Request): boolean {
  const alone: Policy = {
    name: 'alone',
    default: { decision: 'pre_approved', answer: 'any' },
    rules: [rule],
    carries: [],
    admits: { workers: false, remember: 'call', reach: 'call', unattended: false },
  };
  const { judgements } = core.decide({ ...request, capabilities: [capability] }, [alone]);
  return judgements.some(
    ({ policy, rules, answered_by }) => policy === 'alone' && (rules.length > 0 || answered_by !== null),
  );
}

/** The decision with other judgements. */
export function rejudged(decision: CallDecision, judgements: CallDecision['judgements']): CallDecision {
  return { ...decision, decision: settle(judgements), judgements };
}
