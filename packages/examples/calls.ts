import type { LoggedEvent } from './read-log.js';

/** What became of one call: who made it, what was decided, how it ended, and why where it did not run. */
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

/** Every call of a log, once, in the order in which they were first decided. */
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

/** What stands in the log for an argument, in words. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
