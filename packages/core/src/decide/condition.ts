/** Neither true nor false, with the reason: a missing fact, or kinds that cannot be compared. */
export interface Undecided {
  readonly undecided: string;
}

/** The three values of Kleene's logic. */
export type Truth = boolean | Undecided;

/** The condition of a rule. It never throws and has no effect. */
export type Condition<View> = (view: View) => Truth;

export const always: Condition<unknown> = () => true;

export function isUndecided(truth: Truth): truth is Undecided {
  return typeof truth !== 'boolean';
}

/** False if one is false, else undecided if one is undecided, else true. */
export function both(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.find(isUndecided) ?? true;
}

/** True if one is true, else undecided if one is undecided, else false. */
export function either(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.find(isUndecided) ?? false;
}

export function negation(truth: Truth): Truth {
  return isUndecided(truth) ? truth : !truth;
}

/** A condition made in code may return anything: anything but a truth is undecided. */
export function truthOf<View>(condition: Condition<View>, view: View): Truth {
  const truth: unknown = condition(view);
  if (typeof truth === 'boolean') return truth;
  return { undecided: undecidedIn(truth) ?? 'the condition returned neither true, false nor a reason' };
}

function undecidedIn(truth: unknown): string | null {
  if (typeof truth !== 'object' || truth === null || !Object.hasOwn(truth, 'undecided')) return null;
  const { undecided } = truth as { readonly undecided: unknown };
  return typeof undecided === 'string' ? undecided : null;
}
