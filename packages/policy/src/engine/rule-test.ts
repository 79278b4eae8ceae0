import {
  always,
  type Capability,
  type CombinationRule,
  canonical,
  either,
  isWithin,
  membersIn,
  membersOf,
  type Request,
  type Rule,
  remembered,
  type Truth,
} from '@ambit/core';
import { partsBehind } from '../document/rule-condition.js';
import { compileCondition, conjunction, type Test, type TestOf } from './compile-condition.js';

/** One call during its judgement, with cached results about the whole call. */
export class CallInHand {
  #members: readonly Capability[] | null = null;
  #truths: Map<object, Truth> | null = null;

  constructor(
    readonly request: Request,
    /** With those that policies add. */
    readonly capabilities: readonly Capability[],
  ) {}

  /** With members in place of file sets. */
  get members(): readonly Capability[] {
    this.#members ??= membersIn(this.capabilities);
    return this.#members;
  }

  /** Values that are the same for each capability of the call are computed once. */
  once(key: object, work: () => Truth): Truth {
    this.#truths ??= new Map();
    return remembered(this.#truths, key, work);
  }
}

/** Whether a rule that concerns a canonical capability of a call applies to it. */
export type RuleTest = TestOf<Capability, CallInHand>;

/** The test of a rule that always applies. */
export const certain: RuleTest = () => true;

const tests = new WeakMap<Rule, RuleTest>();

export function testOf(rule: Rule): RuleTest {
  if (rule.about !== 'combination' && rule.condition === always) return certain;
  return remembered(tests, rule, () => compileRule(rule));
}

function compileRule(rule: Rule): RuleTest {
  const test = compileCondition(rule.condition);
  if (rule.about === 'capability') return test;
  const ofCall: RuleTest = (_, call) => call.once(rule, () => test(null, call));
  return rule.about === 'tool' ? ofCall : combinationTest(rule, ofCall);
}

interface Member {
  readonly name: string;
  readonly test: Test;
  /** What was found in a history; null if the capability alone does not decide. */
  readonly found: WeakMap<readonly Capability[], Found> | null;
}

/** The result for the first capabilities of a list, of which `last` was the last. */
interface Found {
  readonly truth: Truth;
  readonly count: number;
  readonly last?: Capability | undefined;
}

const nothing: Found = { truth: false, count: 0 };

/** Whether the combination lists the capability, and all other entries are present. */
function combinationTest(rule: CombinationRule, ofCall: RuleTest): RuleTest {
  const members = rule.members.map(({ name, condition }): Member => {
    const parts = partsBehind(condition);
    const isLasting = condition === always || (parts !== null && parts.when === null && parts.until === null);
    return { name, test: compileCondition(condition), found: isLasting ? new WeakMap() : null };
  });
  const isPresent = (member: Member) => (_: Capability, call: CallInHand) => {
    const now = presentIn(call.members, nothing, member, call);
    return now === true || rule.within === 'call' ? now : either([now, presentBefore(member, call)]);
  };
  const areAll = conjunction(members.map(isPresent));
  const isListed: RuleTest = (one, call) =>
    either(members.map(({ name, test }) => isWithin(one.name, name) && test(one, call)));
  const isComplete: RuleTest = (one, call) => call.once(members, () => areAll(one, call));
  return conjunction([...(rule.condition === always ? [] : [ofCall]), isListed, isComplete]);
}

/** A run's history is one growing list, so only new capabilities are checked. */
function presentBefore(member: Member, call: CallInHand): Truth {
  const { history } = call.request;
  // A few are checked again sooner than looked up.
  if (history.length <= 8) return presentIn(history, nothing, member, call);
  const before = member.found?.get(history) ?? nothing;
  const isKnown = before.count <= history.length && history[before.count - 1] === before.last;
  const truth = presentIn(history, isKnown ? before : nothing, member, call);
  member.found?.set(history, { truth, count: history.length, last: history.at(-1) });
  return truth;
}

/** True if one is true, otherwise the first reason. */
function presentIn(list: readonly Capability[], from: Found, member: Member, call: CallInHand): Truth {
  let first = from.truth;
  for (let at = from.count; at < list.length && first !== true; at += 1) {
    const capability = list[at] as Capability;
    if (!isWithin(capability.name, member.name)) continue;
    const here = either(membersOf(capability).map((one) => member.test(canonical(one), call)));
    if (here === true || first === false) first = here;
  }
  return first;
}
