import type { Json, NonEmpty } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import type { Happening } from '../host/session-event.js';
import type { Journal } from '../journal/journal.js';
import { type Past, turnKey } from '../journal/past.js';
import type { Memory } from './conversation.js';
import { tokensIn } from './message-shape.js';
import { providerUsesIn } from './model-turn.js';

export interface WorkerMemory extends Memory {
  /** The first message to the model: the stored one, or the current one, which is then stored. */
  readonly opening: (
    now: () => readonly Anthropic.ContentBlockParam[],
    worker: { readonly chain: NonEmpty<string>; readonly model: string },
  ) => Promise<readonly Anthropic.ContentBlockParam[]>;
}

export function workerMemory(journal: Journal, place: string): WorkerMemory {
  const { past } = journal;
  const pastTurn = (turn: number) => past.turns.get(turnKey(place, turn)) ?? null;
  return {
    async opening(now, { chain, model }) {
      const before = past.started.get(place);
      if (before !== undefined) return before.content as unknown as readonly Anthropic.ContentBlockParam[];
      const content = now();
      await journal.append({ step: 'started', place, chain, model, content: plain(content) });
      return content;
    },
    turn(turn) {
      const known = pastTurn(turn);
      return known === null
        ? null
        : { message: known.message as unknown as Anthropic.Message, calls: known.calls };
    },
    keepTurn: (turn, { message, calls }) =>
      journal.append({ step: 'turn', place, turn, message: plain(message), calls }),
    results: (turn) =>
      (pastTurn(turn)?.results ?? null) as unknown as readonly Anthropic.ContentBlockParam[] | null,
    keepResults: (turn, results) => journal.append({ step: 'results', place, turn, results: plain(results) }),
  };
}

/** As JSON: without undefined members of the SDK. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** The part of earlier events that counts in a run's totals. */
export function* pastHappenings({ events, started, turns }: Past): Generator<Happening> {
  for (const event of events) yield { type: 'recorded', event };
  for (const { place, message } of turns.values()) {
    const worker = started.get(place);
    if (worker === undefined) continue;
    const said = message as unknown as Pick<Anthropic.Message, 'usage' | 'content'>;
    const tokens = tokensIn(said);
    yield { type: 'model_turn', chain: worker.chain, model: worker.model, tokens, ...providerUsesIn(said) };
  }
}
