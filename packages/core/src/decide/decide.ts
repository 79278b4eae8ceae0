import { canonical } from '../words/canonical.js';
import { type Capability, isWithin, withoutRepetition } from '../words/capability.js';
import { type Decision, isNonEmpty, type NonEmpty, strictest } from '../words/decision.js';
import { fileSetOf, membersOf } from '../words/files/file-set.js';
import { concerns } from './concerns.js';
import { both, either, type Truth, truthOf } from './condition.js';
import { type Finding, findingOf, findingOfSet } from './finding.js';
import type { CallDecision, Judgement } from './judgement.js';
import { rulesOf } from './opacity.js';
import { builtIn, carriedCapabilities, type Policy } from './policy.js';
import { type CapabilityView, callView, type Request } from './request.js';
import type { CombinationMember, CombinationRule, Rule } from './rule.js';

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
  const view = { ...request, capability: canonical(capability) };
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

function isSilent({ policy, judgement }: PolicyFinding): boolean {
  return policy === builtIn && judgement.default;
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
