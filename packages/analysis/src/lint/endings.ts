import { type Problem, timeInWords } from '@ambit/policy/internal';
import type { Lint } from './scope.js';

const day = 86_400_000;

/** An end that is nearer is pointed out. */
const near = 14 * day;

/** Permissions that have ended, and those that soon will. */
export const endings: Lint = ({ file: { sites }, now }) =>
  sites.rules.flatMap(({ rule, entry }): readonly Problem[] => {
    const span = entry('until')?.value.span;
    if (now === null || rule.about === 'combination' || rule.until === null || span === undefined) return [];
    const left = rule.until - now;
    const when = timeInWords(rule.until);
    if (left <= 0)
      return [
        {
          code: 'UNTIL_PAST',
          span,
          message: `this permission ended at ${when}, and permits nothing any more`,
          help: 'take the rule away, or give it a new end',
        },
      ];
    if (left > near) return [];
    const days = Math.ceil(left / day);
    return [
      {
        code: 'UNTIL_NEAR',
        span,
        message: `this permission ends in ${days === 1 ? 'less than a day' : `${days} days`}, at ${when}`,
        help: 'what it permits will then be decided by the rest of the policy',
      },
    ];
  });
