import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import {
  attachedIn,
  blocksIn,
  functionsIn,
  inputOf,
  NotTranslated,
  resultText,
  systemIn,
  translatedMessage,
  unknownBlock,
} from './not-translated.js';

type ChatMessage = OpenAI.Chat.ChatCompletionMessageParam;

export function chatRequest(
  body: Anthropic.MessageCreateParams,
  { isOfficial }: { readonly isOfficial: boolean },
): OpenAI.Chat.ChatCompletionCreateParamsNonStreaming {
  const system = systemIn(body);
  const tools = functionsIn(body).map((tool) => ({ type: 'function' as const, function: tool }));
  return {
    model: body.model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...body.messages.flatMap(({ role, content }) =>
        role === 'assistant' ? [assistantMessage(blocksIn(content))] : told(blocksIn(content)),
      ),
    ],
    ...(tools.length === 0 ? {} : { tools }),
    // Endpoints of others know the older name.
    ...(isOfficial ? { max_completion_tokens: body.max_tokens } : { max_tokens: body.max_tokens }),
  };
}

function told(blocks: readonly Anthropic.ContentBlockParam[]): readonly ChatMessage[] {
  const others = blocks.filter(({ type }) => type !== 'tool_result');
  const results = blocks.flatMap((block): readonly ChatMessage[] =>
    block.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: block.tool_use_id, content: resultText(block) }]
      : [],
  );
  return others.length === 0 ? results : [...results, { role: 'user', content: others.map(partOf) }];
}

function partOf(block: Anthropic.ContentBlockParam): OpenAI.Chat.ChatCompletionContentPart {
  const part = attachedIn(block);
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'image') return { type: 'image_url', image_url: { url: part.data } };
  return { type: 'file', file: { filename: part.title, file_data: part.data } };
}

function assistantMessage(blocks: readonly Anthropic.ContentBlockParam[]): ChatMessage {
  const texts: string[] = [];
  const calls: OpenAI.Chat.ChatCompletionMessageFunctionToolCall[] = [];
  for (const block of blocks)
    if (block.type === 'text') texts.push(block.text);
    else if (block.type === 'tool_use') {
      const { id, name, input } = block;
      calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } });
    } else unknownBlock(block.type);
  const content = texts.join('');
  return { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

export function chatMessage(completion: OpenAI.Chat.ChatCompletion) {
  const { choices, usage } = completion;
  const [choice] = choices;
  if (choice === undefined) throw new NotTranslated('the answer has no choice');
  const { content: text, refusal, tool_calls: calls = [] } = choice.message;
  const content = [
    ...((text ?? '') === '' ? [] : [{ type: 'text', text }]),
    ...calls.map((call) => {
      if (call.type !== 'function') return unknownBlock(call.type);
      const { name, arguments: input } = call.function;
      return { type: 'tool_use', id: call.id, name, input: inputOf(input) };
    }),
  ];
  const isRefused = (refusal ?? '') !== '';
  return translatedMessage(completion, {
    content,
    stop_reason: isRefused ? 'refusal' : stopOf(choice.finish_reason, calls.length > 0),
    usage: { input_tokens: usage?.prompt_tokens ?? null, output_tokens: usage?.completion_tokens ?? null },
  });
}

/** Null for an unfinished answer. */
function stopOf(reason: string | null, hasCalls: boolean): string | null {
  if (reason === 'length') return 'max_tokens';
  if (reason === 'content_filter') return 'refusal';
  if (reason !== 'stop' && reason !== 'tool_calls') return null;
  return hasCalls ? 'tool_use' : 'end_turn';
}
