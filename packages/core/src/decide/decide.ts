import { canonical } from '../words/canonical.js';
import { type Capability, withoutRepetition } from '../words/capability.js';
import { type Decision, isNonEmpty, type NonEmpty, strictest } from '../words/decision.js';
import { fileSetOf, membersOf } from '../words/files/file-set.js';
import { combinationTruth, type Surroundings } from './combination.js';
import { concerns, replacesDefault } from './concerns.js';
import { isUndecided, type Truth, truthOf } from './condition.js';
import { strictnessOf } from './deciding-member.js';
import type { CallDecision, Judgement, RuleReference, UndecidedRule } from './judgement.js';
import { rulesOf } from './opacity.js';
import { builtIn, namesTool, type Policy } from './policy.js';
import { type CapabilityView, callView, type Request } from './request.js';
import { asksIfUndecided, isRestriction, type Rule } from './rule.js';

/** Decides calls: the plain definition below, or an engine that equals it. */
export type Decide = (request: Request, policies: NonEmpty<Policy>) => CallDecision;

/**
 * Decides a call: every policy judges every capability, the strictest judgement wins, and each policy's
 * standing grants answer what they may. Pure, without index or cache: `docs/semantics.md` in code.
 */
export function decide(request: Request, policies: NonEmpty<Policy>): CallDecision {
  const layers = [builtIn, ...policies];
  const capabilities = withoutRepetition([
    ...request.capabilities,
    ...layers.flatMap((policy) => carriedCapabilities(policy, request.tool)),
  ]) as NonEmpty<Capability>;
  const around = {
    capabilities: capabilities.flatMap(membersOf),
    history: request.history.flatMap(membersOf),
  };
  const findings = capabilities.flatMap((capability, index) =>
    layers.map((policy) => judgeMembers(policy, { index, request, capability, around })),
  );
  const judgements = findings.filter((finding) => !isSilent(finding)).map((finding) => finding.judgement);
  const decision = settle(judgements);
  const words = (key: 'reason' | 'instead') => firstWords(key, layers, findings);
  return { decision, capabilities, judgements, reason: words('reason'), instead: words('instead') };
}

/**
 * Blocked wins, then pre_approved (by rule or by grant), then needs_approval. A capability without a
 * judgement is blocked.
 */
export function settle(judgements: readonly Judgement[]): Decision {
  const decisions = judgements.map((judgement) =>
    judgement.answered_by === null ? judgement.decision : 'pre_approved',
  );
  return isNonEmpty(decisions) ? strictest(decisions) : 'blocked';
}

/** A judgement with its rules. */
interface Finding {
  readonly judgement: Judgement;
  readonly policy: Policy;
  /** The rules that gave the judgement its decision. */
  readonly deciding: readonly Rule[];
}

/** One capability of a call, or one member of a file set. */
interface Subject {
  readonly index: number;
  readonly request: Request;
  readonly capability: Capability;
  readonly around: Surroundings;
}

/** Judges each member by itself. The set gets the first of the strictest judgements. */
function judgeMembers(policy: Policy, subject: Subject): Finding {
  const members = membersOf(subject.capability);
  const findings = members.map((member) => judge(policy, { ...subject, capability: member }));
  const levels = findings.map(({ judgement }) => strictnessOf(judgement));
  const top = levels.reduce((one, other) => Math.max(one, other));
  const first = levels.indexOf(top);
  const finding = findings[first] as Finding;
  if (fileSetOf(subject.capability.path) === null) return finding;
  const { path } = members[first] as Capability;
  const count = levels.filter((level) => level === top).length;
  const member = { path: typeof path === 'string' ? path : null, count, of: members.length };
  const { capability, ...rest } = finding.judgement;
  return { ...finding, judgement: { capability, member, ...rest } };
}

function judge(policy: Policy, { index, request, capability, around }: Subject): Finding {
  const view = { ...request, capability: canonical(capability) };
  const concerned = rulesOf(policy)
    .filter((rule) => concerns(rule, capability.name, view))
    .map((rule) => ({ rule, truth: truthOfRule(rule, view, around) }));
  const heard = concerned.filter(({ rule }) => !rule.observe);
  const observed = concerned.filter(({ rule, truth }) => rule.observe && truth !== false);
  const grants = heard.filter(({ rule, truth }) => isStandingGrant(rule) && truth === true);
  const said = heard
    .filter(({ rule, truth }) => !isStandingGrant(rule) && truth !== false)
    .map(({ rule, truth }) => ({ rule, truth, ...saying(rule, truth) }));
  const certain = said.filter(({ truth }) => truth === true);
  const isDefault = !certain.some(({ rule }) => replacesDefault(rule, view.worker));
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
  return { judgement, policy, deciding: deciding.map(({ rule }) => rule) };
}

/** An undecided block with `undecided: needs_approval` asks a person. */
function saying(rule: Rule, truth: Truth): Pick<Rule, 'decision' | 'answer'> {
  if (isUndecided(truth) && asksIfUndecided(rule)) return { decision: 'needs_approval', answer: 'person' };
  return { decision: rule.decision, answer: rule.answer };
}

function truthOfRule(rule: Rule, view: CapabilityView, around: Surroundings): Truth {
  if (rule.about === 'capability') return truthOf(rule.condition, view);
  if (rule.about === 'combination') return combinationTruth(rule, view, around);
  // A condition under `tools:` sees the call, not its capabilities.
  return truthOf(rule.condition, callView(view));
}

function isStandingGrant(rule: Rule): boolean {
  return rule.about === 'tool' && !isRestriction(rule);
}

function carriedCapabilities(policy: Policy, tool: string): readonly Capability[] {
  return policy.carries
    .filter((carried) => namesTool(carried.tool, tool))
    .map((carried) => carried.capability);
}

function isSilent({ policy, judgement }: Finding): boolean {
  return policy === builtIn && judgement.default;
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

function firstWords(
  key: 'reason' | 'instead',
  layers: readonly Policy[],
  findings: readonly Finding[],
): string | null {
  const decisions = findings.map((finding) => finding.judgement.decision);
  const top = isNonEmpty(decisions) ? strictest(decisions) : 'pre_approved';
  const deciding = new Set(
    findings.filter((f) => f.judgement.decision === top).flatMap((finding) => finding.deciding),
  );
  const inOrder = layers.flatMap((policy) => rulesOf(policy).filter((rule) => deciding.has(rule)));
  return inOrder.find((rule) => rule[key] !== null)?.[key] ?? null;
}
