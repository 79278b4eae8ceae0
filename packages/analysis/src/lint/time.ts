import { timeInWords } from '@ambit/policy/internal';
import type { Lint } from './subject/scope.js';

const day = 86_400_000;

const near = 14 * day;

/** Permissions that have ended or soon will. */
export const endings: Lint = ({ file: { sites }, now }, report) => {
  for (const { rule, entry } of sites.rules) {
    const span = entry('until')?.value.span;
    if (now === null || rule.about === 'combination' || rule.until === null || span === undefined) continue;
    const left = rule.until - now;
    const when = timeInWords(rule.until);
    const days = Math.ceil(left / day);
    if (left <= 0)
      report('UNTIL_PAST', span, {
        message: `this permission ended at ${when}, and permits nothing any more`,
        help: 'remove the rule, or give it a new end',
      });
    else if (left <= near)
      report('UNTIL_NEAR', span, {
        message: `this permission ends in ${days === 1 ? 'less than a day' : `${days} days`}, at ${when}`,
        help: 'what it permits will then be decided by the rest of the policy',
      });
  }
};

const long = 30 * day;

/** Rules that are still observed a month after `observed_since`. */
export const longObserved: Lint = ({ file: { sites }, now }, report) => {
  for (const { rule, entry } of sites.rules) {
    const { observe, observedSince: since } = rule;
    const span = entry('observed_since')?.value.span;
    if (now === null || !observe || since === null || span === undefined || now - since < long) continue;
    report('OBSERVED_LONG', span, {
      message: `this rule has only been observed for ${Math.floor((now - since) / day)} days, since ${timeInWords(since)}: it decides nothing`,
      help: 'see what it would have said in the logs, then remove `observe`, or the rule',
    });
  }
};
