import { canonical } from '../words/canonical.js';
import { type Capability, isWithin, withoutRepetition } from '../words/capability.js';
import { type Decision, decisions, isNonEmpty, type NonEmpty, strictest } from '../words/decision.js';
import { fileSetOf, membersIn, membersOf } from '../words/files/file-set.js';
import { concerns, replacesDefault } from './concerns.js';
import { both, either, isUndecided, type Truth, truthOf } from './condition.js';
import type { CallDecision, Judgement, RuleReference, UndecidedRule } from './judgement.js';
import { builtIn, carriedCapabilities, type Policy, rulesOf } from './policy.js';
import { type CapabilityView, callView, type Request } from './request.js';
import {
  asksIfUndecided,
  type CombinationMember,
  type CombinationRule,
  isStandingGrant,
  type Rule,
} from './rule.js';

/** The definition below, or an engine that equals it. */
export type Decide = (request: Request, policies: NonEmpty<Policy>) => CallDecision;

/**
 * Decides a call: every policy judges every capability, and the strictest judgement wins. Pure, without index or
 * cache.
 */
export function decide(request: Request, policies: NonEmpty<Policy>): CallDecision {
  const layers = [builtIn, ...policies];
  const capabilities = withoutRepetition([
    ...request.capabilities,
    ...layers.flatMap((policy) => carriedCapabilities(policy, request.tool)),
  ]) as NonEmpty<Capability>;
  const around = { capabilities: membersIn(capabilities), history: membersIn(request.history) };
  const findings = capabilities.flatMap((capability, index) =>
    layers.map((policy) => judgeMembers(policy, { index, request, capability, around })),
  );
  const judgements = findings
    .filter(({ policy, judgement }) => policy !== builtIn || !judgement.default)
    .map(({ judgement }) => judgement);
  const decision = settle(judgements);
  const words = (key: 'reason' | 'instead') => firstWords(key, layers, findings);
  return { decision, capabilities, judgements, reason: words('reason'), instead: words('instead') };
}

/** A capability without a judgement is blocked. */
export function settle(judgements: readonly Judgement[]): Decision {
  const decisions = judgements.map((judgement) =>
    judgement.answered_by === null ? judgement.decision : 'pre_approved',
  );
  return isNonEmpty(decisions) ? strictest(decisions) : 'blocked';
}

interface PolicyFinding extends Finding {
  readonly policy: Policy;
}

/** A capability, or a member of a file set. */
interface Subject {
  readonly index: number;
  readonly request: Request;
  readonly capability: Capability;
  readonly around: Surroundings;
}

/** File sets as their members. */
interface Surroundings {
  readonly capabilities: readonly Capability[];
  readonly history: readonly Capability[];
}

/** Judges each member by itself. The set gets the first of the strictest judgements. */
function judgeMembers(policy: Policy, subject: Subject): PolicyFinding {
  const members = membersOf(subject.capability);
  const findings = members.map((member) => judge(policy, { ...subject, capability: member })) as [Finding];
  const isSet = fileSetOf(subject.capability.path) !== null;
  return { policy, ...(isSet ? findingOfSet(findings, members) : findings[0]) };
}

function judge(policy: Policy, { index, request, capability, around }: Subject): Finding {
  const view = { ...callView(request), capability: canonical(capability) };
  const concerned = rulesOf(policy)
    .filter((rule) => concerns(rule, capability.name, view))
    .map((rule) => ({ rule, truth: truthOfRule(rule, view, around) }));
  return findingOf(policy, concerned, { index, worker: view.worker });
}

function truthOfRule(rule: Rule, view: CapabilityView, around: Surroundings): Truth {
  if (rule.about === 'capability') return truthOf(rule.condition, view);
  if (rule.about === 'combination') return combinationTruth(rule, view, around);
  // A condition under `tools:` sees the call, not its capabilities.
  return truthOf(rule.condition, callView(view));
}

/** The rule lists the capability, and all the rest is present. */
function combinationTruth(rule: CombinationRule, view: CapabilityView, around: Surroundings): Truth {
  const present = rule.within === 'run' ? [...around.capabilities, ...around.history] : around.capabilities;
  const isPresent = (member: CombinationMember) =>
    either(present.map((capability) => memberTruth(member, { ...view, capability: canonical(capability) })));
  return both([
    truthOf(rule.condition, callView(view)),
    either(rule.members.map((member) => memberTruth(member, view))),
    ...rule.members.map(isPresent),
  ]);
}

function memberTruth({ name, condition }: CombinationMember, view: CapabilityView): Truth {
  return isWithin(view.capability.name, name) ? truthOf(condition, view) : false;
}

