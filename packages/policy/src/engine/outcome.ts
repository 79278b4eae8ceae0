import {
  type AnsweredBy,
  builtIn,
  type DecidingMember,
  decisions,
  isUndecided,
  type Judgement,
  type RuleReference,
  replacesDefault,
  strictnessOf,
  type Truth,
  type UndecidedRule,
} from '@ambit/core';
import type { Candidate, Layer } from './candidate.js';

/** What one policy says about one capability. */
export interface Finding {
  readonly judgement: Judgement;
  readonly layer: Layer;
  readonly rank: number;
  /** The rank, where a question that is answered counts as permitted. */
  readonly settled: number;
  /** Orders the members of a file set. */
  readonly strictness: number;
  readonly deciding: readonly Candidate[];
}

/** What all policies say about one capability. The built-in one is heard only if one of its rules applies. */
export interface Outcome {
  readonly all: readonly Finding[];
  readonly heard: readonly Finding[];
  /** Frozen judgements of `heard`, for the first capability, then the second, and so on. */
  readonly ready: Judgement[];
  readonly rank: number;
  /** -1 if nobody is heard. */
  readonly settled: number;
  /** The first rules of the rank that have one. */
  readonly reason: Candidate | null;
  readonly instead: Candidate | null;
}

/** `truths` are the results of the tests, in the order of the candidates. */
export function outcomeOf(all: readonly Finding[]): Outcome {
  const heard = all.filter(({ layer, judgement }) => layer.policy !== builtIn || !judgement.default);
  const rank = Math.max(...all.map((finding) => finding.rank));
  const deciding = all.filter((finding) => finding.rank === rank).flatMap((finding) => finding.deciding);
  const first = (key: 'reason' | 'instead') => deciding.find(({ rule }) => rule[key] !== null) ?? null;
  const settled = Math.max(-1, ...heard.map((finding) => finding.settled));
  return { all, heard, ready: [], rank, settled, reason: first('reason'), instead: first('instead') };
}

/** Core's judgement of one policy. */
export function findingOf(
  layer: Layer,
  candidates: readonly Candidate[],
  { truths, worker }: { readonly truths: readonly Truth[]; readonly worker: string },
): Finding {
  const { policy, defaultRank } = layer;
  const [rules, undecided, observed]: [RuleReference[], UndecidedRule[], RuleReference[]] = [[], [], []];
  const said: { readonly candidate: Candidate; readonly rank: number; readonly wantsPerson: boolean }[] = [];
  let [isDefault, grant]: [boolean, Candidate | null] = [true, null];
  candidates.forEach((candidate, at) => {
    const truth = truths[at] as Truth;
    const { rule, isGrant, asks, rank, reference } = candidate;
    if (truth === false) return;
    if (rule.observe) observed.push(reference);
    else if (isGrant) grant = truth === true ? (grant ?? candidate) : grant;
    else if (isUndecided(truth)) {
      undecided.push(undecidedReference(candidate, truth.undecided));
      said.push({ candidate, rank: asks ? 1 : rank, wantsPerson: asks || rule.answer === 'person' });
    } else {
      rules.push(reference);
      said.push({ candidate, rank, wantsPerson: rule.answer === 'person' });
      if (replacesDefault(rule, worker)) isDefault = false;
    }
  });
  const rank = Math.max(isDefault ? defaultRank : 0, ...said.map((one) => one.rank));
  const deciding = said.filter((one) => one.rank === rank);
  const isDefaultPersonal = isDefault && defaultRank === rank && policy.default.answer === 'person';
  const answer =
    rank !== 1 ? null : isDefaultPersonal || deciding.some((one) => one.wantsPerson) ? 'person' : 'any';
  const answered_by = answer === 'any' && grant !== null ? creditOf(grant) : null;
  const judgement: Judgement = {
    capability: 0,
    policy: policy.name,
    decision: decisions[rank] as Judgement['decision'],
    default: isDefault,
    rules: Object.freeze(rules),
    undecided: Object.freeze(undecided),
    ...(observed.length === 0 ? {} : { observed: Object.freeze(observed) }),
    answer,
    answered_by,
  };
  return {
    judgement,
    layer,
    rank,
    settled: answered_by === null ? rank : 0,
    strictness: strictnessOf(judgement),
    deciding: deciding.map(({ candidate }) => candidate),
  };
}

/** Judgements for this many capabilities are kept ready. */
const mostReady = 8;

/** Adds the judgements about the capability at this index; those that are kept are shared by all decisions. */
export function addJudgements({ heard, ready }: Outcome, index: number, to: Judgement[]): void {
  const count = heard.length;
  if (index >= mostReady) {
    for (const { judgement } of heard) to.push(Object.freeze({ ...judgement, capability: index }));
    return;
  }
  for (let at = ready.length; at < (index + 1) * count; at += 1) {
    const { judgement } = heard[at % count] as Finding;
    ready.push(Object.freeze({ ...judgement, capability: Math.floor(at / count) }));
  }
  for (let at = index * count; at < (index + 1) * count; at += 1) to.push(ready[at] as Judgement);
}

/** The same about a file set. */
export function ofMember(finding: Finding, member: DecidingMember): Finding {
  const { capability, ...rest } = finding.judgement;
  return { ...finding, judgement: { capability, member, ...rest } };
}

function creditOf({ rule }: Candidate): AnsweredBy {
  return Object.freeze({ by: 'rule', id: rule.id, at: rule.at });
}

function undecidedReference({ asks, reference }: Candidate, why: string): UndecidedRule {
  const { id, at, decision } = reference;
  return Object.freeze(
    asks ? { id, at, decision: 'needs_approval', rule_decision: 'blocked', why } : { id, at, decision, why },
  );
}
