import { decisions, isJsonObject, type JsonObject } from '@ambit/core';
import * as z from 'zod';

const text = z.string().min(1);
const limit = z.int().min(1);
const suffixes = z.array(z.string().regex(/^\.[^/\s]+$/)).describe('`.pdf` and the like');
const name = z.string().regex(/^[a-z][a-z0-9_-]{0,99}$/);
const jsonSchema = z.record(z.string(), z.json()).describe('JSON Schema');

const root = z.strictObject({
  root: text.describe('a folder: from the root of the run, from `~/`, or absolute'),
  mode: z.enum(['ro', 'rw']).optional().describe('`ro` where left out'),
  suffixes: suffixes.optional(),
  max_file_bytes: limit.optional(),
  read_approval: z.boolean().optional().describe('whether handing out a file of this root needs approval'),
  write_approval: z.boolean().optional().describe('whether writing and deleting in this root need approval'),
  untrusted: z.boolean().optional().describe('whether what is read carries `content.untrusted`'),
});

const reference = z
  .record(z.string(), z.json())
  .and(z.object({ approvals: z.record(z.string(), z.enum(decisions)).optional() }));

export const modelName = z.string().regex(/^(anthropic|script):./);

export const attachmentsShape = z.strictObject({
  max_count: z.int().min(0).optional(),
  max_total_bytes: limit.optional(),
  allow: suffixes.optional(),
  deny: suffixes.optional(),
});

/** The shape of a worker file above its line `---`. */
export const workerShape = z.strictObject({
  name: name.optional().describe('the name of the file without `.worker`'),
  description: text.optional().describe('what callers are told'),
  model: modelName.optional(),
  compatible_models: z.array(text).min(1).optional().describe('globs; not together with `model`'),
  input: jsonSchema.optional().describe('what callers give'),
  output: jsonSchema.optional().describe('what the worker answers, as JSON; text where left out'),
  sandbox: z.strictObject({ paths: z.record(name, root).optional() }).optional(),
  attachments: attachmentsShape.optional(),
  toolsets: z
    .record(z.string(), reference)
    .optional()
    .describe(
      'built-in toolsets, modules, what a program gives, other workers; `provider: { tools: [web_search] }` for tools of the model’s provider',
    ),
  max_depth: limit.optional().describe('how many workers a chain may have that begins with this one'),
  locked: z.boolean().optional(),
});

/** The shape of a worker file's YAML as JSON Schema, for editors. `ambit check` finds more. */
export function workerSchema(): JsonObject {
  const json: unknown = JSON.parse(
    JSON.stringify({ title: 'worker', ...z.toJSONSchema(workerShape, { io: 'input' }) }),
  );
  if (!isJsonObject(json)) throw new TypeError('the schema is not plain JSON');
  return json;
}
