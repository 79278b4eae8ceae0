import { inputSchema, isJsonObject, type JsonObject, jsonOr } from '@ambit/core';
import * as z from 'zod';
import type { EntryCall } from '../host/session.js';
import type { WorkerDefinition } from './worker-definition.js';

export const usualInput = inputSchema(
  z.strictObject({
    input: z.string().describe('The task of the worker.'),
    attachments: z
      .array(z.string())
      .optional()
      .describe('Files to hand over, each as ROOT/path in your own roots.'),
  }) as unknown as z.ZodType<JsonObject>,
);

/** The arguments for a worker's model: only the text if there is nothing else. */
export function inputText(worker: WorkerDefinition, args: JsonObject): string {
  const { attachments: _, ...rest } = args;
  return worker.input === usualInput && typeof rest.input === 'string'
    ? rest.input
    : JSON.stringify(rest, null, 1);
}

/** Throws if it does not fit. */
export function entryInput(worker: WorkerDefinition, { input = '' }: Pick<EntryCall, 'input'>): JsonObject {
  const parsed = worker.input.parse(typeof input === 'string' ? (asObject(input) ?? { input }) : input);
  if (!parsed.ok) throw new Error(`the input does not fit ${worker.name}: ${parsed.problem}`);
  return parsed.value;

  function asObject(text: string): JsonObject | null {
    // For a worker with other input than text, text that holds a JSON object is that object.
    if (worker.input.parse({ input: text }).ok) return null;
    const value = jsonOr(text, null);
    return isJsonObject(value) ? value : null;
  }
}
