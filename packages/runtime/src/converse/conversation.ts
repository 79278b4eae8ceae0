import type { CallOutcome, Json, NonEmpty, Refusal } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';
import type { WorkerCall } from '../catalogue/catalogue.js';
import type { Happening } from '../host/session-event.js';
import { type Journal, type Past, turnKey } from '../journal/journal.js';
import { asParameters, providerUsesIn, type TurnRequest, takeTurn, tokensIn } from './model-turn.js';

export interface Conversation extends TurnRequest {
  readonly content: Content;
  readonly answerCut: (limit: number) => string;
  /** Makes one tool call, by the name that the model used, under this id. Never rejects. */
  readonly call: (name: string, args: unknown, id: string) => Promise<CallOutcome>;
  readonly newId: () => string;
  readonly split: (count: number) => () => void;
  readonly memory: ReturnType<typeof workerMemory>;
  /** Returns the user's next words; null ends the conversation. Absent without a conversation. */
  readonly next?: NonNullable<WorkerCall['next']>;
}

interface KeptTurn {
  readonly message: Anthropic.Message;
  /** In their order. */
  readonly calls: readonly string[];
}

/** More turns count as a loop. */
const maxTurns = 500;

/** The loop between model and tools. A turn's calls run in parallel. Returns the model's last message. */
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
    const told = memory.results(turn);
    const results =
      told ??
      (await (calls.length === 0 ? nextOf(conversation, message) : resultsOf(conversation, calls, ids)));
    if (results === null) return textOf(message.content);
    conversation.signal.throwIfAborted();
    if (told === null) await memory.keepResults(turn, results);
    messages.push({ role: 'user', content: [...results] });
  }
  throw new Error(`the model did not finish within ${maxTurns} turns`);
}

/** Null for a complete answer. */
function whyUnfinished({ stop_reason: stop }: Anthropic.Message): string | null {
  // An endpoint may omit values, whatever the types say.
  if ((stop ?? null) === null) return "the model's answer ended before it was finished";
  if (stop === 'refusal') return 'the model refused to answer';
  if (stop === 'max_tokens') return "the model's answer was cut: it is longer than allowed";
  if (stop === 'model_context_window_exceeded') return "the model's answer was cut: its context is full";
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
  // A resumed run repeats the request whose answer failed.
  if (known !== null && whyUnfinished(known.message) === null) return known;
  const { message, limit } = await takeTurn(conversation, messages);
  const calls = message.content.filter(({ type }) => type === 'tool_use').map(() => newId());
  await memory.keepTurn(turn, { message, calls });
  if (message.stop_reason === 'max_tokens') throw new Error(conversation.answerCut(limit));
  return { message, calls };
}

/** The user's next words; null at the end of the conversation. */
async function nextOf(
  { next, signal }: Conversation,
  { content }: Anthropic.Message,
): Promise<Content | null> {
  const text = (await next?.(textOf(content), signal)) ?? null;
  return text === null ? null : [{ type: 'text', text: text.trim() === '' ? '(no input)' : text }];
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
      if (known === undefined) throw new TypeError('a kept turn lacks the id of one of its calls');
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

/** An outcome for the model: a refusal with its rule and alternative, and any edit. */
function toolResult(id: string, outcome: CallOutcome): Anthropic.ToolResultBlockParam {
  const { edited = null } = outcome;
  const when = outcome.status === 'refused' ? '' : ' before it ran';
  const note =
    edited === null ? '' : `A person edited the arguments of this call${when}: ${JSON.stringify(edited)}\n\n`;
  const content = note + contentOf(outcome);
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(outcome.status === 'completed' ? {} : { is_error: true }),
    content,
  };
}

function contentOf(outcome: CallOutcome): string {
  if (outcome.status === 'completed')
    return typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result, null, 1);
  return outcome.status === 'failed' ? `failed: ${outcome.error}` : refusalInText(outcome.refusal);
}

function refusalInText({ code, reason, rule, instead }: Refusal): string {
  return [
    `refused (${code}): ${reason}`,
    ...(rule === null ? [] : [`rule: ${rule.id} (${rule.at})`]),
    ...(instead === null ? [] : [`instead: ${instead}`]),
  ].join('\n');
}

type Content = readonly Anthropic.ContentBlockParam[];

/** The stored part of a conversation; turns count from 0. */
export function workerMemory(journal: Journal, place: string) {
  const { past } = journal;
  const pastTurn = (turn: number) => past.turns.get(turnKey(place, turn)) ?? null;
  return {
    /** The first message to the model: the stored one, or the current one, which is then stored. */
    async opening(
      now: () => Content,
      { chain, model }: { readonly chain: NonEmpty<string>; readonly model: string },
    ): Promise<Content> {
      const before = past.started.get(place);
      if (before !== undefined) return before.content as unknown as Content;
      const content = now();
      await journal.append({ step: 'started', place, chain, model, content: asJson(content) });
      return content;
    },
    turn: (turn: number) => pastTurn(turn) as unknown as KeptTurn | null,
    keepTurn: (turn: number, { message, calls }: KeptTurn) =>
      journal.append({ step: 'turn', place, turn, message: asJson(message), calls }),
    /** The model's input after a turn: the results of all its calls, or the user's next words. */
    results: (turn: number) => (pastTurn(turn)?.results ?? null) as unknown as Content | null,
    keepResults: (turn: number, results: Content) =>
      journal.append({ step: 'results', place, turn, results: asJson(results) }),
  };
}

/** As JSON: without undefined members of the SDK. */
function asJson(value: unknown): Json {
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
