import type { Expression } from '@ambit/policy';
import { keysOf, quote } from '@ambit/policy/internal';
import { heardSites, type Lint, standsForImplied } from '../subject/scope.js';
import { matchersIn } from '../subject/sites.js';

/** Conditions with the same truth for every call of their rule. */
export const constantConditions: Lint = ({ file, inquiry }, report) => {
  for (const { rule, entry } of heardSites(file)) {
    const span = entry('when')?.keySpan;
    if (rule.when === null || span === undefined) continue;
    const { isTrue, isFalse, isUndecided } = inquiry.truthsOf(inquiry.ruleOf(rule));
    if (isTrue && (isFalse || isUndecided)) continue;
    const permits = rule.decision === 'pre_approved';
    const [message, help]: [string, string] = isTrue
      ? ['this condition is always true', 'remove `when`']
      : !isFalse
        ? [
            'this condition is never true and never false, so it is always undecided',
            permits
              ? 'an undecided permission permits nothing; compare its value with something'
              : 'an undecided restriction always counts; compare its value with something',
          ]
        : [
            'this condition is never true',
            spellsNumber(rule.when.expression)
              ? 'a number is never in a list of texts: write it without quotes'
              : permits
                ? standsForImplied(file, rule)
                  ? 'remove `when`: the rule turns off the question that is asked without it'
                  : 'the rule permits nothing; remove it, or correct the condition'
                : `the rule ${isUndecided ? 'counts only where the condition cannot be decided' : 'never applies'}; remove it, or correct the condition`,
          ];
    report('CONSTANT_CONDITION', span, { message, help });
  }
};

/** Whether a text in the list of an `in` spells a number. */
function spellsNumber(expression: Expression): boolean {
  if (expression.kind !== 'operation') return false;
  const { operator, operands } = expression;
  const listed = operator === 'in' && operands[1]?.kind === 'list' ? operands[1].items : [];
  const isNumeral = (one: Expression) =>
    one.kind === 'literal' && typeof one.value === 'string' && /^-?\d+(?:\.\d+)?$/.test(one.value);
  return listed.some(isNumeral) || operands.some(spellsNumber);
}

/** The one way for a rule to decide more loosely behind another caller. */
export const chainConditions: Lint = ({ file }, report) => {
  for (const { rule, entry } of heardSites(file)) {
    const span = entry('when')?.keySpan;
    const keys = rule.when === null ? [] : keysOf(rule.when.expression);
    if (span === undefined || !keys.some((key) => /^chain(?:\.|$)/.test(`${key}`))) continue;
    report('READS_CHAIN', span, {
      message: 'this condition reads `chain`, so a worker in front of the callers may change the decision',
      help: 'a restriction under `workers:` holds for the worker and for those who act for it',
    });
  }
};

/** Exceptions that remove everything or nothing. */
export const exceptions: Lint = ({ file, inquiry }, report) => {
  for (const site of heardSites(file)) {
    const { about, decision } = site.rule;
    const kind =
      about === 'combination' ? 'member' : decision === 'pre_approved' ? 'permission' : 'restriction';
    for (const { of, entry } of matchersIn(site)) {
      const span = entry('except')?.keySpan;
      const { match, except } = of;
      if (span === undefined || match === null || except === null) continue;
      if (inquiry.isExcepted(match, except) === true) {
        report('NEVER_APPLIES', span, {
          message: `everything that \`match\` covers is excepted again, so this ${never[kind]}`,
          help: 'an exception must be narrower than its rule',
        });
        continue;
      }
      const apart = match.find((one) =>
        except.some((other) => one.fact === other.fact && inquiry.isIdle([one], [other]) === true),
      );
      if (apart !== undefined)
        report('IDLE_EXCEPTION', span, {
          message: `nothing that \`match\` covers is excepted here: no ${quote(apart.fact)} is covered by both`,
          help: 'make the two patterns meet, or remove the exception',
        });
    }
  }
};

const never = {
  permission: 'permits nothing',
  restriction: 'never applies for certain',
  member: 'is never present for certain',
} as const;
