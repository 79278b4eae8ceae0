import { type Problem, timeInWords } from '@ambit/policy/internal';
import type { Lint } from './subject/scope.js';

const day = 86_400_000;

const near = 14 * day;

/** Permissions that have ended or soon will. */
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
          help: 'remove the rule, or give it a new end',
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

const long = 30 * day;

/** Rules that are still observed a month after `observed_since`. */
export const longObserved: Lint = ({ file: { sites }, now }) =>
  sites.rules.flatMap(({ rule: { observe, observedSince: since }, entry }): readonly Problem[] => {
    const span = entry('observed_since')?.value.span;
    if (now === null || !observe || since === null || span === undefined || now - since < long) return [];
    return [
      {
        code: 'OBSERVED_LONG',
        span,
        message: `this rule has only been observed for ${Math.floor((now - since) / day)} days, since ${timeInWords(since)}: it decides nothing`,
        help: 'see what it would have said in the logs, then remove `observe`, or the rule',
      },
    ];
  });
