import {
  both,
  type CallView,
  type Capability,
  type CapabilityView,
  type Condition,
  canonical,
  either,
  membersOf,
  type Request,
  type Truth,
} from '@ambit/core';
import type { Test } from './candidate.js';
import { type Combination, lists, type Member } from './combination.js';
import { FileSets, hasFileSet, type Members } from './file-sets.js';

/** One call during its judgement: what conditions see of it, created on demand, and their results. */
export class CallInHand {
  readonly #request: Request;
  readonly #capabilities: readonly Capability[];
  readonly #sets: FileSets | null;
  readonly #views: CapabilityView[] = [];
  #call: CallView | null = null;
  #ofCall: Map<Condition<CallView>, Truth> | null = null;
  #present: Map<Combination, readonly Truth[]> | null = null;

  constructor(request: Request, capabilities: readonly Capability[]) {
    this.#request = request;
    this.#sets = capabilities.some(hasFileSet) ? new FileSets(capabilities) : null;
    this.#capabilities = this.#sets?.members ?? capabilities;
  }

  /** The members of a capability with a file set; null for others. */
  setAt(index: number): Members | null {
    return this.#sets?.at(index) ?? null;
  }

  /** The index that a capability without a file set has among all members. */
  memberAt(index: number): number {
    return this.#sets === null ? index : this.#sets.start(index);
  }

  /** The result of a test for the member at this index. */
  truthOf(test: Test, index: number): Truth {
    if (test.about === 'capability') return test.condition(this.#viewAt(index));
    if (test.about === 'tool') return this.#truthOfCall(test.condition);
    return this.#truthOfCombination(test.combination, index);
  }

  #viewAt(index: number): CapabilityView {
    const known = this.#views[index];
    if (known !== undefined) return known;
    const view = this.#viewOf(this.#capabilities[index] as Capability);
    this.#views[index] = view;
    return view;
  }

  #viewOf(capability: Capability): CapabilityView {
    const { tool, toolset, worker, chain, args, context, now } = this.#request;
    return { tool, toolset, worker, chain, args, context, now, capability: canonical(capability) };
  }

  /** Once a call: it is the same for each of its capabilities. */
  #truthOfCall(condition: Condition<CallView>): Truth {
    this.#ofCall ??= new Map();
    const known = this.#ofCall.get(condition);
    if (known !== undefined) return known;
    const { tool, toolset, worker, chain, args, context, now } = this.#request;
    this.#call ??= { tool, toolset, worker, chain, args, context, now };
    const truth = condition(this.#call);
    this.#ofCall.set(condition, truth);
    return truth;
  }

  #truthOfCombination(combination: Combination, index: number): Truth {
    const { name } = this.#capabilities[index] as Capability;
    const listed = either(
      combination.members.map(
        (member) => lists(member, name) && (member.isPlain || member.condition(this.#viewAt(index))),
      ),
    );
    if (listed === false) return false;
    return both([this.#truthOfCall(combination.condition), listed, ...this.#presenceOf(combination)]);
  }

  /** Once a call: whether each entry of a combination is present. */
  #presenceOf(combination: Combination): readonly Truth[] {
    this.#present ??= new Map();
    const known = this.#present.get(combination);
    if (known !== undefined) return known;
    const truths = combination.members.map((member) => this.#isPresent(member, combination.within === 'run'));
    this.#present.set(combination, truths);
    return truths;
  }

  #isPresent(member: Member, withHistory: boolean): Truth {
    let first: Truth = false;
    for (let index = 0; index < this.#capabilities.length; index += 1) {
      if (!lists(member, (this.#capabilities[index] as Capability).name)) continue;
      const truth = member.isPlain || member.condition(this.#viewAt(index));
      if (truth === true) return true;
      if (first === false) first = truth;
    }
    if (!withHistory) return first;
    for (const capability of this.#request.history) {
      if (!lists(member, capability.name)) continue;
      if (member.isPlain) return true;
      for (const one of membersOf(capability)) {
        const truth = member.condition(this.#viewOf(one));
        if (truth === true) return true;
        if (first === false) first = truth;
      }
    }
    return first;
  }
}
