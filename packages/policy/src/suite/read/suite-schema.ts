import { decisions, isJsonObject, type JsonObject } from '@ambit/core';
import * as z from 'zod';

/** The shape of a suite; what a shape cannot say is left to the loader. Made when it is wanted: most commands never do. */
export function suiteShape() {
  const text = z.string().min(1);
  const object = z.record(z.string(), z.json());
  const capability = z.union([text, z.looseObject({ name: text })]);
  const worker = z.union([text, z.array(text).min(1)]).describe('a name, or a chain with the root first');
  const now = text.describe('the time of the calls: 2026-11-20T10:00:00Z');
  const decision = z.enum(decisions).describe('what is to happen to the call');

  const call = z
    .strictObject({
      tool: text.describe('toolset.tool'),
      args: object.optional(),
      capabilities: z
        .array(capability)
        .optional()
        .describe('what the call carries; described from `args` without it'),
      worker: worker.optional(),
      context: object.optional(),
      history: z.array(capability).optional().describe('what the run has been permitted before'),
      grants: z
        .array(z.strictObject({ worker: text, tool: text, capabilities: z.array(text).optional() }))
        .optional(),
      now: now.optional(),
      id: z.json().optional(),
    })
    .describe('a call, as `ambit decide` takes it');

  const expectation = z
    .strictObject({
      decision: decision.optional(),
      rules: z
        .union([text, z.array(text).min(1)])
        .optional()
        .describe('ids of rules: each must be among those that decide'),
      default: z.boolean().optional().describe('whether the default of a policy is among what decides'),
      answer: z.enum(['person', 'any']).optional().describe('who may answer the question'),
      reason: text.optional(),
      instead: text.optional(),
    })
    .refine((given) => Object.keys(given).length > 0);

  // A placeholder may stand for anything but a case's keys.
  const placeholder = z.string().regex(/\{[A-Za-z_]\w*\}/);
  const rows = z.union([
    z.array(object).min(1).describe('a case for each row: the values of the placeholders'),
    z.record(z.string(), z.array(z.json()).min(1)).describe('lists of values: a case for every combination'),
  ]);

  const suiteCase = z.strictObject({
    name: text.describe('unique in the suite'),
    for: rows.optional(),
    call: z.union([call, placeholder, object]),
    expect: z.union([decision, expectation, placeholder, object]),
    skip: text.optional().describe('why the case is not run; it is reported and counted'),
  });

  return z.strictObject({
    version: z.literal(1).optional(),
    policy: z.union([text, z.array(text).min(1)]).describe('the policies, relative to the suite'),
    root: text.optional().describe('what `./` stands for, relative to the suite; its own folder otherwise'),
    worker: worker.optional(),
    context: object.optional(),
    now: now.optional(),
    cases: z.array(suiteCase).min(1),
  });
}

/** The JSON Schema of a suite, for editors. */
export function suiteSchema(): JsonObject {
  const schema: unknown = z.toJSONSchema(suiteShape(), { io: 'input' });
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  if (!isJsonObject(plain)) throw new TypeError('the schema is not plain JSON');
  return { ...plain, title: 'Ambit suite, version 1' };
}
