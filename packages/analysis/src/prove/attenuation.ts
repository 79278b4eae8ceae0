import { isNonEmpty, type NonEmpty } from '@ambit/core';
import type { WrittenPolicy } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';
import { combinationsOf } from '../diff/combination-changes.js';
import { openQuestion, type Unsettled, unsettledInWords } from '../exact/blind-spot.js';
import { decideCall, type ExampleCall, levelOf, shownCall } from '../exact/call.js';
import { combinationSituations, openNames } from '../exact/combination-situations.js';
import { differences, type Pair, readDifference, variablesFor } from '../exact/compare.js';
import { type Assignment, shownBy } from '../exact/concretise.js';
import { mapSide } from '../exact/explore.js';
import { ConditionFormulas } from '../exact/formula/condition-formula.js';
import type { FormulaId } from '../exact/formula/formula.js';
import type { Side, Workshop } from '../exact/side.js';
import {
  callIn,
  carriageOf,
  concerning,
  type Ground,
  groundOf,
  namesIn,
  type Situation,
  sideIn,
  situationInWords,
} from '../exact/situation.js';
import { type AnalysedPolicy, analysedPolicies } from '../exact/subject-policy.js';
import { type Verdict, verdictInWords, verdictOf } from '../exact/verdict.js';

type AttenuationProof =
  | { readonly status: 'proved' }
  | {
      readonly status: 'refuted';
      /** Made by the child itself. */
      readonly call: ExampleCall;
      readonly child: Verdict;
      readonly parent: Verdict;
      /** Where the child acts for the parent. */
      readonly acting: Verdict;
    }
  | { readonly status: 'unknown'; readonly unknown: NonEmpty<Unsettled> };

interface Callers {
  readonly child: string;
  readonly parent: string;
}

/** Whether the policies decide every call of the child at least as strictly as the same call of the parent. */
export function proveAttenuation(policies: NonEmpty<WrittenPolicy>, callers: Callers): AttenuationProof {
  const analysed = analysedPolicies(policies);
  const ground = groundOf([analysed]);
  const unknown: Unsettled[] = [];
  for (const situation of situationsOf(analysed, ground, unknown)) {
    const part = refute(situation, { policies, analysed, ground, callers });
    if (part !== null && 'status' in part) return part;
    if (part !== null) unknown.push(part);
  }
  return isNonEmpty(unknown) ? { status: 'unknown', unknown } : { status: 'proved' };
}

/** Other calls cannot distinguish the two. */
function situationsOf(analysed: readonly AnalysedPolicy[], { names, extents }: Ground, unknown: Unsettled[]) {
  return extents.flatMap((extent): readonly Situation[] => [
    ...names.map((name): Situation => ({ call: [name], history: [], extent })),
    ...analysed.flatMap(combinationsOf).flatMap((combination) => {
      const { rule, members } = combination;
      if (members.length < 2) return [];
      const found = combinationSituations({ members, within: rule.within }, { names, extent });
      if (found === null) unknown.push(openNames(combination));
      return found ?? [];
    }),
  ]);
}

interface Question {
  readonly policies: NonEmpty<WrittenPolicy>;
  readonly analysed: readonly AnalysedPolicy[];
  readonly ground: Ground;
  readonly callers: Callers;
}

function refute(
  situation: Situation,
  { policies, analysed, ground: { workshop }, callers }: Question,
): Extract<AttenuationProof, { status: 'refuted' }> | Unsettled | null {
  const near = concerning(analysed, namesIn(situation, analysed));
  const { atoms, conditions } = workshop;
  const own = (worker: string): Workshop => ({
    ...workshop,
    conditions: new ConditionFormulas(atoms, conditions.isEntangled, worker),
  });
  const sideFor = (worker: string) => actingAlone(sideIn(situation, near, own(worker)), worker, workshop);
  const pair: Pair = [sideFor(callers.parent), sideFor(callers.child)];
  const variables = variablesFor(pair, [], { workshop, extent: situation.extent });
  const comparison = differences([pair], { workshop, variables });
  const looser = comparison.findings.filter(
    ({ found }) => readDifference(found, workshop).direction !== 'stricter',
  );
  for (const finding of looser) {
    const { from, to } = readDifference(finding.found, workshop);
    const callOf = (assignment: Assignment, worker: NonEmpty<string>) => ({
      ...callIn(situation, assignment),
      worker,
    });
    const levelFor = (assignment: Assignment, worker: NonEmpty<string>) =>
      levelOf(decideCall(callOf(assignment, worker), policies));
    const assignment = shownBy(
      finding,
      variables,
      (tried) =>
        levelFor(tried, [callers.parent]) === from.level && levelFor(tried, [callers.child]) === to.level,
    );
    if (assignment === null) continue;
    const acting = { level: levelFor(assignment, [callers.parent, callers.child]), questions: [] };
    return {
      status: 'refuted',
      call: callOf(assignment, [callers.child]),
      child: verdictOf(to, workshop.clauses),
      parent: verdictOf(from, workshop.clauses),
      acting: verdictOf(acting, workshop.clauses),
    };
  }
  const carriage = carriageOf(situation, near);
  const open = {
    ...comparison,
    findings: looser,
    variables,
    policies: near,
    carriage,
    workshop: own(callers.child),
  };
  return openQuestion(situationInWords(situation), open);
}

function actingAlone(side: Side, worker: string, { atoms }: Workshop): Side {
  const memo = new Map<FormulaId, FormulaId>();
  const known = atoms.answersFor({ chain: [worker] });
  const of = (formula: FormulaId) => atoms.formulas.assume(formula, known, memo);
  return mapSide(side, of);
}

/** For people. */
export function formatAttenuation(proof: AttenuationProof, { child, parent }: Callers): string {
  const [one, other] = [quote(child), quote(parent)];
  switch (proof.status) {
    case 'proved':
      return `proved: the rules for ${one} allow nothing that those for ${other} do not`;
    case 'refuted':
      return [
        `refuted: the rules for ${one} allow what those for ${other} do not`,
        `  ${one}: ${verdictInWords(proof.child)}`,
        `  ${other}: ${verdictInWords(proof.parent)}`,
        `  ${one} acting for ${other}: ${verdictInWords(proof.acting)}`,
        `  ${shownCall(proof.call)}`,
      ].join('\n');
    case 'unknown':
      return [
        `unknown: it is not settled whether the rules for ${one} allow what those for ${other} do not`,
        ...proof.unknown.flatMap(unsettledInWords),
      ].join('\n');
  }
}
