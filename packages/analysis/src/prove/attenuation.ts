import { isNonEmpty, type NonEmpty } from '@ambit/core';
import type { WrittenPolicy } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';
import { combinationsOf } from '../diff/combination-changes.js';
import { openQuestion, type Unsettled, unsettledInWords, withinWork } from '../exact/blind-spot.js';
import {
  decideCall,
  type ExampleCall,
  levelOf,
  manyFilesInWords,
  shownCall,
  unknownFilesInWords,
} from '../exact/call.js';
import { combinationSituations, openNames } from '../exact/combination-situations.js';
import { differences, type Pair, readDifference, variablesFor } from '../exact/compare.js';
import { type Assignment, shownBy } from '../exact/concretise.js';
import { mapFormula } from '../exact/explore.js';
import {
  type CallSpace,
  callIn,
  callSlotsOf,
  callSpaceOf,
  concerning,
  formulaIn,
  namesIn,
  type Situation,
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
      /** For the same call, made by the child on behalf of the parent. */
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
  const space = callSpaceOf([analysed]);
  const unknown: Unsettled[] = [];
  const situations = situationsOf(analysed, space, unknown);
  for (const situation of withinWork(situations, space.workspace.work, unknown)) {
    const part = refute(situation, { policies, analysed, space, callers });
    if (part !== null && 'status' in part) return part;
    if (part !== null) unknown.push(part);
  }
  return isNonEmpty(unknown) ? { status: 'unknown', unknown } : { status: 'proved' };
}

/** No other call distinguishes the two workers. */
function situationsOf(
  analysed: readonly AnalysedPolicy[],
  { names, extents }: CallSpace,
  unknown: Unsettled[],
) {
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
  readonly space: CallSpace;
  readonly callers: Callers;
}

function refute(
  situation: Situation,
  { policies, analysed, space: { workspace }, callers }: Question,
): Extract<AttenuationProof, { status: 'refuted' }> | Unsettled | null {
  const near = concerning(analysed, namesIn(situation, analysed));
  const { atoms, conditions } = workspace;
  const own = (worker: string) => ({ ...workspace, conditions: conditions.forCaller(worker) });
  const sideFor = (worker: string) =>
    mapFormula(formulaIn(situation, near, own(worker)), atoms.given({ chain: [worker] }));
  const pair: Pair = [sideFor(callers.parent), sideFor(callers.child)];
  const variables = variablesFor(pair, [], { workspace, extent: situation.extent });
  const comparison = differences([pair], { workspace, variables });
  const looser = comparison.findings.filter(
    ({ found }) => readDifference(found, workspace).direction !== 'stricter',
  );
  for (const finding of looser) {
    const { from, to } = readDifference(finding.found, workspace);
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
      child: verdictOf(to, workspace.clauses),
      parent: verdictOf(from, workspace.clauses),
      acting: verdictOf(acting, workspace.clauses),
    };
  }
  const slots = callSlotsOf(situation, near);
  const open = {
    ...comparison,
    findings: looser,
    variables,
    policies: near,
    slots,
    workspace: own(callers.child),
  };
  return openQuestion(situationInWords(situation), open);
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
        ...unknownFilesInWords(proof.call).map((files) => `  ${files}`),
        `  ${shownCall(proof.call)}`,
        ...manyFilesInWords([proof.call]),
      ].join('\n');
    case 'unknown':
      return [
        `unknown: it is not settled whether the rules for ${one} allow what those for ${other} do not`,
        ...proof.unknown.flatMap(unsettledInWords),
      ].join('\n');
  }
}
