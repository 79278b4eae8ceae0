import type { CallOutcome, JsonObject } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import { asParameters, takeTurn } from './model-turn.js';
import { toolResult } from './tool-result.js';

/** A model that a worker talks through: always the SDK's client, whatever answers at the other end. */
export interface ModelConnection {
  readonly client: Anthropic;
  /** The model's name, as the endpoint knows it. */
  readonly model: string;
}

/** What a worker says to its model, and what its model may do. */
export interface Conversation {
  readonly connection: ModelConnection;
  /** The worker's instructions. */
  readonly system: string;
  readonly content: readonly Anthropic.ContentBlockParam[];
  readonly tools: readonly ModelTool[];
  /** What of the model's provider the next request may offer; asked before each. Never rejects. */
  readonly providerTools: () => Promise<readonly Anthropic.ToolUnion[]>;
  readonly signal: AbortSignal;
  /** How many tokens an answer may have. Throws where there may be no more answers. */
  readonly answerTokens: () => number;
  /** Why an answer was cut that might have so many. */
  readonly answerCut: (limit: number) => string;
  readonly onText: (text: string) => void;
  readonly onTurn: (took: TurnTook) => void;
  /** Makes one tool call, by the name that the model used, under this id. Never rejects. */
  readonly call: (name: string, args: unknown, id: string) => Promise<CallOutcome>;
  readonly newId: () => string;
  /** So many calls go on side by side; what it gives is called as each ends. */
  readonly split: (count: number) => () => void;
  readonly memory: Memory;
}

/** What survives of a conversation when its process does not; the turns are counted from 0. */
export interface Memory {
  readonly turn: (turn: number) => KeptTurn | null;
  readonly keepTurn: (turn: number, kept: KeptTurn) => Promise<void>;
  /** What the model was told about all calls of a turn. */
  readonly results: (turn: number) => readonly Anthropic.ToolResultBlockParam[] | null;
  readonly keepResults: (turn: number, results: readonly Anthropic.ToolResultBlockParam[]) => Promise<void>;
}

export interface KeptTurn {
  readonly message: Anthropic.Message;
  /** The ids of its calls, in their order. */
  readonly calls: readonly string[];
}

/** What a turn of a model took. */
export interface TurnTook {
  readonly tokens: { readonly input: number; readonly output: number };
  /** How often tools of the model's provider ran in it; left out where they did not. */
  readonly provider_uses?: number;
}

export interface ModelTool {
  /** The name that the model sees. */
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** How many turns a worker may take before it counts as going round in circles. */
const maxTurns = 500;

/**
 * The loop between model and tools: each turn's calls run in parallel, and their outcomes go back in the order of the
 * calls. Gives what the model said last; rejects when the model cannot be reached or does not end by itself.
 */
export async function converse(conversation: Conversation): Promise<string> {
  const { memory } = conversation;
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: [...conversation.content] }];
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const { message, calls: ids } = await keptTurn(conversation, turn, messages);
    const calls = message.content.filter((block) => block.type === 'tool_use');
    const unfinished = whyUnfinished(message);
    if (unfinished !== null) throw new Error(unfinished);
    messages.push({ role: 'assistant', content: asParameters(message.content) });
    if (message.stop_reason === 'pause_turn' && calls.length === 0) continue;
    if (calls.length === 0) return textOf(message.content);
    const results = memory.results(turn) ?? (await resultsOf(conversation, calls, ids));
    conversation.signal.throwIfAborted();
    if (memory.results(turn) === null) await memory.keepResults(turn, results);
    messages.push({ role: 'user', content: [...results] });
  }
  throw new Error(`the model had not finished after ${maxTurns} turns`);
}

/** Why there is nothing to go on with, where an answer is not whole; null where it is. */
function whyUnfinished({ stop_reason: stop }: Anthropic.Message): string | null {
  // What an endpoint leaves out is not there, whatever the types say.
  if ((stop ?? null) === null) return "the model's answer ended before it was finished";
  if (stop === 'refusal') return 'the model refused to answer';
  if (stop === 'max_tokens') return "the model's answer was cut: it is longer than it may be";
  if (stop === 'model_context_window_exceeded')
    return "the model's answer was cut: it can take no more than what it was told";
  return null;
}

/** A turn is kept before any of its calls is made. */
async function keptTurn(
  conversation: Conversation,
  turn: number,
  messages: Anthropic.MessageParam[],
): Promise<KeptTurn> {
  const { memory, newId } = conversation;
  const known = memory.turn(turn);
  // A run that failed over an answer goes on by asking for another.
  if (known !== null && whyUnfinished(known.message) === null) return known;
  const { message, limit } = await takeTurn(conversation, messages);
  const calls = message.content.filter(({ type }) => type === 'tool_use').map(() => newId());
  await memory.keepTurn(turn, { message, calls });
  if (message.stop_reason === 'max_tokens') throw new Error(conversation.answerCut(limit));
  return { message, calls };
}

async function resultsOf(
  { call, split }: Conversation,
  calls: readonly Anthropic.ToolUseBlock[],
  ids: readonly string[],
): Promise<readonly Anthropic.ToolResultBlockParam[]> {
  const ended = split(calls.length);
  return Promise.all(
    calls.map(async ({ id, name, input }, index) => {
      const known = ids[index];
      if (known === undefined) throw new TypeError('a kept turn has an id for each of its calls');
      const outcome = await call(name, input, known);
      ended();
      return toolResult(id, outcome);
    }),
  );
}

function textOf(content: readonly Anthropic.ContentBlock[]): string {
  return content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('');
}
