import type { ApprovalEvent, DecisionEvent, LogEvent, NonEmpty, OutcomeEvent } from '@ambit/core';
import type { Step } from './store.js';

export interface StoredCall {
  readonly call: string;
  /** Null for a model's call. */
  readonly parent: string | null;
  readonly chain: NonEmpty<string>;
  readonly tool: string;
  /** The last decision; null for a refusal before the judgement. */
  readonly decision: DecisionEvent['decision'];
  /** In order. */
  readonly answers: readonly Pick<ApprovalEvent, 'how' | 'who' | 'approved' | 'edited' | 'note'>[];
  /** `unknown`: its tool had begun, and the result is missing. */
  readonly outcome: OutcomeEvent['outcome'] | 'under_way' | 'unknown';
  /** Why it was refused, or failed. */
  readonly why: string | null;
}

/** In the order of their first decisions. */
export function storedCalls(steps: readonly Step[]): readonly StoredCall[] {
  const calls = new Map<string, StoredCall>();
  for (const step of steps) {
    if (step.step === 'events') for (const event of step.events) take(event);
    else if (step.step === 'executing') outcome(step.call, 'unknown');
    else if (step.step === 'executed')
      outcome(step.call, 'again' in step.came ? 'under_way' : 'result' in step.came ? 'completed' : 'failed');
  }
  return [...calls.values()];

  function take(event: LogEvent): void {
    if (event.event === 'decision') {
      const { call, parent = null, chain, tool, decision } = event;
      const before = calls.get(call) ?? { answers: [], outcome: 'under_way', why: null };
      calls.set(call, { ...before, call, parent, chain, tool, decision });
    } else if (event.event === 'approval') {
      const { how, who, approved, edited, note } = event;
      change(event.call, (known) => ({ answers: [...known.answers, { how, who, approved, edited, note }] }));
    } else if (event.event === 'outcome') {
      const why =
        event.outcome === 'refused' ? event.reason : event.outcome === 'failed' ? event.error : null;
      change(event.call, () => ({ outcome: event.outcome, why }));
    }
  }

  function outcome(call: string, now: StoredCall['outcome']): void {
    change(call, () => ({ outcome: now }));
  }

  function change(call: string, changes: (known: StoredCall) => Partial<StoredCall>): void {
    const known = calls.get(call);
    if (known !== undefined) calls.set(call, { ...known, ...changes(known) });
  }
}