function firstWords(
  key: 'reason' | 'instead',
  layers: readonly Policy[],
  findings: readonly PolicyFinding[],
): string | null {
  const decisions = findings.map((finding) => finding.judgement.decision);
  const top = isNonEmpty(decisions) ? strictest(decisions) : 'pre_approved';
  const deciding = new Set(
    findings.filter((f) => f.judgement.decision === top).flatMap((finding) => finding.deciding),
  );
  const inOrder = layers.flatMap((policy) => rulesOf(policy).filter((rule) => deciding.has(rule)));
  return inOrder.find((rule) => rule[key] !== null)?.[key] ?? null;
}

export interface Finding {
  readonly judgement: Judgement;
  /** In order. */
  readonly deciding: readonly Rule[];
}

/** A rule that concerns a capability of a call, and whether its condition holds there. */
interface Weighed {
  readonly rule: Rule;
  readonly truth: Truth;
}

/** What all rules that concern the capability find, in order. */
export function findingOf(
  policy: Policy,
  concerned: readonly Weighed[],
  { index, worker }: { readonly index: number; readonly worker: string },
): Finding {
  const heard = concerned.filter(({ rule }) => !rule.observe);
  const observed = concerned.filter(({ rule, truth }) => rule.observe && truth !== false);
  const grants = heard.filter(({ rule, truth }) => isStandingGrant(rule) && truth === true);
  const said = heard
    .filter(({ rule, truth }) => !isStandingGrant(rule) && truth !== false)
    .map(({ rule, truth }) => ({ rule, truth, ...saying(rule, truth) }));
  const certain = said.filter(({ truth }) => truth === true);
  const isDefault = !certain.some(({ rule }) => replacesDefault(rule, worker));
  // An undecided rule counts if it is stricter than the others, which is the maximum.
  const decision = strictest([
    isDefault ? policy.default.decision : 'pre_approved',
    ...said.map((rule) => rule.decision),
  ]);
  const deciding = said.filter((rule) => rule.decision === decision);
  const wantsPerson =
    deciding.some((rule) => rule.answer === 'person') ||
    (isDefault && policy.default.decision === decision && policy.default.answer === 'person');
  const answer = decision !== 'needs_approval' ? null : wantsPerson ? 'person' : 'any';
  const grant = answer === 'any' ? grants[0]?.rule : undefined;
  const judgement: Judgement = {
    capability: index,
    policy: policy.name,
    decision,
    default: isDefault,
    rules: certain.map(({ rule }) => reference(rule)),
    undecided: said.flatMap(({ rule, truth }) =>
      isUndecided(truth) ? [undecidedReference(rule, truth.undecided)] : [],
    ),
    ...(observed.length === 0 ? {} : { observed: observed.map(({ rule }) => reference(rule)) }),
    answer,
    answered_by: grant === undefined ? null : { by: 'rule', id: grant.id, at: grant.at },
  };
  return { judgement, deciding: deciding.map(({ rule }) => rule) };
}

/** The first of the strictest. */
export function findingOfSet(findings: readonly Finding[], members: readonly Capability[]): Finding {
  const levels = findings.map(({ judgement }) => strictnessOf(judgement));
  const top = levels.reduce((one, other) => Math.max(one, other));
  const first = levels.indexOf(top);
  const finding = findings[first] as Finding;
  const { path } = members[first] as Capability;
  const count = levels.filter((level) => level === top).length;
  const member = { path: typeof path === 'string' ? path : null, count, of: members.length };
  const { capability, ...rest } = finding.judgement;
  return { ...finding, judgement: { capability, member, ...rest } };
}

/** Orders judgements: by decision, then by who may answer, then by whether they are answered. */
function strictnessOf({ decision, answer, answered_by }: Judgement): number {
  const who = answer === 'person' ? 2 : 0;
  return decisions.indexOf(decision) * 4 + who + (answered_by === null ? 1 : 0);
}

/** An undecided block with `undecided: needs_approval` asks a person. */
function saying(rule: Rule, truth: Truth): Pick<Rule, 'decision' | 'answer'> {
  if (isUndecided(truth) && asksIfUndecided(rule)) return { decision: 'needs_approval', answer: 'person' };
  return { decision: rule.decision, answer: rule.answer };
}

function reference(rule: Rule): RuleReference {
  return { id: rule.id, at: rule.at, decision: rule.decision };
}

function undecidedReference(rule: Rule, why: string): UndecidedRule {
  const { id, at, decision } = reference(rule);
  return asksIfUndecided(rule)
    ? { id, at, decision: 'needs_approval', rule_decision: 'blocked', why }
    : { id, at, decision, why };
}
