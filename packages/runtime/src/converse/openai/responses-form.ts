import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import {
  attachedIn,
  blocksIn,
  functionsIn,
  inputOf,
  resultText,
  systemIn,
  translatedMessage,
  unknownBlock,
} from './not-translated.js';

type Item = OpenAI.Responses.ResponseInputItem;

/** The service keeps nothing. */
export function responsesRequest(
  body: Anthropic.MessageCreateParams,
): OpenAI.Responses.ResponseCreateParamsNonStreaming {
  return {
    model: body.model,
    instructions: systemIn(body),
    input: body.messages.flatMap(({ role, content }) =>
      blocksIn(content).map((block) => (role === 'assistant' ? assistantItem(block) : told(block))),
    ),
    tools: functionsIn(body).map((tool) => ({ type: 'function', ...tool, strict: false })),
    max_output_tokens: body.max_tokens,
    store: false,
    include: ['reasoning.encrypted_content'],
  };
}

function told(block: Anthropic.ContentBlockParam): Item {
  if (block.type === 'tool_result')
    return { type: 'function_call_output', call_id: block.tool_use_id, output: resultText(block) };
  const part = attachedIn(block);
  return {
    role: 'user',
    content: [
      part.kind === 'text'
        ? { type: 'input_text', text: part.text }
        : part.kind === 'image'
          ? { type: 'input_image', image_url: part.data, detail: 'auto' }
          : { type: 'input_file', filename: part.title, file_data: part.data },
    ],
  };
}

function assistantItem(block: Anthropic.ContentBlockParam): Item {
  if (block.type === 'text') return { role: 'assistant', content: block.text };
  if (block.type === 'redacted_thinking') return JSON.parse(block.data) as Item;
  if (block.type !== 'tool_use') return unknownBlock(block.type);
  const { id, name, input } = block;
  return { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) };
}

/** Reasoning is kept for the next request. */
export function responsesMessage(response: OpenAI.Responses.Response) {
  const { usage } = response;
  const content = response.output.flatMap(blocksOf);
  const isRefused = response.output.some(
    (item) => item.type === 'message' && item.content.some(({ type }) => type === 'refusal'),
  );
  return translatedMessage(response, {
    content,
    stop_reason: isRefused ? 'refusal' : stopOf(response, content),
    usage: { input_tokens: usage?.input_tokens ?? null, output_tokens: usage?.output_tokens ?? null },
  });
}

function blocksOf(item: OpenAI.Responses.ResponseOutputItem): readonly object[] {
  if (item.type === 'reasoning') return [{ type: 'redacted_thinking', data: JSON.stringify(item) }];
  if (item.type === 'function_call')
    return [{ type: 'tool_use', id: item.call_id, name: item.name, input: inputOf(item.arguments) }];
  if (item.type !== 'message') return unknownBlock(item.type);
  return item.content.map((part) => ({
    type: 'text',
    text: part.type === 'output_text' ? part.text : part.refusal,
  }));
}

/** Null for an unfinished answer. */
function stopOf({ status, incomplete_details: why }: OpenAI.Responses.Response, content: readonly object[]) {
  if (status === 'incomplete') return why?.reason === 'max_output_tokens' ? 'max_tokens' : 'refusal';
  if (status !== 'completed') return null;
  return content.some((block) => 'input' in block) ? 'tool_use' : 'end_turn';
}
