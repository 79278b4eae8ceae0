import {
  callView,
  canonical,
  concerns,
  isAboutName,
  isAboutTool,
  isWithin,
  type Judgement,
  type RuleReference,
} from '@ambit/core';
import type { PolicyDocument, WrittenRule } from '../document/document.js';
import { escapeText } from '../text/escape.js';
import { type CombinationSubject, combinationSilence, whereFound } from './combination-words.js';
import { silenceInWords } from './rule-words.js';

/** The result of each rule of a policy for a capability, with matching rules first. */
export function ruleLines(
  judgement: Judgement,
  document: PolicyDocument | undefined,
  scene: CombinationSubject,
): readonly string[] {
  const rules = document?.rules ?? [];
  const { observed = [], undecided } = judgement;
  const written = (reference: RuleReference) => rules.find(({ id }) => id === reference.id);
  const found = (reference: RuleReference) => {
    const rule = written(reference);
    return rule?.about === 'combination' ? whereFound(rule, scene).map((line) => `${margin}${line}`) : [];
  };
  const isMentioned = (rule: WrittenRule) =>
    [...judgement.rules, ...undecided, ...observed].some(({ id, at }) => id === rule.id && at === rule.at);
  const silent = rules
    .filter((rule) => !isMentioned(rule))
    .map((rule) => ({ rule, why: silence(rule, scene) }))
    .filter(({ why }) => why !== null);
  return [
    ...judgement.rules.flatMap((rule) => [
      `    applies    ${ruleText(rule)}${reasonOf(written(rule))}`,
      ...found(rule),
    ]),
    ...undecided.flatMap((rule) => [
      `    undecided  ${ruleText(rule)}: ${escapeText(rule.why)}`,
      ...(rule.rule_decision === undefined
        ? []
        : [`${margin}it blocks where it applies; undecided, it asks a person`]),
      ...found(rule),
    ]),
    ...silent
      .filter(({ rule }) => !rule.observe)
      .map(({ rule, why }) => `    does not   ${ruleText(rule)}: ${why}`),
    ...observed.flatMap((rule) => [
      `    observed   ${ruleText(rule)}: ${observedText(written(rule), scene)}`,
      ...found(rule),
    ]),
    ...silent
      .filter(({ rule }) => rule.observe)
      .map(({ rule, why }) => `    observed   ${ruleText(rule)}: would not apply: ${why}`),
  ];
}

const margin = ' '.repeat(17);

/** Why a rule about a capability does not apply, or may not; null if it does, or concerns another. */
function silence(rule: WrittenRule, scene: CombinationSubject): string | null {
  const { capability, request } = scene;
  if (!concerns(rule, capability.name, request)) return whyUnconcerned(rule, scene);
  if (rule.about === 'combination') return combinationSilence(rule, scene);
  return silenceInWords(
    rule,
    rule.about === 'tool' ? callView(request) : { ...request, capability: canonical(capability) },
  );
}

/** Why a rule that names the capability or the tool is not for this call; null if it names neither. */
function whyUnconcerned(
  rule: WrittenRule,
  { capability: { name }, request }: CombinationSubject,
): string | null {
  if (!isAboutTool(rule, request.tool)) return null;
  if (isAboutName(rule, name)) return `it is for the worker ${rule.worker}`;
  return rule.about === 'capability' && isWithin(name, rule.name)
    ? `a permission covers ${rule.name} alone, not what is under it`
    : null;
}

function observedText(rule: WrittenRule | undefined, scene: CombinationSubject): string {
  const why = rule === undefined ? null : silence(rule, scene);
  return why === null ? `would apply${reasonOf(rule)}` : why;
}

function ruleText(rule: RuleReference): string {
  return `${rule.decision}  ${escapeText(rule.id)} (${escapeText(rule.at)})`;
}

function reasonOf(rule: WrittenRule | undefined): string {
  return rule === undefined || rule.reason === null ? '' : `: ${escapeText(rule.reason)}`;
}
