import {
  type Acting,
  type AnswerableBy,
  asksIfUndecided,
  type Capability,
  canonical,
  carriedCapabilities,
  type Decision,
  isAboutName,
  isAboutTool,
  isForChain,
  isRestriction,
  isStandingGrant,
  isWithin,
  membersIn,
  type Rule,
  replacesDefault,
} from '@ambit/core';

import type { Atoms } from './formula/atom.js';
import { type Clauses, clauseOf } from './formula/clause.js';
import type { ConditionFormulas } from './formula/condition-formula.js';
import { certainly, type FormulaId, falsehood, never, type ThreeValued } from './formula/formula.js';
import type { Slot } from './formula/slot.js';
import type { Value } from './formula/variable.js';
import {
  type AnalysedMember,
  type AnalysedPolicy,
  type AnalysedRule,
  isCombination,
} from './subject-policy.js';
import type { WitnessCache } from './witness/cells.js';
import type { Work } from './witness/work.js';

/** When policies block a call, require a person, or ask a question that others may answer. */
export interface PolicyFormula {
  readonly blocked: FormulaId;
  readonly person: FormulaId;
  /** By clause, ascending. */
  readonly questions: readonly (readonly [clause: number, when: FormulaId])[];
}

/** The capabilities of a call and of its history. */
export interface CallSlots {
  readonly call: readonly Slot[];
  readonly history: readonly Slot[];
}

/** What the formulas of one analysis share. */
export interface Workspace {
  readonly atoms: Atoms;
  readonly conditions: ConditionFormulas;
  readonly clauses: Clauses;
  readonly cache: WitnessCache;
  readonly work: Work;
}

/** `any` and `person` say who answers. */
type Level = 'any' | 'person' | 'blocked';

/** The strictest judgement of every policy over every capability, as formulas. */
export function formulaOf(
  policies: readonly AnalysedPolicy[],
  slots: CallSlots,
  workspace: Workspace,
): PolicyFormula {
  const { formulas } = workspace.atoms;
  const [blocked, person]: [FormulaId[], FormulaId[]] = [[], []];
  const questions = new Map<number, FormulaId[]>();
  for (const slot of slots.call) {
    for (const policy of policies) {
      const levels = levelsOf(policy, slot, { slots, workspace });
      blocked.push(levels.blocked);
      person.push(levels.person);
      for (const [clause, when] of askedOf(policy, slot, { asks: levels.any, workspace }))
        questions.set(clause, [...(questions.get(clause) ?? []), when]);
    }
  }
  return {
    blocked: formulas.or(blocked),
    person: formulas.or(person),
    questions: [...questions]
      .map(([clause, when]) => [clause, formulas.or(when)] as const)
      .filter(([, when]) => when !== falsehood)
      .sort(([one], [other]) => one - other),
  };
}

interface Context {
  readonly slots: CallSlots;
  readonly workspace: Workspace;
}

function levelsOf(policy: AnalysedPolicy, slot: Slot, context: Context): Record<Level, FormulaId> {
  const { formulas } = context.workspace.atoms;
  const said: Record<Level, FormulaId[]> = { any: [], person: [], blocked: [] };
  const covered: FormulaId[] = [];
  const granted: FormulaId[] = [];
  for (const analysed of policy.rules) {
    const { rule } = analysed;
    const condition = ruleTruth(analysed, slot, context);
    if (condition.isNotFalse === falsehood) continue;
    if (isStandingGrant(rule)) granted.push(condition.isTrue);
    else {
      if (asksIfUndecided(rule)) {
        said.blocked.push(condition.isTrue);
        said.person.push(condition.isNotFalse);
      } else {
        const level = levelOf(rule.decision, rule.answer);
        if (level !== null) said[level].push(condition.isNotFalse);
      }
      if (rule.about === 'capability')
        covered.push(formulas.and([condition.isTrue, isOwn(rule, context.workspace)]));
    }
  }
  const { default: standard } = policy.policy;
  const level = levelOf(standard.decision, standard.answer);
  if (level !== null) said[level].push(formulas.not(formulas.or(covered)));
  return {
    blocked: formulas.or(said.blocked),
    person: formulas.or(said.person),
    any: formulas.and([formulas.or(said.any), formulas.not(formulas.or(granted))]),
  };
}

function levelOf(decision: Decision, answer: AnswerableBy): Level | null {
  if (decision === 'pre_approved') return null;
  return decision === 'blocked' ? 'blocked' : answer;
}

