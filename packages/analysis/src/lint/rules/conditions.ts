import { heardSites, type Lint } from '../subject/scope.js';

/** Conditions with the same truth for every call of their rule. */
export const constantConditions: Lint = ({ file, inquiry }) =>
  heardSites(file).flatMap(({ rule, entry }) => {
    const span = entry('when')?.keySpan;
    if (rule.when === null || span === undefined) return [];
    const { isTrue, isFalse, isUndecided } = inquiry.truthsOf(inquiry.ruleOf(rule));
    if (isTrue && (isFalse || isUndecided)) return [];
    const permits = rule.decision === 'pre_approved';
    const [message, help] = isTrue
      ? ['this condition is always true', 'remove `when`']
      : !isFalse
        ? [
            'this condition is never true and never false, so it is always undecided',
            permits
              ? 'an undecided permission permits nothing; compare what it gives with something'
              : 'an undecided restriction always counts; compare what it gives with something',
          ]
        : [
            'this condition is never true',
            permits
              ? 'the rule permits nothing; remove it, or mend the condition'
              : `the rule ${isUndecided ? 'counts only where the condition cannot be decided' : 'never applies'}; remove it, or mend the condition`,
          ];
    return [{ code: 'CONSTANT_CONDITION', span, message, help }];
  });
