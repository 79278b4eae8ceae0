import { inputSchema, type JsonObject } from '@ambit/core';
import * as z from 'zod';
import type { WorkerDefinition } from './worker-definition.js';

/** What a caller gives where the callee's file says nothing else. */
export const usualInput = inputSchema(
  z.strictObject({
    input: z.string().describe('What the worker is to do.'),
    attachments: z
      .array(z.string())
      .optional()
      .describe('Files to hand over, each as ROOT/path in your own roots.'),
  }) as unknown as z.ZodType<JsonObject>,
);

/** The arguments as a worker's model reads them: the text alone where there is nothing else. */
export function inputText(worker: WorkerDefinition, args: JsonObject): string {
  const { attachments: _, ...rest } = args;
  return worker.input === usualInput && typeof rest.input === 'string'
    ? rest.input
    : JSON.stringify(rest, null, 1);
}