export function ruleTruth(analysed: AnalysedRule, slot: Slot, { slots, workspace }: Context): ThreeValued {
  const { rule, match, except, when, until } = analysed;
  const { conditions, atoms } = workspace;
  const { formulas } = atoms;
  if (isCombination(analysed)) {
    const listed = analysed.members.map((member) => memberTruth(member, slot, conditions));
    if (listed.every((truthOfMember) => truthOfMember === never)) return never;
    const present = analysed.rule.within === 'run' ? [...slots.call, ...slots.history] : slots.call;
    const presence = analysed.members.map((member) =>
      formulas.any(present.map((other) => memberTruth(member, other, conditions))),
    );
    return formulas.all([
      isHeard(rule, workspace),
      conditions.when(when?.expression ?? null, null),
      formulas.any(listed),
      ...presence,
    ]);
  }
  if (!isAboutName(rule, slot.name)) return never;
  const concerned = [isHeard(rule, workspace), isOfTool(rule, workspace), conditions.until(until)];
  if (rule.about === 'tool')
    return formulas.all([...concerned, conditions.when(when?.expression ?? null, null)]);
  return formulas.all([
    ...concerned,
    conditions.match(match, slot),
    conditions.except(except, slot),
    conditions.when(when?.expression ?? null, slot),
  ]);
}

/** Whether a member of a combination, or of an invariant, is this capability. */
export function memberTruth(member: AnalysedMember, slot: Slot, conditions: ConditionFormulas): ThreeValued {
  if (!isWithin(slot.name, member.name)) return never;
  if (member.match === null && member.except === null) return certainly;
  const parts = [conditions.match(member.match, slot), conditions.except(member.except, slot)];
  return conditions.atoms.formulas.all(parts);
}

function isHeard(rule: Rule, workspace: Workspace): ThreeValued {
  const key = `heard ${rule.worker} ${isRestriction(rule)} ${rule.inherit}`;
  return ofActing(rule, (acting) => isForChain(rule, acting), { key, workspace });
}

export function isOwn(rule: Rule, workspace: Workspace): FormulaId {
  const key = `own ${rule.worker}`;
  return ofActing(rule, ({ worker }) => replacesDefault(rule, worker), { key, workspace }).isTrue;
}

/** A rule without a worker is about all of them. */
function ofActing(
  { worker }: Rule,
  holds: (acting: Acting) => boolean,
  { key, workspace }: { readonly key: string; readonly workspace: Workspace },
): ThreeValued {
  if (worker === null) return certainly;
  const cuts = [{ cut: 'worker', name: worker }] as const;
  const truth = (chain: Value) => holds(actingOf(chain));
  return workspace.atoms.ask({ variable: { kind: 'chain' }, cuts, truth }, key);
}

function actingOf(chain: Value): Acting {
  const members = chain as readonly string[];
  return { worker: members.at(-1) ?? '', chain: members };
}

function isOfTool(rule: Rule, { atoms }: Workspace): ThreeValued {
  if (rule.about !== 'tool') return certainly;
  return ofTool(atoms, (tool) => isAboutTool(rule, tool), `named ${rule.name}`);
}

function ofTool(atoms: Atoms, holds: (tool: string) => boolean, key: string): ThreeValued {
  return atoms.ask({ variable: { kind: 'tool' }, truth: (tool) => holds(tool as string) }, key);
}

/** The questions, by their accepted answers: worker files may answer for some tools only. */
function askedOf(
  { policy }: AnalysedPolicy,
  slot: Slot,
  { asks, workspace }: { readonly asks: FormulaId; readonly workspace: Workspace },
): readonly (readonly [number, FormulaId])[] {
  if (asks === falsehood) return [];
  const { clauses, atoms } = workspace;
  const { workers } = policy.admits;
  const name = slot.index === null ? JSON.stringify(slot.capability) : String(slot.index);
  const clause = (isAdmitted: boolean) => clauses.intern(clauseOf(policy.admits, name, isAdmitted));
  if (typeof workers === 'boolean') return [[clause(workers), asks]];
  const key = `one of ${JSON.stringify([...workers].sort())}`;
  const isListed = ofTool(atoms, (tool) => workers.includes(tool), key).isTrue;
  return [
    [clause(true), atoms.formulas.and([asks, isListed])],
    [clause(false), atoms.formulas.and([asks, atoms.formulas.not(isListed)])],
  ];
}

export function carriedSlots(policies: readonly AnalysedPolicy[], tool: string): readonly Slot[] {
  return policies.flatMap(({ policy }) => membersIn(carriedCapabilities(policy, tool)).map(concreteSlot));
}

export function concreteSlot(capability: Capability): Slot {
  return { index: null, name: capability.name, isFresh: false, capability: canonical(capability) };
}
