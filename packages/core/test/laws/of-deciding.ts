import fc from 'fast-check';
import {
  asksIfUndecided,
  type CallDecision,
  type Capability,
  equalJson,
  fileSetOf,
  type Json,
  type NonEmpty,
  opaque,
  type Policy,
  type Request,
  type Rule,
  strictest,
} from '../../src/index.js';
import { capability } from '../arbitrary/capability.js';
import { type Case, someCase } from '../arbitrary/case.js';
import { anyRule, capabilityRule, combinationRule, policyCalled, toolRule } from '../arbitrary/policy.js';
import { workers } from '../arbitrary/universe.js';
import { decisionOn, isLooser } from '../engine.js';
import { changedRule, withRule } from './change.js';
import { type Law, law } from './law.js';

const seed = fc.nat();

export const lawsOfDeciding: readonly Law[] = [
  law(
    'the decision does not depend on the order of rules, files, policies or capabilities',
    fc.record({ given: someCase(), seed }),
    (engine, { given, seed }) =>
      isSameSaid(decisionOn(engine, given), decisionOn(engine, shuffled(given, seed))),
  ),
  law(
    'it does not depend on repetition of any of them',
    fc.record({ given: someCase(), seed }),
    (engine, { given, seed }) =>
      isSameSaid(decisionOn(engine, given), decisionOn(engine, repeated(given, seed))),
  ),
  law(
    'another policy never loosens a decision (attenuation)',
    fc.record({ given: someCase(), policy: policyCalled('added.yaml'), isFirst: fc.boolean() }),
    (engine, { given, policy, isFirst }) => {
      const policies: NonEmpty<Policy> = isFirst ? [policy, ...given.policies] : [...given.policies, policy];
      return !isLooser(decisionOn(engine, { ...given, policies }), decisionOn(engine, given));
    },
  ),
  law(
    'another capability never loosens a decision on a call that carries at least one',
    fc.record({ given: someCase(), capability, isFirst: fc.boolean() }),
    (engine, { given, capability, isFirst }) => {
      const { capabilities } = given.request;
      const more: NonEmpty<Capability> = isFirst
        ? [capability, ...capabilities]
        : [...capabilities, capability];
      return !isLooser(decisionOn(engine, withCapabilities(given, more)), decisionOn(engine, given));
    },
  ),
  law(
    'another `blocked` rule never loosens a decision, and another rule of any kind never loosens a judgement, before grants, further than to its own decision',
    fc.record({ given: someCase(), rule: anyRule().filter(isNotAboutOpacity), place: seed }),
    (engine, { given, rule, place }) => {
      const blocking = withRule(given, { ...rule, decision: 'blocked' }, place);
      if (isLooser(decisionOn(engine, blocking), decisionOn(engine, given))) return false;
      const after = engine.decide(given.request, withRule(given, rule, place).policies);
      return engine.decide(given.request, given.policies).judgements.every((before) => {
        const now = after.judgements.find(isAbout(before));
        const floor = before.decision === strictest([before.decision, rule.decision]) ? rule : before;
        return now !== undefined && now.decision === strictest([now.decision, floor.decision]);
      });
    },
  ),
  law(
    'a permission without `below` changes no judgement of a capability of another name',
    fc.record({ given: someCase(), rule: capabilityRule().filter(isNotAboutOpacity), place: seed }),
    (engine, { given, rule, place }) => {
      const permission = { ...rule, decision: 'pre_approved', below: false } as const;
      const [before, after] = [given, withRule(given, permission, place)].map(({ request, policies }) =>
        engine.decide(request, policies),
      );
      if (before === undefined || after === undefined) return false;
      const others = ({ capabilities, judgements }: CallDecision) =>
        judgements.filter((judgement) => capabilities[judgement.capability]?.name !== rule.name);
      return equalJson(others(before) as unknown as Json, others(after) as unknown as Json);
    },
  ),
  law(
    'a tool rule that restricts, a combination, and an inherited rule never loosen a decision',
    fc.record({
      given: someCase(),
      rule: toolRule(),
      combination: combinationRule(),
      inherited: anyRule().filter(isNotAboutOpacity),
      decision: fc.constantFrom('needs_approval', 'blocked'),
      place: seed,
    }),
    (engine, { given, rule, combination, inherited, decision, place }) => {
      const before = decisionOn(engine, given);
      const ancestors = given.request.chain.filter((worker) => worker !== given.request.worker);
      const added = [
        { ...rule, decision },
        { ...combination, decision },
        ...ancestors.map((worker) => ({ ...inherited, worker, decision, inherit: true })),
      ];
      return added.every((one) => !isLooser(decisionOn(engine, withRule(given, one, place)), before));
    },
  ),
  law(
    'another worker in front of the chain never loosens a decision, except for conditions that read `chain` (which `check` points out)',
    fc.record({ given: someCase({ chain: true }), worker: fc.constantFrom(...workers) }),
    (engine, { given, worker }) => {
      const chain: NonEmpty<string> = [worker, ...given.request.chain];
      // An answer that a person gave to the longer chain is an answer to another question.
      const grants = given.grants.filter((grant) => !('chain' in grant) || !equalJson(grant.chain, chain));
      const longer = { ...given, grants, request: { ...given.request, chain } };
      return !isLooser(decisionOn(engine, longer), decisionOn(engine, { ...given, grants }));
    },
  ),
  law(
    'more history never loosens a decision',
    fc.record({ given: someCase(), more: fc.array(capability, { minLength: 1, maxLength: 3 }) }),
    (engine, { given, more }) => {
      const request = { ...given.request, history: [...given.request.history, ...more] };
      return !isLooser(decisionOn(engine, { ...given, request }), decisionOn(engine, given));
    },
  ),
  law(
    "a rule whose condition is undecided gives the stricter of the two decisions it would give if its condition were true or false, or at least a person's question where it is a block that says `undecided: needs_approval`",
    fc.record({ given: someCase(), rule: anyRule(), place: seed }),
    (engine, { given, rule, place }) => {
      const withTruth = (truth: boolean | { undecided: string }) =>
        decisionOn(
          engine,
          withRule(
            given,
            changedRule(rule, () => truth),
            place,
          ),
        );
      const [undecided, held, not] = [
        withTruth({ undecided: 'nobody knows' }),
        withTruth(true),
        withTruth(false),
      ];
      if (!asksIfUndecided(rule)) return undecided.decision === strictest([held.decision, not.decision]);
      const isSpoken = held.judgements.some(({ rules, undecided: open }) =>
        [...rules, ...open].some(({ id }) => id === rule.id),
      );
      return isSpoken
        ? undecided.decision === strictest(['needs_approval', not.decision]) && isAskingPerson(undecided)
        : undecided.decision === not.decision;
    },
  ),
  law(
    'taking a fact away never loosens a decision, except for rules that speak about absence and for blocks that say `undecided: needs_approval`, which then ask a person',
    fc.record({ given: someCase({ absence: true }), which: seed, fact: fc.constantFrom('path', 'bytes') }),
    (engine, { given, which, fact }) => {
      const { capabilities } = given.request;
      const taken = capabilities[which % capabilities.length] as Capability;
      // A kept answer to a call without the fact is an answer to that call; one that covers the name covers both, but
      // never an open set that may have members anywhere.
      const isOpen = fact === 'path' && fileSetOf(taken.path)?.open === true;
      const grants = given.grants.filter(
        (grant) => !('reach' in grant) || (grant.reach === 'capability' && !isOpen),
      );
      const less = capabilities.map((one, index) =>
        index === which % capabilities.length ? withoutFact(one, fact) : one,
      ) as unknown as NonEmpty<Capability>;
      const fewer = { ...withCapabilities(given, less), grants };
      const now = decisionOn(engine, fewer);
      if (!isLooser(now, decisionOn(engine, { ...given, grants }))) return true;
      return asksSomewhere(given) && isAskingPerson(now);
    },
  ),
  law(
    'a policy `{default: pre_approved}` with no rules is neutral',
    fc.record({ given: someCase(), policy: policyCalled('added.yaml'), isFirst: fc.boolean() }),
    (engine, { given, policy, isFirst }) => {
      const neutral: Policy = {
        ...policy,
        default: { decision: 'pre_approved', answer: 'any' },
        rules: [],
        carries: [],
      };
      const policies: NonEmpty<Policy> = isFirst
        ? [neutral, ...given.policies]
        : [...given.policies, neutral];
      const [before, after] = [decisionOn(engine, given), decisionOn(engine, { ...given, policies })];
      const judgements = after.judgements.filter((judgement) => judgement.policy !== neutral.name);
      return equalJson({ ...after, judgements } as unknown as Json, before as unknown as Json);
    },
  ),
];

