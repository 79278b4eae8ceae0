import { builtIn, isAboutName, isStricter } from '@ambit/core';
import type { WrittenCombination, WrittenNamedRule, WrittenRule } from '@ambit/policy';
import type { Span } from '@ambit/policy/internal';
import { type RuleName, rulesInWords } from '../../exact/rule-words.js';
import { heardSites, type Lint, type Report, standsForImplied } from '../subject/scope.js';
import { combinationShadow, isCombinationWithin } from './combination-shadow.js';
import {
  asksPerson,
  candidatesFor,
  indexRules,
  isAsStrict,
  isLater,
  isSaidBy,
  keepsWords,
  mayCompare,
  type RuleIndex,
} from './rule-index.js';

/** Rules that change no decision, with the rules that make them redundant. */
export const deadRules: Lint = ({ file, files, inquiry }, report) => {
  const sites = heardSites(file);
  const own = indexRules(
    sites.map(({ rule }) => rule),
    inquiry,
  );
  const others = indexRules(
    files.filter((each) => each !== file).flatMap((each) => heardSites(each).map(({ rule }) => rule)),
    inquiry,
  );
  for (const { rule, decision: span } of sites) {
    if (standsForImplied(file, rule)) continue;
    if (rule.about === 'combination') {
      const by = combinationShadow(rule, own);
      if (by !== null) reportCombination(rule, by, { own, span, report });
      continue;
    }
    const shadow = shadowOf(rule, own);
    const stronger = shadow ?? overridingRule(rule, others);
    if (shadow !== undefined && !(rule.decision === 'pre_approved' && shadow.decision !== 'pre_approved'))
      reportShadow(rule, shadow, { own, span, report });
    else if (stronger !== undefined)
      report('OVERRIDDEN_PERMISSION', span, {
        message: `this permits nothing: wherever it applies, ${rulesInWords([stronger])} is stricter`,
        help: 'an exception is written inside the rule that it excepts (`except:`)',
      });
  }
};

interface Finding {
  readonly own: RuleIndex;
  readonly span: Span;
  readonly report: Report;
}

function shadowOf(rule: WrittenNamedRule, own: RuleIndex): WrittenNamedRule | undefined {
  const others = candidatesFor(rule, own).filter((other) => other !== rule);
  return others.find((other) => mayCompare(rule, other, own) && makesNeedless(rule, other, own));
}

function reportShadow(rule: WrittenNamedRule, by: WrittenNamedRule, { own, span, report }: Finding): void {
  if (isAsStrict(rule, by) && isSaidBy(by, rule, own) === true) reportRepetition([by], span, report);
  else
    report('SHADOWED_RULE', span, {
      message: `this never decides anything: wherever it applies, ${rulesInWords([by])} says ${by.decision}`,
      help: isAsStrict(rule, by)
        ? 'a restriction covers the names under its own; remove one of the two'
        : 'the strictest rule wins: remove this one, or write an exception into the stricter one (`except:`)',
    });
}

/** The rule that always overrides a permission: a block of another file, or the built-in one. */
function overridingRule(rule: WrittenNamedRule, others: RuleIndex): RuleName | undefined {
  if (rule.decision !== 'pre_approved') return undefined;
  const by = candidatesFor(rule, others).find(
    (other) =>
      other.decision === 'blocked' &&
      mayCompare(rule, other, others) &&
      isSaidBy(rule, other, others) === true,
  );
  if (by !== undefined || rule.about === 'tool') return by;
  return builtIn.rules.find(
    (other) =>
      isAboutName(other, rule.name) &&
      others.inquiry.isWithin(others.inquiry.ruleOf(rule), others.inquiry.ruleOf(other)) === true,
  );
}

function reportCombination(
  rule: WrittenCombination,
  by: readonly WrittenRule[],
  { own, span, report }: Finding,
): void {
  const [first] = by;
  const isSame = first?.about === 'combination' && isCombinationWithin(first, rule, own) === true;
  if (isSame && isAsStrict(rule, first)) reportRepetition(by, span, report);
  else
    report('SHADOWED_RULE', span, {
      message: `this never decides anything: what it lists is always restricted by ${rulesInWords(by)}`,
      help: 'remove it, or the stricter rules',
    });
}

function reportRepetition(by: readonly WrittenRule[], span: Span, report: Report): void {
  report('REPEATED_RULE', span, {
    message: `this says the same as ${rulesInWords(by)}`,
    help: 'keep one of the two',
  });
}

/** Of two equal rules, one stays. */
function makesNeedless(rule: WrittenNamedRule, other: WrittenNamedRule, own: RuleIndex): boolean {
  if (isGrant(rule) && !isGrant(other)) return isUnanswerable(other) && isSaidBy(rule, other, own) === true;
  if (isSaidBy(rule, other, own) !== true) return false;
  // A stricter rule has the last word, whatever this one's reason would have been.
  if (isStricter(other.decision, rule.decision)) return true;
  // Authors repeat a general restriction for one worker on purpose.
  if (rule.worker !== other.worker && rule.decision !== 'pre_approved') return false;
  if (!keepsWords(rule, other, own)) return false;
  const isMutual = isSaidBy(other, rule, own) !== false;
  return !isMutual || isLater(rule, other, own) || !keepsWords(other, rule, own);
}

function isGrant({ about, decision }: WrittenNamedRule): boolean {
  return about === 'tool' && decision === 'pre_approved';
}

/** Whether no grant answers what a rule asks. */
function isUnanswerable(rule: WrittenRule): boolean {
  return rule.decision === 'blocked' || asksPerson(rule);
}
