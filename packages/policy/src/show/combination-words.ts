import {
  type Capability,
  type CapabilityView,
  canonical,
  either,
  inWords,
  isUndecided,
  isWithin,
  type Request,
  type Truth,
} from '@ambit/core';
import type { WrittenCombination, WrittenMember } from '../document/document.js';
import { partsOf, ruleCondition } from '../document/rule-condition.js';
import { escapeText } from '../text/escape.js';
import { conditionsInWords, silenceInWords } from './rule-words.js';

export interface CombinationSubject {
  readonly capability: Capability;
  /** With added ones. */
  readonly carried: readonly Capability[];
  readonly request: Request;
}

/** Why a combination does not apply to a capability, or may not; null if it applies. */
export function combinationSilence(rule: WrittenCombination, scene: CombinationSubject): string | null {
  const { capability, request } = scene;
  const call = partsOf({ when: rule.when });
  const callTruth = ruleCondition(call)(request);
  if (callTruth === false) return silenceInWords(call, request);
  const listed = rule.members.filter(({ name }) => isWithin(capability.name, name));
  const own = either(listed.map((member) => memberTruth(member, capability, request)));
  if (own === false) {
    const reasons = listed.map((member) => silenceInWords(partsOf(member), viewOf(capability, request)));
    return `it lists another: ${reasons.filter((reason) => reason !== null).join('; ')}`;
  }
  const present = rule.within === 'run' ? [...scene.carried, ...request.history] : scene.carried;
  const presence = rule.members.map((member) =>
    either(present.map((each) => memberTruth(member, each, request))),
  );
  const absent = rule.members.find((_, index) => presence[index] === false);
  if (absent !== undefined) return `${memberInWords(absent)}: ${nowhere[rule.within]}`;
  const undecided = [callTruth, own, ...presence].find(isUndecided);
  return undecided === undefined ? null : `undecided: ${escapeText(undecided.undecided)}`;
}

/** Where each entry of a combination was found, one line per entry. */
export function whereFound(rule: WrittenCombination, scene: CombinationSubject): readonly string[] {
  const places = [
    { list: scene.carried, where: 'in this call' },
    ...(rule.within === 'run'
      ? [{ list: scene.request.history, where: 'permitted before in this run' }]
      : []),
  ];
  const candidates = places.flatMap(({ list, where }) =>
    list.map((capability) => ({ capability, where: `${where}: ${escapeText(inWords(capability))}` })),
  );
  return rule.members.map((member) => {
    const seen = candidates.map(({ capability, where }) => ({
      where,
      truth: memberTruth(member, capability, scene.request),
    }));
    const best = seen.find(({ truth }) => truth === true) ?? seen.find(({ truth }) => isUndecided(truth));
    const place =
      best === undefined
        ? nowhere[rule.within]
        : isUndecided(best.truth)
          ? `perhaps ${best.where} (undecided: ${escapeText(best.truth.undecided)})`
          : best.where;
    return `${memberInWords(member)}: ${place}`;
  });
}

/** The entries, with their conditions: `net.connect (except where host is a.example)`. */
export function memberInWords(member: WrittenMember): string {
  const conditions = conditionsInWords(partsOf(member));
  return conditions.length === 0 ? member.name : `${member.name} (${conditions.join(', ')})`;
}

const nowhere = {
  call: 'not in this call',
  run: 'neither in this call nor permitted before in this run',
} as const;

function memberTruth(member: WrittenMember, capability: Capability, request: Request): Truth {
  if (!isWithin(capability.name, member.name)) return false;
  return ruleCondition(partsOf(member))(viewOf(capability, request));
}

function viewOf(capability: Capability, request: Request): CapabilityView {
  return { ...request, capability: canonical(capability) };
}
