import { matchesWildcards } from '@ambit/core';
import type { Costs } from '../host/session.js';
import type { Happening } from '../host/session-event.js';

export interface Prices {
  readonly currency: string;
  readonly models: readonly ModelPrice[];
}

export interface ModelPrice {
  /** Of model names, as workers state them. */
  readonly glob: string;
  /** Of a million tokens. */
  readonly input: number;
  readonly output: number;
}

export interface Bill {
  add(took: {
    readonly model: string;
    readonly tokens: { readonly input: number; readonly output: number };
    readonly provider_uses?: number;
  }): void;
  /** Null once a usage has no price. */
  total(): Costs | null;
}

export function createBill(prices: Prices | null): Bill {
  let millionths: number | null = prices === null ? null : 0;
  return {
    add({ model, tokens, provider_uses }) {
      const price = priceOf(prices, model);
      // Prices for tokens do not cover tools of a provider.
      if (price === null || millionths === null || provider_uses !== undefined) millionths = null;
      else millionths += tokens.input * price.input + tokens.output * price.output;
    },
    total() {
      if (prices === null || millionths === null || !Number.isFinite(millionths)) return null;
      return { amount: Math.round(millionths) / 1_000_000, currency: prices.currency };
    },
  };
}

/** Adds the cost to a model turn, if it has a price. */
export function withCosts(event: Happening, prices: Prices | null): Happening {
  if (event.type !== 'model_turn') return event;
  const bill = createBill(prices);
  bill.add(event);
  const costs = bill.total();
  return costs === null ? event : { ...event, costs };
}

/** The price on which all matching globs agree; null for none or several. */
function priceOf(prices: Prices | null, model: string): ModelPrice | null {
  const [first, ...others] = (prices?.models ?? []).filter(({ glob }) => matchesWildcards(glob, model));
  if (first === undefined) return null;
  const isSame = ({ input, output }: ModelPrice) => input === first.input && output === first.output;
  return others.every(isSame) ? first : null;
}
