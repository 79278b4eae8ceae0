import type { NonEmpty } from '@ambit/core';
import type { WrittenPolicy } from '@ambit/policy';
import { combinationsOf } from '../diff/combination-changes.js';
import { callIn } from '../diff/diff.js';
import { openQuestion, type Unsettled } from '../exact/blind-spot.js';
import { decideCall, type ExampleCall, levelOf } from '../exact/call.js';
import { combinationSituations } from '../exact/combination-situations.js';
import { differences, type Pair, readDifference, variablesFor } from '../exact/compare.js';
import { concretise } from '../exact/concretise.js';
import { type Finding, normal } from '../exact/explore.js';
import { ConditionFormulas } from '../exact/formula/condition-formula.js';
import type { FormulaId } from '../exact/formula/formula.js';
import type { Side, Workshop } from '../exact/side.js';
import { carriageOf, concerning, type Ground, groundOf, type Situation, sideIn } from '../exact/situation.js';
import { situationInWords } from '../exact/situation-words.js';
import { type AnalysedPolicy, analysedPolicies } from '../exact/subject-policy.js';
import { type Verdict, verdictOf } from '../exact/verdict.js';

export type AttenuationProof =
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

export interface Callers {
  readonly child: string;
  readonly parent: string;
}

const mostSituations = 4000;

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
  const [first, ...others] = unknown;
  return first === undefined ? { status: 'proved' } : { status: 'unknown', unknown: [first, ...others] };
}

/** Other calls cannot distinguish the two. */
function situationsOf(analysed: readonly AnalysedPolicy[], { names, extents }: Ground, unknown: Unsettled[]) {
  return extents.flatMap((extent): readonly Situation[] => [
    ...names.map((name): Situation => ({ call: [name], history: [], extent })),
    ...analysed.flatMap(combinationsOf).flatMap(({ rule, members }) => {
      if (members.length < 2) return [];
      const found = combinationSituations(
        { members, within: rule.within },
        { names, extent, most: mostSituations },
      );
      if (found === null)
        unknown.push({
          capability: members.map(({ name }) => name).join(' together with '),
          rules: [{ id: rule.id, at: rule.at }],
          why: 'too many names are under those that it lists',
        });
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
  const carried = analysed.flatMap(({ policy }) => policy.carries.map(({ capability }) => capability.name));
  const near = concerning(
    analysed,
    [...situation.call, ...situation.history].map(({ name }) => name).concat(carried),
  );
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
    const callOf = (assignment: Finding['assignment'], worker: NonEmpty<string>) => ({
      ...callIn(situation, assignment),
      worker,
    });
    const levelFor = (assignment: Finding['assignment'], worker: NonEmpty<string>) =>
      levelOf(decideCall(callOf(assignment, worker), policies));
    const shows = (assignment: Finding['assignment']) =>
      levelFor(assignment, [callers.parent]) === from.level &&
      levelFor(assignment, [callers.child]) === to.level;
    const assignment = finding.isPossible ? concretise(finding, variables, shows) : finding.assignment;
    if (assignment === null) continue;
    const call = callOf(assignment, [callers.child]);
    if (!shows(assignment)) throw new Error(`a call does not show what it should: ${JSON.stringify(call)}`);
    const acting = { level: levelFor(assignment, [callers.parent, callers.child]), questions: [] };
    return {
      status: 'refuted',
      call,
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
  const known = (id: number, asking: 'true' | 'not false') => {
    const atom = atoms.get(id);
    if (atom.variable.kind !== 'chain') return null;
    const truth = atom.truth([worker]);
    return asking === 'true' ? truth === true : truth !== false;
  };
  const of = (formula: FormulaId) => atoms.formulas.assume(formula, known, memo);
  return normal({
    blocked: of(side.blocked),
    person: of(side.person),
    questions: side.questions.map(([clause, when]) => [clause, of(when)] as const),
  });
}
