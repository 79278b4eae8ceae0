import {
  isJsonObject,
  type Json,
  type LogEvent,
  matchesWildcards,
  type NonEmpty,
  remembered,
} from '@ambit/core';
import type { Costs, Totals } from '../host/session.js';
import type { Happening } from '../host/session-event.js';

export interface Prices {
  readonly currency: string;
  readonly models: readonly ModelPrice[];
}

interface ModelPrice {
  /** Of model names, as workers state them. */
  readonly glob: string;
  /** Of a million tokens. */
  readonly input: number;
  readonly output: number;
}

interface Bill {
  add(took: {
    readonly model: string;
    readonly tokens: { readonly input: number; readonly output: number };
    readonly provider_uses?: number;
  }): void;
  /** Null once a usage has no price. */
  total(): Costs | null;
}

function createBill(prices: Prices | null): Bill {
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

interface Tally {
  readonly take: (event: Happening) => void;
  readonly totals: () => Totals;
}

/** Costs are null without prices. */
export function createTally(prices: Prices | null = null): Tally {
  const judged = new Set<string>();
  const decisions = { pre_approved: 0, needs_approval: 0, blocked: 0, unjudged: 0 };
  const outcomes = { completed: 0, refused: 0, failed: 0 };
  const approvedBy = new Map<string, number>();
  const tokens = { input: 0, output: 0 };
  const bill = createBill(prices);
  const workers = new Map<string, { calls: number; tokens: { input: number; output: number }; bill: Bill }>();

  function workerOf(chain: NonEmpty<string>) {
    const name = chain[chain.length - 1] ?? chain[0];
    const empty = () => ({ calls: 0, tokens: { input: 0, output: 0 }, bill: createBill(prices) });
    return remembered(workers, name, empty);
  }

  function takeRecorded(event: LogEvent): void {
    if (event.event === 'decision' && !judged.has(event.call)) {
      judged.add(event.call);
      decisions[event.decision ?? 'unjudged'] += 1;
      workerOf(event.chain).calls += 1;
    }
    if (event.event === 'outcome') outcomes[event.outcome] += 1;
    if (event.event === 'approval' && event.approved) {
      const by = approver(event);
      approvedBy.set(by, (approvedBy.get(by) ?? 0) + 1);
    }
  }

  return {
    take(event) {
      if (event.type === 'recorded') takeRecorded(event.event);
      if (event.type === 'model_turn') {
        const worker = workerOf(event.chain);
        for (const count of [tokens, worker.tokens]) {
          count.input += event.tokens.input;
          count.output += event.tokens.output;
        }
        for (const each of [bill, worker.bill]) each.add(event);
      }
    },
    totals: () => ({
      calls: judged.size,
      decisions: { ...decisions },
      outcomes: { ...outcomes },
      approvedBy: Object.fromEntries(approvedBy),
      tokens: { ...tokens },
      costs: bill.total(),
      workers: Object.fromEntries(
        [...workers].map(([name, of]) => [
          name,
          { calls: of.calls, tokens: { ...of.tokens }, costs: of.bill.total() },
        ]),
      ),
    }),
  };
}

function approver({ how, who }: Extract<LogEvent, { event: 'approval' }>): string {
  if (how === 'mode') return `mode:${inWords(who)}`;
  return how === 'person' && isJsonObject(who) && who.person !== undefined
    ? `person:${inWords(who.person)}`
    : how;
}

function inWords(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
