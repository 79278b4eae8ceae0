import { type Problem, timeInWords } from '@ambit/policy/internal';
import type { Lint } from './scope.js';

const day = 86_400_000;

/** A rule that was tried for so long has shown what it would do. */
const long = 30 * day;

/** Rules that are still only observed a month after the instant under `observed_since`. */
export const longObserved: Lint = ({ file: { sites }, now }) =>
  sites.rules.flatMap(({ rule: { observe, observedSince: since }, entry }): readonly Problem[] => {
    const span = entry('observed_since')?.value.span;
    if (now === null || !observe || since === null || span === undefined || now - since < long) return [];
    return [
      {
        code: 'OBSERVED_LONG',
        span,
        message: `this rule has only been observed for ${Math.floor((now - since) / day)} days, since ${timeInWords(since)}: it decides nothing`,
        help: 'see what it would have said in the logs, then take `observe` away, or the rule',
      },
    ];
  });