/** Whether a person's question is open, so that nothing but a person answers the call, or it is blocked. */
function isAskingPerson({ decision, judgements }: CallDecision): boolean {
  return decision === 'blocked' || judgements.some(({ answer }) => answer === 'person');
}

/** Whether a block has `undecided: needs_approval`. */
function asksSomewhere({ policies }: Case): boolean {
  return policies.some(({ rules }) => rules.some(asksIfUndecided));
}

/** A rule for `proc.exec.opaque` itself, for everybody, replaces the implied one, so it may loosen a decision. */
function isNotAboutOpacity(rule: Rule): boolean {
  return rule.about !== 'capability' || rule.name !== opaque || rule.worker !== null;
}

function isAbout(one: { capability: number; policy: string }) {
  return (other: { capability: number; policy: string }) =>
    other.capability === one.capability && other.policy === one.policy;
}

/** The same decision, and the same judgements in whatever order, each once. */
function isSameSaid(one: CallDecision, other: CallDecision): boolean {
  return one.decision === other.decision && equalJson(saidBy(one), saidBy(other));
}

function saidBy({ capabilities, judgements }: CallDecision): Json {
  const lines = judgements.map((judgement) => {
    const { policy, decision, default: isDefault, answer, answered_by } = judgement;
    const about = Object.entries(capabilities[judgement.capability] ?? {})
      .map(([fact, value]) => `${fact}=${JSON.stringify(value)}`)
      .sort();
    const rules = [...judgement.rules, ...judgement.undecided].map((rule) => rule.id).sort();
    const isAnswered = answered_by !== null;
    return JSON.stringify({
      about,
      policy,
      decision,
      isDefault,
      answer,
      isAnswered,
      rules: [...new Set(rules)],
    });
  });
  return [...new Set(lines)].sort();
}

