import { isJsonObject, type JsonObject } from '@ambit/core';
import * as z from 'zod';
import { attachmentsShape, modelName } from '../worker-file/worker-schema.js';

const price = z.number().min(0).max(1_000_000).describe('of a million tokens');

/** The shape of a project's `ambit.yaml`. */
export const configurationShape = z.strictObject({
  created: z
    .strictObject({
      model: modelName.optional(),
      max_depth: z.int().min(1).optional(),
      toolsets: z
        .record(z.string(), z.record(z.string(), z.json()))
        .optional()
        .describe('references of a new worker, as far as its creator has them'),
      roots: z.array(z.string().regex(/^[a-z][a-z0-9_-]{0,99}$/)).optional(),
      attachments: attachmentsShape.optional(),
    })
    .optional()
    .describe('for workers that a run creates, where their creator says nothing else'),
  prices: z
    .strictObject({
      currency: z.string().regex(/^[A-Z]{3}$/),
      models: z.record(z.string(), z.strictObject({ input: price, output: price })),
    })
    .optional()
    .describe('by globs of models, `*` for any text'),
});

/** The shape of `ambit.yaml` as JSON Schema, for editors. `ambit check` finds more. */
export function configurationSchema(): JsonObject {
  const json: unknown = JSON.parse(
    JSON.stringify({ title: 'configuration', ...z.toJSONSchema(configurationShape, { io: 'input' }) }),
  );
  if (!isJsonObject(json)) throw new TypeError('the schema is not plain JSON');
  return json;
}
