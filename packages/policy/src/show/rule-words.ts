import {
  type CallView,
  type Capability,
  type CapabilityView,
  isUndecided,
  type Json,
  valueInWords,
} from '@ambit/core';
import { matchesFact } from '../condition/match.js';
import { type Match, patternText } from '../condition/pattern.js';
import type { WrittenRule } from '../document/document.js';
import { partTruths, type RuleParts } from '../document/rule-condition.js';
import { escapeText, quote } from '../text/escape.js';

/** Empty for always. */
export function conditionsInWords({ match, except, when, until }: RuleParts): readonly string[] {
  return [
    ...(match === null ? [] : [`where ${matchInWords(match)}`]),
    ...(except === null ? [] : [`except where ${matchInWords(except)}`]),
    ...(when === null ? [] : [`when ${escapeText(JSON.stringify(when.json))}`]),
    ...(until === null ? [] : [`until ${timeInWords(until)}`]),
  ];
}

/** `fs.write`, `net and everything under it`, `secret.read together with net.connect`. */
export function subjectInWords(rule: WrittenRule): string {
  if (rule.about === 'combination')
    return rule.members.map(({ name }) => `${name} and everything under it`).join(' together with ');
  if (rule.about === 'tool')
    return rule.name.endsWith('.*') ? `every tool of ${rule.name.slice(0, -2)}` : `the tool ${rule.name}`;
  return rule.below || rule.decision !== 'pre_approved' ? `${rule.name} and everything under it` : rule.name;
}

/** Null if it applies. */
export function silenceInWords(rule: RuleParts, view: CallView | CapabilityView): string | null {
  const parts = partTruths(rule, view);
  const part = parts.find(({ truth }) => truth === false) ?? parts.find(({ truth }) => isUndecided(truth));
  if (part === undefined) return null;
  if (isUndecided(part.truth)) return `undecided: ${escapeText(part.truth.undecided)}`;
  const capability = 'capability' in view ? view.capability : null;
  switch (part.part) {
    case 'until':
      return `it ended at ${timeInWords(rule.until ?? 0)}`;
    case 'when':
      return `its condition is false: ${escapeText(JSON.stringify(rule.when?.json))}`;
    case 'except':
      return `excepted: ${coveredInWords(rule.except, capability)}`;
    case 'match':
      return uncoveredInWords(rule.match, capability);
  }
}

export function timeInWords(instant: number): string {
  return new Date(instant).toISOString();
}

function matchInWords(match: Match): string {
  return match
    .map(
      ({ fact, patterns }) =>
        `${escapeText(fact)} is ${patterns.map((pattern) => escapeText(patternText(pattern))).join(' or ')}`,
    )
    .join(' and ');
}

function uncoveredInWords(match: Match | null, capability: Capability | null): string {
  const failing = match?.find(
    (patterns) => capability !== null && matchesFact(patterns, capability) === false,
  );
  if (failing === undefined || capability === null) return 'its match is false';
  const patterns = failing.patterns.map((pattern) => quote(patternText(pattern))).join(' or ');
  return `${escapeText(failing.fact)} is ${quote(valueInWords(capability[failing.fact] as Json))}, not ${patterns}`;
}

function coveredInWords(match: Match | null, capability: Capability | null): string {
  if (match === null || capability === null) return 'its exception holds';
  return match
    .map(({ fact, patterns }) => {
      const pattern = patterns.find(
        (candidate) => matchesFact({ fact, patterns: [candidate] }, capability) === true,
      );
      return `${escapeText(fact)} is ${quote(valueInWords(capability[fact] as Json))}, which is ${pattern === undefined ? 'excepted' : quote(patternText(pattern))}`;
    })
    .join(' and ');
}
