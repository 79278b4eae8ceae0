import { type Clock, counted } from '@ambit/core';
import { type Problem, problem } from '../host/problem.js';
import type { Budget, Totals } from '../host/session.js';
import type { Happening } from '../host/session-event.js';

/** The longest answer. */
const mostTokens = 16_000;

/** The longest time that a timer can wait. */
const mostMinutes = 35_000;

export type BudgetWatch = ReturnType<typeof watchBudget>;

/** Enforces the budget of a run, and stops the run beyond it. */
export function watchBudget(
  budget: Budget,
  of: {
    readonly totals: () => Totals;
    /** Milliseconds before the interruption. */
    readonly lasted: number;
    readonly stop: (why: string) => void;
    readonly clock: Clock;
  },
) {
  const over = (what: string) => {
    const why = `over budget: ${what}`;
    of.stop(why);
    return why;
  };
  const used = () => of.totals().tokens.input + of.totals().tokens.output;
  const { calls, tokens, minutes } = budget;
  return {
    /** Checks the totals after an event. */
    take: (event: Happening): void => {
      // A decision is recorded before its call runs, so concurrent calls cannot evade the limit.
      if (event.type === 'recorded' && calls !== undefined && of.totals().calls > calls)
        over(`the run may make ${counted(calls, 'call')}`);
      // Missing usage counts as too much.
      if (event.type === 'model_turn' && tokens !== undefined && !(used() <= tokens))
        over(`the run may use ${counted(tokens, 'token')}, and has used ${used()}`);
    },
    /** The number of tokens for a model's answer. Stops the run and throws if none is left. */
    answerTokens: (): number => {
      const left = tokens === undefined ? mostTokens : tokens - used();
      if (left > 0) return Math.min(mostTokens, left);
      throw new Error(over(`the run may use ${counted(tokens ?? 0, 'token')}, and has used them`));
    },
    /** Why an answer with this token limit was cut. Stops the run if the limit was the rest of its budget. */
    answerCut: (limit: number): string => {
      if (limit >= mostTokens) return `the model's answer was cut at ${limit} tokens`;
      return over(
        `the run may use ${counted(tokens ?? 0, 'token')}, and an answer was cut at the ${limit} that were left`,
      );
    },
    /** Starts the clock; the returned function stops it. */
    begin: (): (() => void) => {
      const end = new AbortController();
      if (minutes === undefined) return () => end.abort();
      const isOver = () => over(`the run may last ${counted(minutes, 'minute')}`);
      const left = minutes * 60_000 - of.lasted;
      if (left <= 0) isOver();
      else
        void of.clock.after(left, end.signal).then(() => {
          if (!end.signal.aborted) isOver();
        });
      return () => end.abort();
    },
  };
}

/** An invalid limit would never be reached. */
export function budgetProblems({ budget = {} }: { readonly budget?: Budget }): readonly Problem[] {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;
  const odd: readonly (readonly [keyof Budget, boolean, string])[] = [
    ['calls', budget.calls === undefined || isCount(budget.calls), 'a whole number, 0 or more'],
    ['tokens', budget.tokens === undefined || isCount(budget.tokens), 'a whole number, 0 or more'],
    [
      'minutes',
      budget.minutes === undefined || (budget.minutes > 0 && budget.minutes <= mostMinutes),
      `more than 0, at most ${mostMinutes}`,
    ],
  ];
  return odd.flatMap(([name, isLimit, help]) =>
    isLimit ? [] : [problem('BAD_BUDGET', `${String(budget[name])} is not a limit for \`${name}\``, help)],
  );
}
