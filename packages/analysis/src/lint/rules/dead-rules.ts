import { builtIn, isAboutName, isStricter } from '@ambit/core';
import type { WrittenCombination, WrittenNamedRule, WrittenRule } from '@ambit/policy';
import type { Problem, Span } from '@ambit/policy/internal';
import { type RuleName, rulesInWords } from '../../exact/rule-words.js';
import { heardSites, type Lint, standsForImplied } from '../subject/scope.js';
import type { RuleSite } from '../subject/sites.js';
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
export const deadRules: Lint = ({ file, files, inquiry }) => {
  const sites = heardSites(file);
  const own = indexRules(
    sites.map(({ rule }) => rule),
    inquiry,
  );
  const others = indexRules(
    files.filter((each) => each !== file).flatMap((each) => heardSites(each).map(({ rule }) => rule)),
    inquiry,
  );
  return sites.flatMap((site) => {
    if (standsForImplied(file, site.rule)) return [];
    const problem =
      site.rule.about === 'combination'
        ? shadowedCombination(site, site.rule, own)
        : (shadowed(site, site.rule, own) ?? overridden(site, site.rule, others));
    return problem === null ? [] : [problem];
  });
};

function shadowed(site: RuleSite, rule: WrittenNamedRule, own: RuleIndex): Problem | null {
  const others = candidatesFor(rule, own).filter((other) => other !== rule);
  const by = others.find((other) => mayCompare(rule, other, own) && makesNeedless(rule, other, own));
  if (by === undefined) return null;
  if (rule.decision === 'pre_approved' && by.decision !== 'pre_approved') return override(site, [by]);
  const same = isAsStrict(rule, by) && isSaidBy(by, rule, own) === true;
  const span = site.decision;
  if (same) return repeated(span, [by]);
  return {
    code: 'SHADOWED_RULE',
    span,
    message: `this never decides anything: wherever it applies, ${rulesInWords([by])} says ${by.decision}`,
    help: isAsStrict(rule, by)
      ? 'a restriction covers the names under its own; remove one of the two'
      : 'the strictest rule wins: remove this one, or write an exception into the stricter one (`except:`)',
  };
}

/** A permission that a block of another file always overrides. */
function overridden(site: RuleSite, rule: WrittenNamedRule, others: RuleIndex): Problem | null {
  if (rule.decision !== 'pre_approved') return null;
  const by = candidatesFor(rule, others).find(
    (other) =>
      other.decision === 'blocked' &&
      mayCompare(rule, other, others) &&
      isSaidBy(rule, other, others) === true,
  );
  if (by !== undefined) return override(site, [by]);
  if (rule.about === 'tool') return null;
  const guard = builtIn.rules.find(
    (other) =>
      isAboutName(other, rule.name) &&
      others.inquiry.isWithin(others.inquiry.ruleOf(rule), others.inquiry.ruleOf(other)) === true,
  );
  return guard === undefined ? null : override(site, [guard]);
}

function override(site: RuleSite, by: readonly RuleName[]): Problem {
  return {
    code: 'OVERRIDDEN_PERMISSION',
    span: site.decision,
    message: `this permits nothing: wherever it applies, ${rulesInWords(by)} is stricter`,
    help: 'an exception is written inside the rule that it excepts (`except:`)',
  };
}

function shadowedCombination(site: RuleSite, rule: WrittenCombination, own: RuleIndex): Problem | null {
  const by = combinationShadow(rule, own);
  if (by === null) return null;
  const [first] = by;
  const isSame = first?.about === 'combination' && isCombinationWithin(first, rule, own) === true;
  return isSame && isAsStrict(rule, first)
    ? repeated(site.decision, by)
    : {
        code: 'SHADOWED_RULE',
        span: site.decision,
        message: `this never decides anything: what it lists is always restricted by ${rulesInWords(by)}`,
        help: 'remove it, or the stricter rules',
      };
}

function repeated(span: Span, by: readonly WrittenRule[]): Problem {
  return {
    code: 'REPEATED_RULE',
    span,
    message: `this says the same as ${rulesInWords(by)}`,
    help: 'keep one of the two',
  };
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
