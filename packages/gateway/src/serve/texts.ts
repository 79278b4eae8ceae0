import { isJsonObject, type Json, type JsonObject, jsonText, printableLines } from '@ambit/core';

/** A refusal that the model reads: a result, because an error of the protocol is for a broken request. */
export function refusal(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Why a result is a failure, in the server's words; null for a success. */
export function errorIn(result: JsonObject): string | null {
  if (result.isError !== true) return null;
  const blocks = Array.isArray(result.content) ? (result.content as readonly Json[]) : [];
  const texts = blocks.flatMap((block) =>
    isJsonObject(block) && typeof block.text === 'string' ? [block.text] : [],
  );
  return shortened(texts.join('\n') || 'it failed', 4_000);
}

/** A question of Ambit to the client's user. */
export function questionFor(
  call: { readonly what: string; readonly args: JsonObject },
  reason: string,
): string {
  const args = shortened(jsonText(call.args, 1), 3_000);
  return `Ambit asks whether this call may run: ${call.what}\n${args}\nWhy it asks: ${printableLines(reason)}`;
}

const secretWords = /pass(?:word|phrase|code)|secret|token|api.?key|credential|\bpin\b|private.?key/i;

/**
 * A question of a server, with its name before it, so that it looks like no question of ours. Null for one that
 * is not passed on: another form, or one that wants a secret.
 */
export function elicitationOf(params: JsonObject, server: string): JsonObject | null {
  const { message, requestedSchema, mode = 'form' } = params;
  if (mode !== 'form' || typeof message !== 'string' || !isJsonObject(requestedSchema)) return null;
  if (secretWords.test(JSON.stringify([message, requestedSchema]))) return null;
  const said = shortened(message, 2_000);
  return { message: `The MCP server ${server} asks (not Ambit): ${said}`, requestedSchema };
}

function shortened(text: string, most: number): string {
  const shown = printableLines(text);
  return shown.length > most ? `${shown.slice(0, most)}…` : shown;
}
