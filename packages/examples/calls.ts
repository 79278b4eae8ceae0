import type { LoggedEvent } from './read-log.js';

/** One call: who made it, its decision, its outcome, and the reason if it did not run. */
export interface LoggedCall {
  /** `orchestrator > evaluator` */
  readonly chain: string;
  readonly tool: string;
  readonly args: { readonly [argument: string]: unknown };
  readonly decision: string | null;
  /** `completed`, `failed`, or the code of its refusal. */
  readonly came: string;
  readonly why: string | null;
}

/** The calls of a log, in the order of their first decisions. */
export function callsIn(events: readonly LoggedEvent[]): readonly LoggedCall[] {
  const first = events.filter(
    ({ event, call }, index) =>
      event === 'decision' &&
      events.findIndex((other) => other.event === 'decision' && other.call === call) === index,
  );
  return first.map(({ call, chain = [], tool = '', args = {}, decision = null }) => {
    const end = events.find((event) => event.event === 'outcome' && event.call === call);
    const came = end?.code ?? end?.outcome ?? 'nothing';
    return { chain: chain.join(' > '), tool, args, decision, came, why: end?.reason ?? end?.error ?? null };
  });
}

/** An argument as the log has it, as text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
