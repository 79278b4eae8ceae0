import type { NonEmpty } from '@ambit/core';
import type { WrittenPolicy } from '@ambit/policy';
import { notLookedAt, openQuestion, type Unsettled } from '../exact/blind-spot.js';
import { decideCall, type ExampleCall, levelOf } from '../exact/call.js';
import { combinationSituations, openNames } from '../exact/combination-situations.js';
import {
  type Comparison,
  type Direction,
  differences,
  type Pair,
  readDifference,
  variablesFor,
} from '../exact/compare.js';
import { type Assignment, shownBy } from '../exact/concretise.js';
import { type Finding, keyOf, normal } from '../exact/explore.js';
import type { PolicyFormula } from '../exact/policy-formula.js';
import {
  type CallSpace,
  callIn,
  callSlotsOf,
  callSpaceOf,
  concerning,
  concerns,
  formulaIn,
  namesIn,
  type Situation,
  situationInWords,
} from '../exact/situation.js';
import { type AnalysedPolicy, analysedPolicies } from '../exact/subject-policy.js';
import { type Verdict, verdictOf } from '../exact/verdict.js';
import type { CutVariable } from '../exact/witness/cells.js';
import { type CombinationChange, changedCombinations } from './combination-changes.js';
import { type Edit, editsBetween } from './edit.js';

export interface PolicyDifference {
  /** Whether both decide every call alike. */
  readonly equal: boolean;
  /** By direction; `other` goes both ways. */
  readonly counts: Readonly<Record<Direction, number>>;
  /** By edit; the smallest edits first. */
  readonly changes: readonly DecisionChange[];
  readonly unknown: readonly Unsettled[];
  /** Also edits that change no decision. */
  readonly edits: readonly EditSummary[];
}

export type EditSummary = Omit<Edit, 'undo' | 'rules'>;

export interface DecisionChange {
  /** The edit that alone causes the change, or several. */
  readonly edits: readonly number[];
  /** In words. */
  readonly capability: string;
  readonly from: Verdict;
  readonly to: Verdict;
  readonly direction: Direction;
  readonly cells: number;
  readonly call: ExampleCall;
}

interface Context {
  readonly policies: { readonly old: NonEmpty<WrittenPolicy>; readonly now: NonEmpty<WrittenPolicy> };
  readonly old: readonly AnalysedPolicy[];
  readonly now: readonly AnalysedPolicy[];
  readonly edits: readonly Edit[];
  readonly space: CallSpace;
}

interface Part {
  readonly changes: readonly DecisionChange[];
  readonly unknown: readonly Unsettled[];
}

/** If trying each edit by itself takes more steps, every edit that concerns such calls is named. */
const mostTrials = 300_000;
/** If more edits concern one situation, one class of calls for each edit is enough. */
const mostEdits = 8;

/** Which calls the new policies decide differently from the old ones. */
export function diffPolicies(old: NonEmpty<WrittenPolicy>, now: NonEmpty<WrittenPolicy>): PolicyDifference {
  const sets = { old: analysedPolicies(old), now: analysedPolicies(now) };
  const edits = editsBetween(sets.old, sets.now);
  const space = callSpaceOf([sets.old, sets.now]);
  const context = { ...sets, policies: { old, now }, edits, space };
  const parts = space.extents.flatMap((extent) => [
    ...space.names.map((name) => partOf({ call: [name], history: [], extent }, null, context)),
    ...changedCombinations(sets, extent.tools[0] as string).flatMap((change): readonly Part[] => {
      const { rule, members } = change.combination;
      const shape = { members, within: rule.within };
      const situations = combinationSituations(shape, { names: space.names, extent });
      if (situations !== null) return situations.map((situation) => partOf(situation, change, context));
      return [{ changes: [], unknown: [openNames(change.combination)] }];
    }),
  ]);
  const changes = parts.flatMap((part) => part.changes);
  const left = parts.filter((part) => part === leftOut).length;
  const unknown = [...parts.flatMap((part) => part.unknown), ...(left === 0 ? [] : [notLookedAt(left)])];
  return {
    equal: changes.length === 0 && unknown.length === 0,
    counts: {
      looser: countOf(changes, 'looser'),
      stricter: countOf(changes, 'stricter'),
      other: countOf(changes, 'other'),
    },
    changes: smallestFirst(changes),
    unknown,
    edits: edits.map(({ undo: _undo, rules: _rules, ...summary }) => summary),
  };
}

/** The limit of work was reached before this part. */
const leftOut: Part = { changes: [], unknown: [] };

function countOf(changes: readonly DecisionChange[], direction: Direction): number {
  return changes.filter((change) => change.direction === direction).length;
}

