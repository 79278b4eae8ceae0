import { builtIn, type CombinationRule, isWithin, type NonEmpty } from '@ambit/core';
import type { WrittenInvariant, WrittenPolicy } from '@ambit/policy';
import { callIn } from '../diff/diff.js';
import { openQuestion, type Unsettled } from '../exact/blind-spot.js';
import { decideCall, type ExampleCall, levelOf } from '../exact/call.js';
import { products } from '../exact/combination-situations.js';
import { concretise } from '../exact/concretise.js';
import type { Finding } from '../exact/explore.js';
import { type FormulaId, falsehood } from '../exact/formula/formula.js';
import { possibilitiesOf } from '../exact/possibilities.js';
import { memberTruth, type Side, type Workshop } from '../exact/side.js';
import { carriageOf, concerning, type Ground, groundOf, type Situation, sideIn } from '../exact/situation.js';
import { situationInWords } from '../exact/situation-words.js';
import { type AnalysedPolicy, analysedPolicies } from '../exact/subject-policy.js';

export type InvariantProof =
  | { readonly status: 'proved' }
  /** With the grants that it needs. */
  | { readonly status: 'refuted'; readonly call: ExampleCall }
  | { readonly status: 'unknown'; readonly unknown: NonEmpty<Unsettled> };

const mostSituations = 4000;

/** Whether no call with the listed capabilities is pre-approved, whatever grants are admitted. */
export function proveInvariant(
  policies: NonEmpty<WrittenPolicy>,
  invariant: WrittenInvariant,
): InvariantProof {
  const analysed = analysedPolicies(policies);
  const ground = groundOf([analysed, [claimant(invariant)]]);
  const unknown: Unsettled[] = [];
  for (const extent of ground.extents) {
    const choices = invariant.members.map(({ name }) =>
      ground.names.filter((each) => isWithin(each.name, name)),
    );
    if (choices.reduce((product, { length }) => product * length, 1) > mostSituations)
      unknown.push({
        capability: invariant.id,
        rules: [],
        why: 'too many names are under those that it lists',
      });
    else
      for (const call of products(choices)) {
        const part = refute({ call, history: [], extent }, { policies, analysed, invariant, ground });
        if (part !== null && 'worker' in part) return { status: 'refuted', call: part };
        if (part !== null) unknown.push(part);
      }
  }
  const [first, ...others] = unknown;
  return first === undefined ? { status: 'proved' } : { status: 'unknown', unknown: [first, ...others] };
}

interface Claim {
  readonly policies: NonEmpty<WrittenPolicy>;
  readonly analysed: readonly AnalysedPolicy[];
  readonly invariant: WrittenInvariant;
  readonly ground: Ground;
}

/** A call that breaks the invariant, or the open question. */
function refute(
  situation: Situation,
  { policies, analysed, invariant, ground: { workshop } }: Claim,
): ExampleCall | Unsettled | null {
  const carried = analysed.flatMap(({ policy }) => policy.carries.map(({ capability }) => capability.name));
  const near = concerning(analysed, [...situation.call.map(({ name }) => name), ...carried]);
  const carriage = carriageOf(situation, near);
  const listed = invariant.members.map((member, index) => {
    const slot = carriage.call[index];
    return slot === undefined ? falsehood : memberTruth(member, slot, workshop.conditions).isNotFalse;
  });
  const broken = workshop.atoms.formulas.and([...listed, runs(sideIn(situation, near, workshop), workshop)]);
  const found = possibilitiesOf(broken, { workshop, extent: situation.extent });
  for (const finding of found.findings) {
    const call = breakingCall(finding, { situation, policies, variables: found.variables });
    if (call !== null) return call;
  }
  return openQuestion(situationInWords(situation), { ...found, policies: near, carriage, workshop });
}

/** By rule or by a worker file's grant, without a person. */
function runs({ blocked, person, questions }: Side, { atoms, clauses }: Workshop): FormulaId {
  const unanswerable = questions.filter(([clause]) => !clauses.get(clause).workers).map(([, when]) => when);
  return atoms.formulas.not(atoms.formulas.or([blocked, person, ...unanswerable]));
}

function breakingCall(
  finding: Finding,
  {
    situation,
    policies,
    variables,
  }: {
    readonly situation: Situation;
    readonly policies: NonEmpty<WrittenPolicy>;
    readonly variables: Parameters<typeof concretise>[1];
  },
): ExampleCall | null {
  const isBroken = (assignment: Finding['assignment']) =>
    levelOf(decideCall(withGrants(callIn(situation, assignment), policies), policies)) === 0;
  const assignment = finding.isPossible ? concretise(finding, variables, isBroken) : finding.assignment;
  if (assignment === null) return null;
  const call = withGrants(callIn(situation, assignment), policies);
  if (!isBroken(assignment)) throw new Error(`a call does not break the invariant: ${JSON.stringify(call)}`);
  return call;
}

function withGrants(call: ExampleCall, policies: NonEmpty<WrittenPolicy>): ExampleCall {
  if (levelOf(decideCall(call, policies)) === 0) return call;
  return { ...call, grants: [{ worker: call.worker.at(-1) as string, tool: call.tool }] };
}

function claimant({ id, at, members }: WrittenInvariant): AnalysedPolicy {
  const rule: CombinationRule = {
    about: 'combination',
    id,
    at,
    decision: 'blocked',
    answer: 'any',
    reason: null,
    instead: null,
    worker: null,
    inherit: true,
    observe: false,
    condition: () => true,
    members: members.map(({ name }) => ({
      name,
      condition: () => true,
    })) as unknown as CombinationRule['members'],
    within: 'call',
  };
  return {
    policy: { ...builtIn, rules: [] },
    rules: [{ rule, match: null, except: null, when: null, until: null, members }],
  };
}
