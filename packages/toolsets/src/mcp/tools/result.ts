import { isJsonObject, type Json, type JsonObject, printableLines } from '@ambit/core';
import type { McpServer } from '../connection/server-definition.js';
import type { OfferedTool } from './offered-tools.js';
import { saidBy } from './shown-text.js';

const mostResult = 100_000;

/** A server's result for the model. Links are not followed. Throws the server's error, and on an invalid result. */
export function resultOf(given: JsonObject, tool: OfferedTool, server: McpServer): Json {
  const blocks = Array.isArray(given.content) ? (given.content as readonly Json[]) : [];
  const text = blocks.map(textOf).join('\n\n');
  if (given.isError === true)
    throw new Error(saidBy(server, withoutMiddle(text === '' ? 'it failed' : text, 4_000)));
  const structured = structuredOf(given, tool, server);
  if (text !== '' || structured === null) return withoutMiddle(text === '' ? '(nothing)' : text, mostResult);
  return withoutMiddle(JSON.stringify(structured, null, 1), mostResult);
}

function structuredOf(given: JsonObject, tool: OfferedTool, server: McpServer): JsonObject | null {
  const structured = given.structuredContent ?? null;
  if (tool.result === null) return isJsonObject(structured) ? structured : null;
  const lacks = 'the result does not fit its own schema';
  if (!isJsonObject(structured)) throw new Error(saidBy(server, `${lacks}: it has no structured content`));
  const parsed = tool.result.parse(structured);
  if (!parsed.ok) throw new Error(saidBy(server, `${lacks}: ${parsed.problem.slice(0, 500)}`));
  return structured;
}

function textOf(block: Json): string {
  if (!isJsonObject(block)) return '(something that is not content)';
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'image' || type === 'audio') return `(${type}, ${kindOf(block)}: not shown)`;
  if (type === 'resource_link') return `(a link to a resource, which was not followed: ${nameOf(block)})`;
  if (type === 'resource' && isJsonObject(block.resource)) {
    const { resource } = block;
    const head = `(the resource ${nameOf(resource)})`;
    return typeof resource.text === 'string'
      ? `${head}\n${resource.text}`
      : `${head} (${kindOf(resource)}: not shown)`;
  }
  return '(content of an unknown kind)';
}

function kindOf({ mimeType, data, blob }: JsonObject): string {
  const kind = typeof mimeType === 'string' ? printableLines(mimeType.slice(0, 100)) : 'of no stated type';
  const encoded = typeof data === 'string' ? data : typeof blob === 'string' ? blob : '';
  return `${kind}, ${Math.floor((encoded.length * 3) / 4)} bytes`;
}

function nameOf({ uri }: JsonObject): string {
  return typeof uri === 'string' ? printableLines(uri.slice(0, 500)) : 'without a name';
}

function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return `${head}\n[… ${text.length - 2 * half} characters are left out here …]\n${tail}`;
}