function partOf(situation: Situation, change: CombinationChange | null, context: Context): Part {
  const { space, edits } = context;
  const { workspace } = space;
  if (workspace.work.isDone) return leftOut;
  workspace.work.spend([...context.old, ...context.now].reduce((sum, { rules }) => sum + rules.length, 0));
  const names = namesIn(situation, [...context.old, ...context.now]);
  const side = (policies: readonly AnalysedPolicy[]) =>
    normal(formulaIn(situation, concerning(policies, names), workspace));
  const pair: Pair = [side(context.old), side(context.now)];
  const brought: readonly Pair[] = change === null ? [] : [[side(change.before), side(change.upTo)]];
  const isSame = ([one, other]: Pair) => keyOf(one) === keyOf(other);
  if (isSame(pair) || brought.some(isSame)) return { changes: [], unknown: [] };
  const near = concerning(context.now, names);
  const nearby = edits
    .map((edit, index) => ({ edit, index }))
    .filter(({ edit }) => edit.rules === null || edit.rules.some((rule) => concerns(rule, names)));
  const isTooMuch = nearby.length * near.reduce((sum, { rules }) => sum + rules.length, 0) > mostTrials;
  const undone = (isTooMuch ? [] : nearby)
    .map(({ edit, index }) => ({ index, side: side(edit.undo(near)) }))
    .filter((each) => keyOf(each.side) !== keyOf(pair[1]));
  const others = [...brought.flat(), ...undone.map((each) => each.side)];
  const variables = variablesFor(pair, others, { workspace, extent: situation.extent });
  const comparison = differences([pair, ...brought], { workspace, variables });
  const all = isTooMuch ? nearby.map(({ index }) => index) : null;
  const changes = changesOf(comparison, { pair, brought, undone, all, variables, situation, context });
  const shown = new Set(changes.map(({ found }) => found));
  const left = comparison.findings.filter(({ found, isPossible }) => isPossible && !shown.has(found));
  const open = openQuestion(situationInWords(situation), {
    ...comparison,
    findings: left,
    variables,
    policies: [...concerning(context.old, names), ...near],
    slots: callSlotsOf(situation, near),
    workspace,
  });
  return { changes: changes.map((each) => each.change), unknown: open === null ? [] : [open] };
}

interface Shown {
  readonly found: string;
  readonly change: DecisionChange;
}

/** Where changes are looked for: one situation, and the sides that single edits would make of it. */
interface Search {
  readonly pair: Pair;
  readonly brought: readonly Pair[];
  readonly undone: readonly { readonly index: number; readonly side: PolicyFormula }[];
  /** Where no single edit is looked for. */
  readonly all: readonly number[] | null;
  readonly variables: readonly CutVariable[];
  readonly situation: Situation;
  readonly context: Context;
}

function changesOf(comparison: Comparison, search: Search): readonly Shown[] {
  const { pair, brought, undone, all, variables, context } = search;
  const { workspace } = context.space;
  const show = (findings: readonly Finding[], edits: readonly number[]) =>
    findings.flatMap((finding) => changeOf(finding, edits, search));
  if (all !== null) return show(comparison.findings, all);
  const indices = undone.map(({ index }) => index);
  if (undone.length === 1) return show(comparison.findings, indices);
  const options = { workspace, variables, isOneEnough: undone.length > mostEdits, isLastTheCause: true };
  const single = undone.flatMap(({ index, side }) =>
    show(differences([pair, ...brought, [pair[1], side]], options).findings, [index]),
  );
  const explained = new Set(single.map(({ found }) => found));
  const others = comparison.findings.filter(({ found }) => !explained.has(found));
  return [...single, ...show(others, indices)];
}

/** The change of a finding, with a call that shows it; empty if the finding is uncertain and no call shows it. */
function changeOf(
  finding: Finding,
  edits: readonly number[],
  { variables, situation, context }: Search,
): readonly Shown[] {
  const { from, to, direction } = readDifference(finding.found, context.space.workspace);
  const callOf = (assignment: Assignment) => callIn(situation, assignment);
  const assignment = shownBy(finding, variables, (tried) => {
    const { old, now } = context.policies;
    const call = callOf(tried);
    return levelOf(decideCall(call, old)) === from.level && levelOf(decideCall(call, now)) === to.level;
  });
  if (assignment === null) return [];
  const { clauses } = context.space.workspace;
  const change = {
    edits,
    capability: situationInWords(situation),
    from: verdictOf(from, clauses),
    to: verdictOf(to, clauses),
    direction,
    cells: finding.cells,
    call: callOf(assignment),
  };
  return [{ found: finding.found, change }];
}

/** Sorts by the number of cells that the edits change, then by the cells of each change. */
function smallestFirst(changes: readonly DecisionChange[]): readonly DecisionChange[] {
  const sizes = new Map<string, number>();
  for (const { edits, cells } of changes) sizes.set(edits.join(), (sizes.get(edits.join()) ?? 0) + cells);
  const size = ({ edits }: DecisionChange) => sizes.get(edits.join()) as number;
  const inTurn = (one: readonly number[], other: readonly number[]) =>
    (one[0] ?? 0) - (other[0] ?? 0) || one.length - other.length || (one.join() < other.join() ? -1 : 1);
  return [...changes].sort(
    (one, other) =>
      size(one) - size(other) ||
      (one.edits.join() === other.edits.join() ? one.cells - other.cells : inTurn(one.edits, other.edits)),
  );
}
