import { groupedBy, isAboutName } from '@ambit/core';
import { keysOf, textsIn } from '@ambit/policy/internal';
import { type ExampleCall, exampleCall } from './call.js';
import type { Finding } from './explore.js';
import { Atoms } from './formula/atom.js';
import { Clauses } from './formula/clause.js';
import { ConditionFormulas } from './formula/condition-formula.js';
import { Formulas } from './formula/formula.js';
import { openSlot } from './formula/slot.js';
import type { Variable } from './formula/variable.js';
import {
  type CallSlots,
  carriedSlots,
  formulaOf,
  type PolicyFormula,
  type Workspace,
} from './policy-formula.js';
import { type AnalysedPolicy, type AnalysedRule, keeping } from './subject-policy.js';
import { type NameClass, nameClasses, toolClasses } from './vocabulary-of.js';
import type { Extent } from './witness/cells.js';
import { workerBeside } from './witness/chain-classes.js';
import { Work } from './witness/work.js';

/** Kinds of calls: what they carry, and by which tools. */
export interface Situation {
  readonly call: readonly NameClass[];
  readonly history: readonly NameClass[];
  readonly extent: Extent;
}

/** All calls that an analysis looks at. */
export interface CallSpace {
  readonly workspace: Workspace;
  readonly names: readonly NameClass[];
  readonly extents: readonly Extent[];
}

export function callSpaceOf(sets: readonly (readonly AnalysedPolicy[])[]): CallSpace {
  const policies = sets.flat();
  const worker = workerBeside(workersNamed(policies));
  const groups = groupedBy(toolClasses(policies), (tool) =>
    JSON.stringify(sets.map((set) => carriedSlots(set, tool))),
  );
  return {
    workspace: workspaceFor(policies, new Work()),
    names: nameClasses(policies),
    extents: [...groups.values()].map((tools) => ({ tools, worker })),
  };
}

export function workspaceFor(policies: readonly AnalysedPolicy[], work: Work): Workspace {
  const atoms = new Atoms(new Formulas());
  const conditions = new ConditionFormulas(atoms, entanglement(policies));
  return { atoms, conditions, clauses: new Clauses(), cache: new Map(), work };
}

export function formulaIn(
  situation: Situation,
  policies: readonly AnalysedPolicy[],
  workspace: Workspace,
): PolicyFormula {
  return formulaOf(policies, callSlotsOf(situation, policies), workspace);
}

export function callSlotsOf(
  { call, history, extent }: Situation,
  policies: readonly AnalysedPolicy[],
): CallSlots {
  const slots = [...call, ...history].map(({ name, isFresh }, index) => openSlot(name, index, isFresh));
  return {
    call: [...slots.slice(0, call.length), ...carriedSlots(policies, extent.tools[0] as string)],
    history: slots.slice(call.length),
  };
}

/** The policies with only those rules that can speak about calls that carry nothing but these names. */
export function concerning(
  policies: readonly AnalysedPolicy[],
  names: readonly string[],
): readonly AnalysedPolicy[] {
  return keeping(policies, (rule) => concerns(rule, names));
}

export function concerns({ rule }: AnalysedRule, names: readonly string[]): boolean {
  return names.some((name) => isAboutName(rule, name));
}

/** `fs.read`, `anything else under net together with secret.read`. */
export function situationInWords({ call, history }: Situation): string {
  const carried = call.map(nameInWords).join(' together with ');
  return history.length === 0 ? carried : `${carried}, after ${history.map(nameInWords).join(' and ')}`;
}

function nameInWords({ name, isFresh, under }: NameClass): string {
  if (!isFresh) return name;
  return under === null ? 'anything else' : `anything else under ${under}`;
}

/** What the calls of a situation carry, and what policies may add to it. */
export function namesIn(
  { call, history }: Situation,
  policies: readonly AnalysedPolicy[],
): readonly string[] {
  const carried = policies.flatMap(({ policy }) => policy.carries.map(({ capability }) => capability.name));
  return [...new Set([...[...call, ...history].map(({ name }) => name), ...carried])];
}

/** A call of a situation with these values. */
export function callIn({ call, history, extent }: Situation, assignment: Finding['assignment']): ExampleCall {
  const [first, ...others] = call.map(({ name }) => name);
  const names = { call: [first as string, ...others] as const, history: history.map(({ name }) => name) };
  const standard = { tool: extent.tools[0] as string, chain: [extent.worker] };
  return exampleCall(assignment, names, standard);
}

function workersNamed(policies: readonly AnalysedPolicy[]): ReadonlySet<string> {
  const named = policies.flatMap(({ rules }) => rules.flatMap(({ rule }) => rule.worker ?? []));
  const compared = policies.flatMap(({ rules }) =>
    rules.flatMap(({ when }) => (when === null ? [] : textsIn(when.expression))),
  );
  return new Set([...named, ...compared]);
}

/** Facts without parts wherever they are canonical. */
const plainFacts: readonly string[] = ['name', 'path', 'cwd', 'host', 'port', 'program'];

/** Tells the variables that conditions read both as a whole and in part: their values depend on each other. */
function entanglement(policies: readonly AnalysedPolicy[]): (variable: Variable) => boolean {
  const read = new Set<string>();
  const add = (kind: string, path: readonly string[]) => read.add(JSON.stringify([kind, ...path]));
  for (const { rules } of policies) {
    for (const { match, except, when, members } of rules) {
      const matches = [match, except, ...members.flatMap((member) => [member.match, member.except])];
      for (const each of matches) for (const { fact } of each ?? []) add('fact', [fact]);
      for (const key of when === null ? [] : keysOf(when.expression)) {
        const [root = '', ...path] = String(key).split('.');
        if (path.length > 0) add(root === 'capability' ? 'fact' : root, path);
      }
    }
  }
  return (variable) => {
    if (variable.kind !== 'fact' && variable.kind !== 'args' && variable.kind !== 'context') return false;
    const { kind, path } = variable;
    if (kind === 'fact' && path.length > 1 && plainFacts.includes(path[0] as string)) return true;
    return path.slice(1).some((_, index) => read.has(JSON.stringify([kind, ...path.slice(0, index + 1)])));
  };
}
