import {
  type CallDecision,
  type Capability,
  type DecidingMember,
  decidingPaths,
  fileSetOf,
  inWords,
  type Judgement,
  memberInWords,
  membersIn,
  type NonEmpty,
  nonCanonicalFacts,
  type Origin,
  originInWords,
  originsOf,
  type Policy,
  type Request,
  unknownMember,
  valueInWords,
} from '@ambit/core';
import type { PolicyDocument } from '../document/document.js';
import { escapeText, quote } from '../text/escape.js';
import { placeText } from '../text/place.js';
import { ruleLines } from './explain-rules.js';

export interface Explained {
  readonly decision: CallDecision;
  readonly request: Request;
  /** Rules are explained for policies from files only. */
  readonly policies: NonEmpty<Policy & { readonly document?: PolicyDocument }>;
  /** The policies that added each capability, in order; computed from the policies by default. */
  readonly origins?: readonly Origin[];
}

/** For a person; escaped. */
export function explainDecision(explained: Explained): string {
  const { decision, request } = explained;
  const callers = request.chain.slice(0, -1).reverse().map(escapeText);
  const who = [escapeText(request.worker), ...callers].join(' for ');
  return [
    `${decision.decision}: ${who} calls ${escapeText(request.tool)}`,
    ...decision.capabilities.flatMap((capability, index) => [
      '',
      ...capabilityLines(capability, index, explained),
    ]),
    '',
    ...verdictLines(decision),
  ].join('\n');
}

function capabilityLines(capability: Capability, index: number, explained: Explained): readonly string[] {
  const { decision } = explained;
  const judgements = decision.judgements.filter((judgement) => judgement.capability === index);
  const { name, ...facts } = capability;
  const bad = nonCanonicalFacts(capability);
  const first = decidingPaths(judgements, index);
  const said = Object.entries(facts).map(([fact, value]) =>
    typeof value === 'string' ? `${fact}=${JSON.stringify(value)}` : `${fact}=${valueInWords(value, first)}`,
  );
  return [
    `capability ${index + 1} of ${decision.capabilities.length}: ${escapeText(inWords(capability, [], first))}`,
    `  ${[name, ...said].map(escapeText).join(' ')}`,
    ...originLines(index, explained),
    ...bad.map((fact) => `  ${nonCanonicalText(fact, capability)}`),
    ...judgements.flatMap((judgement) => judgementLines(judgement, capability, explained)),
  ];
}

/** The policies that added a capability. With given capabilities, there are none. */
function originLines(index: number, explained: Explained): readonly string[] {
  const { decision, request, policies } = explained;
  const origins = explained.origins ?? originsOf(decision.capabilities, { request, policies });
  const origin = origins[index];
  if (origin === undefined || (origin.by === 'map' && origins.every(({ by }) => by !== 'tool'))) return [];
  const words = originInWords(origin);
  return words === null ? [] : [`  ${escapeText(words)}`];
}

function judgementLines(
  judgement: Judgement,
  capability: Capability,
  { decision, request, policies }: Explained,
): readonly string[] {
  const policy = policies.find(({ name }) => name === judgement.policy);
  const { member } = judgement;
  const scene = {
    capability: member === undefined ? capability : decidingMember(capability, member),
    carried: membersIn(decision.capabilities),
    request: { ...request, history: membersIn(request.history) },
  };
  return [
    `  ${escapeText(judgement.policy)} says ${judgement.decision}`,
    ...(member === undefined ? [] : [`    because of ${escapeText(memberInWords(member))}`]),
    ...ruleLines(judgement, policy?.document, scene),
    `    default    ${defaultText(judgement, policy)}`,
    ...answerLines(judgement, policy),
  ];
}

function decidingMember(capability: Capability, { path }: DecidingMember): Capability {
  const set = fileSetOf(capability.path);
  return path === null && set !== null
    ? { ...capability, path: unknownMember(set) }
    : { ...capability, path };
}

function nonCanonicalText(fact: string, capability: Capability): string {
  return fileSetOf(capability[fact]) === null
    ? `${quote(fact)} is not in canonical form, so it counts as missing`
    : `${quote(fact)} has members that are not in canonical form, whose paths count as missing`;
}

function defaultText(judgement: Judgement, policy: Explained['policies'][number] | undefined): string {
  if (policy === undefined) return judgement.default ? 'takes part' : 'takes no part';
  const place =
    policy.document === undefined
      ? ''
      : ` (${escapeText(policy.name)}:${placeText(policy.document.default.place)})`;
  return judgement.default
    ? `${policy.default.decision}${place}, because no rule about this capability applies for certain`
    : 'takes no part, because a rule about this capability applies';
}

function answerLines(judgement: Judgement, policy: Policy | undefined): readonly string[] {
  if (judgement.decision === 'blocked') return ['    answer     nothing answers a block'];
  if (judgement.decision === 'pre_approved') return [];
  const { answered_by: answeredBy } = judgement;
  if (answeredBy !== null) return [`    answered   ${answererText(answeredBy)}`];
  return [`    answer     nobody has answered; ${answersText(judgement, policy)}`];
}

function answererText(answer: NonNullable<Judgement['answered_by']>): string {
  switch (answer.by) {
    case 'rule':
      return `by the standing grant ${escapeText(answer.id)} (${escapeText(answer.at)})`;
    case 'reference':
      return `by \`approvals:\` where ${escapeText(answer.worker)} refers to ${escapeText(answer.tool)}`;
    case 'kept':
      return `by the answer ${escapeText(answer.approval)} that ${escapeText(answer.person)} gave before`;
  }
}

/** The answers that the policy accepts. */
function answersText({ answer }: Judgement, policy: Policy | undefined): string {
  if (answer === 'person') return 'a person would have to, for this one call, and nothing else';
  if (policy === undefined) return 'a person could';
  const { workers, remember, reach, unattended } = policy.admits;
  const others = [
    remember === 'call' || reach === 'call'
      ? null
      : `an answer kept ${remember === 'always' ? 'for good' : 'for this run'} (reach: ${reach})`,
    workers === false
      ? null
      : workers === true
        ? '`approvals:` of the worker'
        : `\`approvals:\` of the worker, for ${workers.map(escapeText).join(', ')}`,
    unattended ? 'the mode approve_all' : null,
  ].filter((other) => other !== null);
  return ['a person could', ...others].join('; so could ');
}

function verdictLines({ decision, reason, instead }: CallDecision): readonly string[] {
  return [
    {
      pre_approved: 'so the call runs',
      needs_approval: 'so the call waits for an answer',
      blocked: 'so the call does not run',
    }[decision],
    ...(reason === null ? [] : [`reason: ${escapeText(reason)}`]),
    ...(instead === null ? [] : [`instead: ${escapeText(instead)}`]),
  ];
}
