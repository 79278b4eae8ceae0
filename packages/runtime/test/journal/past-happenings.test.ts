import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { pastHappenings } from '../../src/converse/conversation.js';
import { pastOf } from '../../src/journal/journal.js';

const usage = { input_tokens: 10, output_tokens: 5 };
const turn = (number: number, content: Json) =>
  ({
    step: 'turn',
    place: 'run',
    turn: number,
    message: { content, usage },
    calls: [],
  }) as const;

describe('pastHappenings', () => {
  it('includes the tokens of each turn, and the provider tools that ran in it', () => {
    const past = pastOf([
      { step: 'started', place: 'run', chain: ['main'], model: 'anthropic:m', content: [] },
      turn(0, [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }]),
      turn(1, [{ type: 'text', text: 'done' }]),
    ]);
    const took = {
      type: 'model_turn',
      chain: ['main'],
      model: 'anthropic:m',
      tokens: { input: 10, output: 5 },
    };
    expect([...pastHappenings(past)]).toEqual([{ ...took, provider_uses: 1 }, took]);
  });
});
