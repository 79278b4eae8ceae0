import { isJsonObject, type JsonObject } from '@ambit/core';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as z from 'zod';

const tenMinutes = 600_000;

/** Whether the client says that its user can be asked by a form. */
export function canElicit(downstream: Server): boolean {
  const elicitation = downstream.getClientCapabilities()?.elicitation;
  // Without a mode it means forms.
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}

/** Asks the client's user for an answer of a form; null for whatever is not an answer. */
export async function ask(
  downstream: Server,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  try {
    const answer: unknown = await downstream.request(
      { method: 'elicitation/create', params: { ...params } },
      z.looseObject({}),
      { signal, timeout: tenMinutes },
    );
    return isJsonObject(answer as JsonObject) ? (answer as JsonObject) : null;
  } catch {
    return null;
  }
}

/** The user's answer to a question of ours. Everything but a clear yes is a no. */
export async function answerOf(
  downstream: Server,
  message: string,
  signal: AbortSignal,
): Promise<'approve' | 'deny'> {
  const requestedSchema = {
    type: 'object',
    properties: {
      decision: { type: 'string', enum: ['approve', 'deny'], description: 'Whether this one call may run' },
    },
    required: ['decision'],
  };
  const answer = await ask(downstream, { message, requestedSchema }, signal);
  const content = answer?.action === 'accept' ? answer.content : null;
  return isJsonObject(content ?? null) && (content as JsonObject).decision === 'approve' ? 'approve' : 'deny';
}
