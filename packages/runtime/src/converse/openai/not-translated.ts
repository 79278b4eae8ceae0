import { jsonOr } from '@ambit/core';
import type Anthropic from '@anthropic-ai/sdk';

export class NotTranslated extends Error {
  override readonly name = 'NotTranslated';
}

interface Said {
  readonly content: readonly object[];
  readonly stop_reason: string | null;
  readonly usage: { readonly input_tokens: number | null; readonly output_tokens: number | null };
}

/** A message of the model, as the API of Anthropic writes it. */
export function translatedMessage({ id, model }: Pick<Anthropic.Message, 'id' | 'model'>, said: Said) {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null, ...said } as const;
}

/** The request's own tools. Those that a provider executes exist only there. */
export function functionsIn({ tools = [] }: Anthropic.MessageCreateParams) {
  return tools.map((tool) => {
    if (!('input_schema' in tool))
      throw new NotTranslated(
        `\`${'name' in tool ? tool.name : tool.type}\` is a tool of another provider, which this model does not have`,
      );
    const { name, description = '', input_schema: schema } = tool;
    return { name, description, parameters: schema };
  });
}

export function systemIn({ system = '' }: Anthropic.MessageCreateParams): string {
  return typeof system === 'string' ? system : system.map(({ text }) => text).join('\n');
}

export function blocksIn(
  content: string | readonly Anthropic.ContentBlockParam[],
): readonly Anthropic.ContentBlockParam[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

export function resultText({ content = '' }: Anthropic.ToolResultBlockParam): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : unknownBlock(block.type))).join('\n');
}

/** An attachment: its title, and data or text. */
export type Attached =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'file'; readonly title: string; readonly data: string };

export function attachedIn(block: Anthropic.ContentBlockParam): Attached {
  if (block.type === 'text') return { kind: 'text', text: block.text };
  if (block.type === 'image' && block.source.type === 'base64')
    return { kind: 'image', title: '', data: dataUrl(block.source) };
  if (block.type === 'document') {
    const { title, source } = block;
    if (source.type === 'text') return { kind: 'text', text: `${title ?? 'attachment'}:\n${source.data}` };
    if (source.type === 'base64')
      return { kind: 'file', title: title ?? 'attachment.pdf', data: dataUrl(source) };
  }
  return unknownBlock(block.type);
}

/** Arguments that are not JSON stay text, which no tool takes. */
export function inputOf(text: string): unknown {
  return jsonOr(text === '' ? '{}' : text, text);
}

export function unknownBlock(type: string): never {
  throw new NotTranslated(`\`${type}\` is unknown between these two forms`);
}

function dataUrl({ media_type: type, data }: { readonly media_type: string; readonly data: string }): string {
  return `data:${type};base64,${data}`;
}
