import {
  always,
  both,
  type Capability,
  type CombinationRule,
  either,
  isWithin,
  membersOf,
  type Truth,
} from '@ambit/core';
import { partsBehind } from '../document/rule-condition.js';
import type { CallInHand } from './call-in-hand.js';
import { compileCondition, type Test } from './condition/compile-condition.js';
import { nothing } from './condition/facts.js';

/** An entry of a combination. */
interface Member {
  readonly name: string;
  readonly test: Test;
  /** Whether the capability alone decides, so that an earlier result still holds. */
  readonly isLasting: boolean;
}

/** Whether a combination applies to one capability of a call: it lists it, and all the rest is present. */
export function compileCombination(rule: CombinationRule) {
  const ofCall = rule.condition === always ? always : compileCondition(rule.condition);
  const members = rule.members.map(({ name, condition }): Member => {
    const parts = partsBehind(condition);
    const isLasting = condition === always || (parts !== null && parts.when === null && parts.until === null);
    return { name, test: condition === always ? always : compileCondition(condition), isLasting };
  });
  return (capability: Capability, call: CallInHand): Truth => {
    const listed = either(members.map((member) => truthFor(member, capability, call)));
    if (listed === false) return false;
    const present = members.map((member) => call.once(member, () => presence(member, call, rule.within)));
    return both([call.once(rule, () => ofCall(nothing, call)), listed, ...present]);
  };
}

function truthFor({ name, test }: Member, capability: Capability, call: CallInHand): Truth {
  return isWithin(capability.name, name) ? test(capability, call) : false;
}

function presence(member: Member, call: CallInHand, within: 'call' | 'run'): Truth {
  const now = seenIn(call.members, { truth: false, from: 0 }, { member, call });
  return now === true || within === 'call' ? now : either([now, presenceBefore(member, call)]);
}

/** What was found in the first capabilities of a history, the last of which was `last`. */
interface Found {
  readonly truth: Truth;
  readonly from: number;
  readonly last?: Capability | undefined;
}

/** A run's history is one list that only grows: only what is new is looked at. */
const found = new WeakMap<readonly Capability[], WeakMap<Member, Found>>();

function presenceBefore(member: Member, call: CallInHand): Truth {
  const { history } = call;
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

/** True if one is, else the first reason. */
function seenIn(
  list: readonly Capability[],
  { truth, from }: Found,
  { member, call }: { readonly member: Member; readonly call: CallInHand },
): Truth {
  let first = truth;
  for (let at = from; at < list.length && first !== true; at += 1) {
    const capability = list[at] as Capability;
    if (!isWithin(capability.name, member.name)) continue;
    const here = either(membersOf(capability).map((one) => member.test(one, call)));
    if (here === true || first === false) first = here;
  }
  return first;
}
