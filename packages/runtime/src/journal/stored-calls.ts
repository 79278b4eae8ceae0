import type { ApprovalEvent, DecisionEvent, NonEmpty, OutcomeEvent } from '@ambit/core';
import type { Step } from '../store/store.js';
import { outcomeIn, type PastCall, pastOf } from './journal.js';

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
  return [...pastOf(steps).calls].flatMap(([call, past]) => {
    const decided = past.events.findLast((event) => event.event === 'decision');
    if (decided === undefined) return [];
    const { parent = null, chain, tool, decision } = decided;
    const answers = past.events
      .filter((event) => event.event === 'approval')
      .map(({ how, who, approved, edited, note }) => ({ how, who, approved, edited, note }));
    return [{ call, parent, chain, tool, decision, answers, ...endOf(past) }];
  });
}

function endOf(past: PastCall): Pick<StoredCall, 'outcome' | 'why'> {
  const { came, isBegun } = past;
  const ended = outcomeIn(past);
  if (ended?.outcome === 'refused') return { outcome: 'refused', why: ended.reason };
  if (ended?.outcome === 'failed') return { outcome: 'failed', why: ended.error };
  if (ended !== null) return { outcome: 'completed', why: null };
  if (came !== null) return { outcome: 'result' in came ? 'completed' : 'failed', why: null };
  return { outcome: isBegun ? 'unknown' : 'under_way', why: null };
}
