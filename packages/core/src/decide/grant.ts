import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import { equalJson, type JsonObject } from '../words/json.js';
import { settle } from './decide.js';
import type { AnsweredBy, CallDecision, Judgement } from './judgement.js';
import { isOpaque, type Policy, type Remember, remembers } from './policy.js';
import { isWithinReach, type Reach, reaches } from './reach.js';
import type { Request } from './request.js';

/** An answer given in advance. It answers questions, never `blocked`. */
export type Grant = ReferenceGrant | KeptAnswer;

/** `approvals: {tool: pre_approved}` on a worker's reference to a toolset. */
export interface ReferenceGrant {
  readonly source: 'reference';
  readonly worker: string;
  /** Full name. */
  readonly tool: string;
  /** The exact names that it covers; without it, all capabilities of the tool's calls. */
  readonly capabilities?: readonly string[];
}

export interface Keeping {
  readonly remember: Exclude<Remember, 'call'>;
  readonly reach: Exclude<Reach, 'call'>;
  /** Milliseconds since 1970, UTC. */
  readonly until?: number;
}

/** For identical calls of the same chain and tool. */
export interface KeptAnswer extends Keeping {
  readonly source: 'kept';
  readonly approval: string;
  readonly person: string;
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  readonly args: JsonObject;
  readonly shown: readonly Capability[];
  /** It answers only questions of the policies that judged then. */
  readonly policies: readonly string[];
}

/** Answers open questions with admitted grants; everything else stays. */
export function answer(decision: CallDecision, given: GivenAnswers): CallDecision {
  if (given.grants.length === 0 && settle(decision.judgements) === decision.decision) return decision;
  const judgements = decision.judgements.map((judgement) => {
    if (!isOpenQuestion(judgement) || judgement.answer !== 'any') return judgement;
    const grant = given.grants.find((candidate) => answers(candidate, judgement, { decision, given }));
    return grant === undefined ? judgement : { ...judgement, answered_by: credit(grant) };
  });
  return { ...decision, decision: settle(judgements), judgements };
}

export interface GivenAnswers {
  readonly request: Request;
  readonly policies: NonEmpty<Policy>;
  readonly grants: readonly Grant[];
}

export function isOpenQuestion(judgement: Judgement): boolean {
  return judgement.decision === 'needs_approval' && judgement.answered_by === null;
}

/** Whether the asking policy accepts `approve_all`. */
export function admitsUnattended(judgement: Judgement, policies: readonly Policy[]): boolean {
  return judgement.answer === 'any' && policyNamed(judgement.policy, policies)?.admits.unattended === true;
}

/** Null if the answer holds for the call only. */
export function keepable(
  questions: readonly Judgement[],
  policies: readonly Policy[],
): Omit<Keeping, 'until'> | null {
  const admissions = questions.map((question) =>
    question.answer === 'any' ? policyNamed(question.policy, policies)?.admits : undefined,
  );
  const remember =
    remembers[Math.min(...admissions.map((admits) => remembers.indexOf(admits?.remember ?? 'call')))];
  const reach = reaches[Math.min(...admissions.map((admits) => reaches.indexOf(admits?.reach ?? 'call')))];
  if (remember === undefined || remember === 'call' || reach === undefined || reach === 'call') return null;
  return { remember, reach };
}

function answers(
  grant: Grant,
  judgement: Judgement,
  { decision, given }: { decision: CallDecision; given: GivenAnswers },
): boolean {
  const policy = policyNamed(judgement.policy, given.policies);
  const capability = decision.capabilities[judgement.capability];
  if (policy === undefined || capability === undefined || grant.tool !== given.request.tool) return false;
  if (grant.source === 'reference') {
    const { workers } = policy.admits;
    return (
      grant.worker === given.request.worker &&
      (workers === true || (Array.isArray(workers) && workers.includes(grant.tool))) &&
      (grant.capabilities?.includes(capability.name) ?? true)
    );
  }
  return (
    equalJson(grant.chain, given.request.chain) &&
    (grant.until === undefined || given.request.now < grant.until) &&
    grant.policies.includes(policy.name) &&
    isAdmitted(grant, policy) &&
    (grant.reach !== 'arguments' || equalJson(grant.args, given.request.args)) &&
    isWithinReach(grant.shown, grant.reach, capability) &&
    (grant.reach === 'capability' ||
      codeRunBy(capability, decision).every((code) => isWithinReach(grant.shown, grant.reach, code)))
  );
}

/** The code of known content that an opaque program loads, or a shell itself: what it does changes with it. */
function codeRunBy(
  { name, program = 'shell' }: Capability,
  { capabilities }: CallDecision,
): readonly Capability[] {
  if (!isOpaque(name)) return [];
  return capabilities.filter(
    (code) => code.name === 'code.load' && code.by === program && code.sha256 !== undefined,
  );
}

function isAdmitted(grant: KeptAnswer, policy: Policy): boolean {
  return (
    isAtMost(remembers, grant.remember, policy.admits.remember) &&
    isAtMost(reaches, grant.reach, policy.admits.reach)
  );
}

/** An unknown word never counts as at most another one. */
function isAtMost<Word>(words: readonly Word[], word: Word, most: Word): boolean {
  return words.includes(word) && words.indexOf(word) <= words.indexOf(most);
}

function credit(grant: Grant): AnsweredBy {
  return grant.source === 'reference'
    ? { by: 'reference', worker: grant.worker, tool: grant.tool }
    : { by: 'kept', approval: grant.approval, person: grant.person };
}

function policyNamed(name: string, policies: readonly Policy[]): Policy | undefined {
  const [policy, ...others] = policies.filter((candidate) => candidate.name === name);
  // Two policies of one name admit nothing: the asking one is unknown.
  return others.every((other) => other === policy) ? policy : undefined;
}
