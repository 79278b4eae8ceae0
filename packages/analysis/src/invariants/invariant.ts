import { always, builtIn, type CombinationRule, isNonEmpty, type NonEmpty, plainRule } from '@ambit/core';
import type { WrittenInvariant, WrittenPolicy } from '@ambit/policy';
import { openQuestion, type Unsettled, withinWork } from '../exact/blind-spot.js';
import { decideCall, type ExampleCall, levelOf } from '../exact/call.js';
import { combinationSituations, tooManyNames } from '../exact/combination-situations.js';
import { possibilitiesOf } from '../exact/compare.js';
import { shownBy } from '../exact/concretise.js';
import { type FormulaId, falsehood } from '../exact/formula/formula.js';
import { memberTruth, type PolicyFormula, type Workspace } from '../exact/policy-formula.js';
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
import { type AnalysedPolicy, analysedPolicies, analysedRule } from '../exact/subject-policy.js';

export type InvariantProof =
  | { readonly status: 'proved' }
  /** With the grants that it needs. */
  | { readonly status: 'refuted'; readonly call: ExampleCall }
  | { readonly status: 'unknown'; readonly unknown: NonEmpty<Unsettled> };

/** Whether no call with the listed capabilities is pre-approved, whatever grants are admitted. */
export function proveInvariant(
  policies: NonEmpty<WrittenPolicy>,
  invariant: WrittenInvariant,
): InvariantProof {
  const analysed = analysedPolicies(policies);
  const space = callSpaceOf([analysed, [claimant(invariant)]]);
  const unknown: Unsettled[] = [];
  for (const extent of space.extents) {
    const { id: capability, members } = invariant;
    const situations = combinationSituations({ members, within: 'call' }, { names: space.names, extent });
    if (situations === null) unknown.push({ capability, rules: [], why: tooManyNames });
    for (const situation of withinWork(situations ?? [], space.workspace.work, unknown)) {
      const part = refute(situation, { policies, analysed, invariant, space });
      if (part !== null && 'worker' in part) return { status: 'refuted', call: part };
      if (part !== null) unknown.push(part);
    }
  }
  return isNonEmpty(unknown) ? { status: 'unknown', unknown } : { status: 'proved' };
}

interface Claim {
  readonly policies: NonEmpty<WrittenPolicy>;
  readonly analysed: readonly AnalysedPolicy[];
  readonly invariant: WrittenInvariant;
  readonly space: CallSpace;
}

/** A call that breaks the invariant, or the open question. */
function refute(
  situation: Situation,
  { policies, analysed, invariant, space: { workspace } }: Claim,
): ExampleCall | Unsettled | null {
  const near = concerning(analysed, namesIn(situation, analysed));
  const slots = callSlotsOf(situation, near);
  const listed = invariant.members.map((member, index) => {
    const slot = slots.call[index];
    return slot === undefined ? falsehood : memberTruth(member, slot, workspace.conditions).isNotFalse;
  });
  const broken = workspace.atoms.formulas.and([
    ...listed,
    runs(formulaIn(situation, near, workspace), workspace),
  ]);
  const found = possibilitiesOf(broken, { workspace, extent: situation.extent });
  for (const finding of found.findings) {
    const assignment = shownBy(
      finding,
      found.variables,
      (tried) => levelOf(decideCall(withGrants(callIn(situation, tried), policies), policies)) === 0,
    );
    if (assignment !== null) return withGrants(callIn(situation, assignment), policies);
  }
  return openQuestion(situationInWords(situation), { ...found, policies: near, slots, workspace });
}

/** When a call runs without a person: by a rule or by a worker file's grant. */
function runs({ blocked, person, questions }: PolicyFormula, { atoms, clauses }: Workspace): FormulaId {
  const unanswerable = questions.filter(([clause]) => !clauses.get(clause).workers).map(([, when]) => when);
  return atoms.formulas.not(atoms.formulas.or([blocked, person, ...unanswerable]));
}

function withGrants(call: ExampleCall, policies: NonEmpty<WrittenPolicy>): ExampleCall {
  if (levelOf(decideCall(call, policies)) === 0) return call;
  return { ...call, grants: [{ worker: call.worker.at(-1) as string, tool: call.tool }] };
}

function claimant({ id, at, members }: WrittenInvariant): AnalysedPolicy {
  const rule: CombinationRule = {
    ...plainRule,
    about: 'combination',
    id,
    at,
    decision: 'blocked',
    members: members.map(({ name }) => ({
      name,
      condition: always,
    })) as unknown as CombinationRule['members'],
    within: 'call',
  };
  return {
    policy: { ...builtIn, rules: [] },
    rules: [{ ...analysedRule(rule), members }],
  };
}
