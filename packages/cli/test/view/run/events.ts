import type { NonEmpty } from '@ambit/core';
import type { LogEvent, SessionEvent } from '@ambit/runtime';

/** Events of a run, short to write. */
export const at = 1_000_000;

export function started(chain: NonEmpty<string>, place?: string): SessionEvent {
  const where = place === undefined ? {} : { place };
  return { v: 1, type: 'worker_started', chain, model: 'script:s.yaml', model_from: 'run', ...where };
}

export function finished(chain: NonEmpty<string>, place?: string): SessionEvent {
  return { v: 1, type: 'worker_finished', chain, output: '', ...(place === undefined ? {} : { place }) };
}

export function turn(
  chain: NonEmpty<string>,
  of: { readonly input: number; readonly output: number; readonly amount?: number; readonly place?: string },
): SessionEvent {
  return {
    v: 1,
    type: 'model_turn',
    chain,
    model: 'script:s.yaml',
    tokens: { input: of.input, output: of.output },
    ...(of.amount === undefined ? {} : { costs: { amount: of.amount, currency: 'USD' } }),
    ...(of.place === undefined ? {} : { place: of.place }),
  };
}

export function made(chain: NonEmpty<string>, call: string, place: string): SessionEvent {
  return { v: 1, type: 'call_made', chain, call, place };
}

type Decided = Extract<LogEvent, { event: 'decision' }>;

export function decided(
  call: string,
  of: Pick<Decided, 'chain' | 'tool' | 'args'> & {
    readonly decision: 'pre_approved' | 'needs_approval' | 'blocked' | null;
    readonly parent?: string;
  },
): SessionEvent {
  const { decision, ...more } = of;
  const judged =
    decision === null
      ? { decision, code: 'bad_input' as const, why: 'no' }
      : { decision, capabilities: [], judgements: [], reason: null, instead: null };
  const event = {
    now: at,
    event: 'decision' as const,
    call,
    context: {},
    history: [],
    grants: [],
    ...more,
    ...judged,
  };
  return recorded(event as unknown as Decided);
}

export function approved(call: string): SessionEvent {
  return recorded({
    now: at,
    event: 'approval',
    call,
    how: 'person',
    who: { person: 'ana' },
    approved: true,
    keep: null,
    edited: false,
    note: null,
    question: null,
  });
}

export function came(
  call: string,
  why: 'completed' | { readonly refused: string } | { readonly failed: string },
) {
  const base = { now: at, event: 'outcome' as const, call };
  if (why === 'completed') return recorded({ ...base, outcome: 'completed' });
  return 'failed' in why
    ? recorded({ ...base, outcome: 'failed', error: why.failed })
    : recorded({ ...base, outcome: 'refused', code: 'blocked', reason: why.refused });
}

export function ended(status: 'finished' | 'stopped', why: string | null = null): SessionEvent {
  return recorded({ now: at, event: 'end', status, why, totals: {} });
}

function recorded(event: LogEvent): SessionEvent {
  return { v: 1, type: 'recorded', event };
}
