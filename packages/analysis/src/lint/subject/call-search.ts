import { type Capability, type NonEmpty, type Request, remembered } from '@ambit/core';
import type { WrittenPolicy, WrittenRule } from '@ambit/policy';
import { exampleCall, requestOf } from '../../exact/call.js';
import { possibilitiesOf } from '../../exact/compare.js';
import { concretise } from '../../exact/concretise.js';
import { formulasOf } from '../../exact/explore.js';
import { type FormulaId, falsehood } from '../../exact/formula/formula.js';
import { openSlot, type Slot } from '../../exact/formula/slot.js';
import {
  type CallSlots,
  carriedSlots,
  concreteSlot,
  formulaOf,
  ruleTruth,
  type Workspace,
} from '../../exact/policy-formula.js';
import { concerning, workspaceFor } from '../../exact/situation.js';
import { type AnalysedPolicy, type AnalysedRule, analysedPolicies } from '../../exact/subject-policy.js';
import { likelyCall } from '../../exact/witness/likely-call.js';
import { Work } from '../../exact/witness/work.js';

/** Without facts, the capability may have any. */
export interface Frame {
  readonly tool: string;
  readonly chain: NonEmpty<string>;
  readonly capability: Capability;
}

/** Formulas for calls that do not run, and calls that no grant lets run. */
export interface FrameDecision {
  readonly stops: FormulaId;
  readonly isFinal: FormulaId;
}

const mostSteps = 300_000;

/** Searches calls of a frame by what policies decide. */
export class CallSearch {
  readonly #policies: readonly AnalysedPolicy[];
  readonly #workspace: Workspace;
  readonly #now: number;
  readonly #rules: ReadonlyMap<string, AnalysedRule>;
  readonly #decisions = new Map<string, FrameDecision>();

  constructor(policies: readonly WrittenPolicy[], now: number | null) {
    this.#policies = analysedPolicies(policies);
    const rules = this.#policies.flatMap((policy) => policy.rules);
    this.#rules = new Map(rules.map((each) => [`${each.rule.at} ${each.rule.id}`, each]));
    this.#workspace = workspaceFor(this.#policies, new Work(mostSteps));
    this.#now = now ?? 0;
  }

  get formulas() {
    return this.#workspace.atoms.formulas;
  }

  /** Nothing is known about calls that were not found then. */
  get isDone(): boolean {
    return this.#workspace.work.isDone;
  }

  decisionOf(frame: Frame): FrameDecision {
    const key = JSON.stringify([frame.tool, frame.chain, frame.capability]);
    return remembered(this.#decisions, key, () => {
      const slots = this.#callSlotsOf(frame);
      const names = slots.call.map(({ name }) => name);
      const near = concerning(this.#policies, names);
      this.#workspace.work.spend(near.reduce((sum, { rules }) => sum + rules.length, 1));
      const side = formulaOf(near, slots, this.#workspaceOf(frame));
      return {
        stops: this.#assume(this.formulas.or(formulasOf(side)), frame),
        isFinal: this.#assume(this.formulas.or([side.blocked, side.person]), frame),
      };
    });
  }

  truthOf({ id, at }: WrittenRule, frame: Frame): FormulaId {
    const slots = this.#callSlotsOf(frame);
    const analysed = this.#rules.get(`${at} ${id}`);
    if (analysed === undefined) throw new Error(`no policy has the rule ${id} at ${at}`);
    const { isTrue } = ruleTruth(analysed, slots.call[0] as Slot, {
      slots,
      workspace: this.#workspaceOf(frame),
    });
    return this.#assume(isTrue, frame);
  }

  /** A call that satisfies all formulas and `holds`; null if none was found. Likely calls are tried first. */
  find(all: NonEmpty<FormulaId>, frame: Frame, holds: (request: Request) => boolean): Request | null {
    const formula = this.formulas.and(all);
    if (formula === falsehood) return null;
    const likely = this.#requestOf(this.#likely(all[0]), frame);
    if (holds(likely)) return likely;
    const extent = { tools: [frame.tool], worker: frame.chain[0] };
    const { findings, variables } = possibilitiesOf(formula, { workspace: this.#workspace, extent });
    for (const finding of findings) {
      const assignment = concretise(finding, variables, (tried) => {
        this.#workspace.work.spend(tried.length + 1);
        return holds(this.#requestOf(tried, frame));
      });
      if (assignment !== null) return this.#requestOf(assignment, frame);
    }
    return null;
  }

  #likely(formula: FormulaId): Assignment {
    const { atoms } = this.#workspace;
    const values = likelyCall(formula, atoms);
    const variables = this.formulas.atomsOf(formula).map((id) => atoms.get(id));
    return variables.flatMap(({ variable, variableKey }) =>
      values.has(variableKey) ? [[variable, values.get(variableKey)] as const] : [],
    );
  }

  #callSlotsOf({ tool, capability }: Frame): CallSlots {
    const slot = hasFacts(capability) ? concreteSlot(capability) : openSlot(capability.name);
    return { call: [slot, ...carriedSlots(this.#policies, tool)], history: [] };
  }

  #workspaceOf({ chain }: Frame): Workspace {
    return { ...this.#workspace, conditions: this.#workspace.conditions.forCaller(chain.join(' ')) };
  }

  #assume(formula: FormulaId, { tool, chain }: Frame): FormulaId {
    return this.#workspace.atoms.given({ tool, chain, now: this.#now })(formula);
  }

  #requestOf(assignment: Assignment, { tool, chain, capability }: Frame): Request {
    const names = { call: [capability.name], history: [] } as const;
    const call = exampleCall(assignment, names, { tool, chain });
    const capabilities = hasFacts(capability) ? ([capability] as const) : call.capabilities;
    return { ...requestOf({ ...call, tool, worker: chain, capabilities }), now: this.#now };
  }
}

type Assignment = Parameters<typeof exampleCall>[0];

function hasFacts(capability: Capability): boolean {
  return Object.keys(capability).length > 1;
}
