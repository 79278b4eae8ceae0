import type { Costs } from '../host/session.js';
import type { Happening } from '../host/session-event.js';
import { matchesModel } from '../worker-file/model-name.js';

/** What models cost, by the project's configuration. */
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

/** Adds up what models took. */
export interface Bill {
  add(took: {
    readonly model: string;
    readonly tokens: { readonly input: number; readonly output: number };
    readonly provider_uses?: number;
  }): void;
  /** Null once anything was taken that has no price. */
  total(): Costs | null;
}

export function createBill(prices: Prices | null): Bill {
  let millionths: number | null = prices === null ? null : 0;
  return {
    add({ model, tokens, provider_uses }) {
      const price = priceOf(prices, model);
      // What tools of a provider cost is in no price for tokens.
      if (price === null || millionths === null || provider_uses !== undefined) millionths = null;
      else millionths += tokens.input * price.input + tokens.output * price.output;
    },
    total() {
      if (prices === null || millionths === null || !Number.isFinite(millionths)) return null;
      return { amount: Math.round(millionths) / 1_000_000, currency: prices.currency };
    },
  };
}

/** A turn of a model with what it cost; everything else, and a turn without a price, as it is. */
export function withCosts(event: Happening, prices: Prices | null): Happening {
  if (event.type !== 'model_turn') return event;
  const bill = createBill(prices);
  bill.add(event);
  const costs = bill.total();
  return costs === null ? event : { ...event, costs };
}

/** The price that all globs agree on which mean the model; null where there is none, or more than one. */
function priceOf(prices: Prices | null, model: string): ModelPrice | null {
  const [first, ...others] = (prices?.models ?? []).filter(({ glob }) => matchesModel(glob, model));
  if (first === undefined) return null;
  const isSame = ({ input, output }: ModelPrice) => input === first.input && output === first.output;
  return others.every(isSame) ? first : null;
}
