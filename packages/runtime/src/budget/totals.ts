import {
  isJsonObject,
  type LogEvent,
  matchesWildcards,
  type NonEmpty,
  plainText,
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

type Turn = Extract<Happening, { type: 'model_turn' }>;

/** The calls and turns of a run, or of one of its workers. */
class Usage {
  calls = 0;
  readonly #tokens = { input: 0, output: 0 };
  /** Null once a turn has no price. */
  #millionths: number | null = 0;

  constructor(private readonly prices: Prices | null) {}

  add({ model, tokens, provider_uses }: Omit<Turn, 'chain'>): void {
    this.#tokens.input += tokens.input;
    this.#tokens.output += tokens.output;
    const price = priceOf(this.prices, model);
    // Prices for tokens do not cover tools of a provider.
    if (price === null || this.#millionths === null || provider_uses !== undefined) this.#millionths = null;
    else this.#millionths += tokens.input * price.input + tokens.output * price.output;
  }

  totals(): Totals['workers'][string] {
    return { calls: this.calls, tokens: { ...this.#tokens }, costs: this.#costs() };
  }

  #costs(): Costs | null {
    const millionths = this.#millionths;
    if (this.prices === null || millionths === null || !Number.isFinite(millionths)) return null;
    return { amount: Math.round(millionths) / 1_000_000, currency: this.prices.currency };
  }
}

/** Adds the cost to a model turn, if it has a price. */
export function withCosts(event: Happening, prices: Prices | null): Happening {
  if (event.type !== 'model_turn') return event;
  const usage = new Usage(prices);
  usage.add(event);
  const { costs } = usage.totals();
  return costs === null ? event : { ...event, costs };
}

/** The price on which all matching globs agree; null for none or several. */
function priceOf(prices: Prices | null, model: string): ModelPrice | null {
  const [first, ...others] = (prices?.models ?? []).filter(({ glob }) => matchesWildcards(glob, model));
  if (first === undefined) return null;
  const isSame = ({ input, output }: ModelPrice) => input === first.input && output === first.output;
  return others.every(isSame) ? first : null;
}

/** Costs are null without prices. */
export function createTally(prices: Prices | null = null) {
  const judged = new Set<string>();
  const decisions = { pre_approved: 0, needs_approval: 0, blocked: 0, unjudged: 0 };
  const outcomes = { completed: 0, refused: 0, failed: 0 };
  const approvedBy = new Map<string, number>();
  const all = new Usage(prices);
  const workers = new Map<string, Usage>();

  function usagesOf(chain: NonEmpty<string>): readonly Usage[] {
    const name = chain[chain.length - 1] ?? chain[0];
    return [all, remembered(workers, name, () => new Usage(prices))];
  }

  function takeRecorded(event: LogEvent): void {
    if (event.event === 'decision' && !judged.has(event.call)) {
      judged.add(event.call);
      decisions[event.decision ?? 'unjudged'] += 1;
      for (const usage of usagesOf(event.chain)) usage.calls += 1;
    }
    if (event.event === 'outcome') outcomes[event.outcome] += 1;
    if (event.event === 'approval' && event.approved) {
      const by = approver(event);
      approvedBy.set(by, (approvedBy.get(by) ?? 0) + 1);
    }
  }

  return {
    take: (event: Happening): void => {
      if (event.type === 'recorded') takeRecorded(event.event);
      if (event.type === 'model_turn') for (const usage of usagesOf(event.chain)) usage.add(event);
    },
    totals: (): Totals => {
      const { calls, tokens, costs } = all.totals();
      return {
        calls,
        decisions: { ...decisions },
        outcomes: { ...outcomes },
        approvedBy: Object.fromEntries(approvedBy),
        tokens,
        costs,
        workers: Object.fromEntries([...workers].map(([name, usage]) => [name, usage.totals()])),
      };
    },
  };
}

function approver({ how, who }: Extract<LogEvent, { event: 'approval' }>): string {
  if (how === 'mode') return `mode:${plainText(who)}`;
  return how === 'person' && isJsonObject(who) && who.person !== undefined
    ? `person:${plainText(who.person)}`
    : how;
}
