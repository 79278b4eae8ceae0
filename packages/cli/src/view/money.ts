import type { RunResult } from '@ambit/runtime';

export type Money = NonNullable<RunResult['totals']['costs']>;

/** Null if one is unknown, or the currencies differ. */
export function sumOf(one: Money | null, other: Money | null): Money | null {
  if (one === null || other === null || one.currency !== other.currency) return null;
  return { amount: one.amount + other.amount, currency: one.currency };
}

/** To a hundredth, or below one to a ten-thousandth; `<` below that. */
export function moneyText({ amount, currency }: Money): string {
  if (amount > 0 && amount < 0.0001) return `< 0.0001 ${currency}`;
  return `${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)} ${currency}`;
}

export function tokenText(count: number): string {
  return Number.isFinite(count) ? String(count) : 'unknown';
}
