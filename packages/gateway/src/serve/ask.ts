import { isJsonObject, type JsonObject } from '@ambit/core';
import type { ServerQuestion } from '@ambit/toolsets';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

const tenMinutes = 600_000;

/** Whether the client declares that its user can be asked by a form. */
export function canElicit(downstream: Server): boolean {
  return takesForms(downstream.getClientCapabilities()?.elicitation ?? null);
}

/** Whether a client that declares this can ask its user by a form. Without a mode it means forms. */
export function takesForms(elicitation: object | null): boolean {
  return elicitation !== null && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}

/** A question for the user of a client, or for its model. */
export interface ClientQuestion {
  readonly method: ServerQuestion;
  readonly params: JsonObject;
}

/** Null if the result is not an answer. */
export type Ask = (question: ClientQuestion) => Promise<JsonObject | null>;

/** Asks the client's user, or its model. `about`: its request, on whose stream the question is sent over HTTP. */
export async function ask(
  downstream: Server,
  { method, params }: ClientQuestion,
  { signal, about }: { readonly signal: AbortSignal; readonly about: RequestId | null },
): Promise<JsonObject | null> {
  try {
    const answer: unknown = await downstream.request({ method, params: { ...params } }, z.looseObject({}), {
      signal,
      timeout: tenMinutes,
      ...(about !== null && { relatedRequestId: about }),
    });
    return isJsonObject(answer) ? answer : null;
  } catch {
    return null;
  }
}

/** Asks a question from Ambit. */
export function asApproval(ask: Ask): (message: string) => Promise<'approve' | 'deny'> {
  return async (message) =>
    decisionIn(await ask({ method: 'elicitation/create', params: approvalForm(message) }));
}

/** The form of a question from Ambit. */
export function approvalForm(message: string): JsonObject {
  const requestedSchema = {
    type: 'object',
    properties: {
      decision: { type: 'string', enum: ['approve', 'deny'], description: 'Whether this one call may run' },
    },
    required: ['decision'],
  };
  return { message, requestedSchema };
}

/** The user's answer to a question from Ambit. Any answer except a clear yes means no. */
export function decisionIn(answer: unknown): 'approve' | 'deny' {
  if (!isJsonObject(answer)) return 'deny';
  const { action, content } = answer;
  const isYes = action === 'accept' && isJsonObject(content) && content.decision === 'approve';
  return isYes ? 'approve' : 'deny';
}
