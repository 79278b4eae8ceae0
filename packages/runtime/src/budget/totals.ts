import { isJsonObject, type Json, type LogEvent, type NonEmpty } from '@ambit/core';
import type { Totals } from '../host/session.js';
import type { Happening } from '../host/session-event.js';
import { type Bill, createBill, type Prices } from './prices.js';

export interface Tally {
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
    const worker = workers.get(name) ?? {
      calls: 0,
      tokens: { input: 0, output: 0 },
      bill: createBill(prices),
    };
    workers.set(name, worker);
    return worker;
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
