import {
  always,
  both,
  type Capability,
  type CombinationRule,
  type Condition,
  canonical,
  either,
  fileSetOf,
  isWithin,
  membersOf,
  type Request,
  type Rule,
  type Truth,
} from '@ambit/core';
import { mayReadPath } from '../document/keys-read.js';
import { partsBehind } from '../document/rule-condition.js';
import { compileCondition } from './condition/compile-condition.js';
import type { Test } from './condition/compile-when.js';

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
    const { capabilities } = this;
    this.#members ??= capabilities.some(isFileSet) ? capabilities.flatMap(membersOf) : capabilities;
    return this.#members;
  }

  /** Values that are the same for each capability of the call are computed once. */
  once(key: object, work: () => Truth): Truth {
    this.#truths ??= new Map();
    const known = this.#truths.get(key);
    if (known !== undefined) return known;
    const truth = work();
    this.#truths.set(key, truth);
    return truth;
  }
}

export function isFileSet({ path }: Capability): boolean {
  return typeof path === 'object' && fileSetOf(path) !== null;
}

/** Whether a rule that concerns a canonical capability of a call applies to it. */
export interface RuleTest {
  readonly truth: (capability: Capability, call: CallInHand) => Truth;
  /** Whether it may differ between the members of a file set. */
  readonly readsPath: boolean;
}

export function compileRule(rule: Rule): RuleTest {
  const test = testOf(rule.condition);
  const readsPath = mayReadPath(rule.condition);
  if (rule.about === 'capability')
    return { readsPath, truth: (capability, { request }) => test(capability, request) };
  const ofCall = (call: CallInHand) => call.once(rule, () => test(null, call.request));
  if (rule.about === 'tool') return { readsPath: false, truth: (_, call) => ofCall(call) };
  return combinationTest(rule, ofCall);
}

interface Member {
  readonly name: string;
  readonly test: Test;
  /** Whether the capability alone decides, so that an earlier result still holds. */
  readonly isLasting: boolean;
}

/** Whether the combination lists the capability, and all other entries are present. */
function combinationTest(rule: CombinationRule, ofCall: (call: CallInHand) => Truth): RuleTest {
  const members = rule.members.map(({ name, condition }): Member => {
    const parts = partsBehind(condition);
    const isLasting = condition === always || (parts !== null && parts.when === null && parts.until === null);
    return { name, test: testOf(condition), isLasting };
  });
  const isPresent = (member: Member, call: CallInHand): Truth => {
    const now = seenIn(call.members, { truth: false, from: 0 }, { member, call });
    return now === true || rule.within === 'call' ? now : either([now, presenceBefore(member, call)]);
  };
  const truth = (capability: Capability, call: CallInHand): Truth => {
    const own = members.filter(({ name }) => isWithin(capability.name, name));
    const listed = either(own.map(({ test }) => test(capability, call.request)));
    if (listed === false) return false;
    const present = members.map((member) => call.once(member, () => isPresent(member, call)));
    return both([ofCall(call), listed, ...present]);
  };
  return { truth, readsPath: rule.members.some(({ condition }) => mayReadPath(condition)) };
}

function testOf(condition: Condition<never>): Test {
  return condition === always ? () => true : compileCondition(condition);
}

/** The result for the first capabilities of a history, of which `last` was the last. */
interface Found {
  readonly truth: Truth;
  readonly from: number;
  readonly last?: Capability | undefined;
}

/** A run's history is one growing list, so only new capabilities are checked. */
const found = new WeakMap<readonly Capability[], WeakMap<Member, Found>>();

function presenceBefore(member: Member, call: CallInHand): Truth {
  const { history } = call.request;
  const known = found.get(history) ?? new WeakMap<Member, Found>();
  const before = known.get(member);
  const isKnown =
    before !== undefined && before.from <= history.length && history[before.from - 1] === before.last;
  const truth = seenIn(history, isKnown ? before : { truth: false, from: 0 }, { member, call });
  if (member.isLasting && history.length > 0) {
    known.set(member, { truth, from: history.length, last: history.at(-1) });
    found.set(history, known);
  }
  return truth;
}

/** True if one is true, otherwise the first reason. */
function seenIn(
  list: readonly Capability[],
  { truth, from }: Found,
  { member, call }: { readonly member: Member; readonly call: CallInHand },
): Truth {
  let first = truth;
  for (let at = from; at < list.length && first !== true; at += 1) {
    const capability = list[at] as Capability;
    if (!isWithin(capability.name, member.name)) continue;
    const here = either(membersOf(capability).map((one) => member.test(canonical(one), call.request)));
    if (here === true || first === false) first = here;
  }
  return first;
}