function withCapabilities(given: Case, capabilities: NonEmpty<Capability>): Case {
  return { ...given, request: { ...given.request, capabilities } satisfies Request };
}

function withoutFact(one: Capability, fact: string): Capability {
  return Object.fromEntries(Object.entries(one).filter(([key]) => key !== fact)) as unknown as Capability;
}

function shuffled({ request, policies, grants }: Case, seed: number): Case {
  const mixed = <T>(list: readonly T[]) => rotated([...list].reverse(), seed);
  return {
    request: { ...request, capabilities: mixed(request.capabilities) as unknown as NonEmpty<Capability> },
    policies: mixed(policies).map((policy) => ({
      ...policy,
      rules: mixed(policy.rules),
      carries: mixed(policy.carries),
    })) as unknown as NonEmpty<Policy>,
    grants: mixed(grants),
  };
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const cut = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(cut), ...list.slice(0, cut)];
}

function repeated({ request, policies, grants }: Case, seed: number): Case {
  const twice = <T>(list: readonly T[]) => [...list, ...rotated(list, seed)];
  const stuttering = policies.map((policy) => ({
    ...policy,
    rules: twice(policy.rules),
    carries: twice(policy.carries),
  }));
  return {
    request: { ...request, capabilities: twice(request.capabilities) as unknown as NonEmpty<Capability> },
    policies: twice(stuttering) as unknown as NonEmpty<Policy>,
    grants: twice(grants),
  };
}
