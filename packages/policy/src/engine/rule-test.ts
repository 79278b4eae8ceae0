import {
  always,
  both,
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
import { mayReadPath } from '../document/keys-read.js';
import { partsBehind } from '../document/rule-condition.js';
import { compileCondition, type Test } from './compile-condition.js';

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
export interface RuleTest {
  readonly truth: (capability: Capability, request: Request, call: CallInHand) => Truth;
  /** Whether it may differ between the members of a file set. */
  readonly readsPath: boolean;
}

/** The test of a rule that always applies. */
export const certain: RuleTest = { truth: () => true, readsPath: false };

const tests = new WeakMap<Rule, RuleTest>();

export function testOf(rule: Rule): RuleTest {
  if (rule.about !== 'combination' && rule.condition === always) return certain;
  return remembered(tests, rule, () => compileRule(rule));
}

function compileRule(rule: Rule): RuleTest {
  const test = compileCondition(rule.condition);
  if (rule.about === 'capability') return { truth: test, readsPath: mayReadPath(rule.condition) };
  const ofCall = (call: CallInHand) => call.once(rule, () => test(null, call.request));
  if (rule.about === 'tool') return { truth: (_, _request, call) => ofCall(call), readsPath: false };
  return combinationTest(rule, ofCall);
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
function combinationTest(rule: CombinationRule, ofCall: (call: CallInHand) => Truth): RuleTest {
  const members = rule.members.map(({ name, condition }): Member => {
    const parts = partsBehind(condition);
    const isLasting = condition === always || (parts !== null && parts.when === null && parts.until === null);
    return { name, test: compileCondition(condition), found: isLasting ? new WeakMap() : null };
  });
  const isPresent = (member: Member, { members: carried, request }: CallInHand): Truth => {
    const now = presentIn(carried, nothing, { member, request });
    return now === true || rule.within === 'call' ? now : either([now, presentBefore(member, request)]);
  };
  const truth: RuleTest['truth'] = (capability, request, call) => {
    let listed: Truth = false;
    for (const { name, test } of members)
      if (listed !== true && isWithin(capability.name, name))
        listed = either([listed, test(capability, request)]);
    if (listed === false) return false;
    const isComplete = () => both(members.map((member) => isPresent(member, call)));
    return both([ofCall(call), listed, call.once(members, isComplete)]);
  };
  return { truth, readsPath: rule.members.some(({ condition }) => mayReadPath(condition)) };
}

/** A run's history is one growing list, so only new capabilities are checked. */
function presentBefore(member: Member, request: Request): Truth {
  const { history } = request;
  const before = member.found?.get(history) ?? nothing;
  const isKnown = before.count <= history.length && history[before.count - 1] === before.last;
  const truth = presentIn(history, isKnown ? before : nothing, { member, request });
  member.found?.set(history, { truth, count: history.length, last: history.at(-1) });
  return truth;
}

/** True if one is true, otherwise the first reason. */
function presentIn(
  list: readonly Capability[],
  { truth, count }: Found,
  { member, request }: { readonly member: Member; readonly request: Request },
): Truth {
  let first = truth;
  for (let at = count; at < list.length && first !== true; at += 1) {
    const capability = list[at] as Capability;
    if (!isWithin(capability.name, member.name)) continue;
    const here = either(membersOf(capability).map((one) => member.test(canonical(one), request)));
    if (here === true || first === false) first = here;
  }
  return first;
}
