import type Anthropic from '@anthropic-ai/sdk';
import type { Past } from '../journal/past.js';
import type { Happening } from '../journal/session-event.js';
import { tokensIn } from './message-shape.js';
import { providerUsesIn } from './model-turn.js';

/** What counts in a run's totals, of what happened before it was interrupted. */
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
