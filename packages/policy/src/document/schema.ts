import { decisions, isJsonObject, type JsonObject, reaches, remembers } from '@ambit/core';
import * as z from 'zod';

const text = z.string().min(1);
const decision = z.enum(decisions).describe('what happens to a call');
const scalar = z.union([text, z.number(), z.boolean()]);
const range = z.strictObject({ from: z.number().optional(), to: z.number().optional() });
const pattern = z.union([scalar, range]);
const match = z
  .record(z.string(), z.union([pattern, z.array(pattern).min(1)]))
  .describe('patterns by fact; all must match');
const facts = z.record(z.string(), z.json());
const condition = z
  .union([z.boolean(), z.record(z.string(), z.json())])
  .describe('JSON Logic, strict dialect');

const undecided = z.enum(['needs_approval', 'blocked']);

const common = {
  decision,
  id: text.max(100).optional().describe('unique in its file'),
  when: condition.optional(),
  reason: text.optional().describe('shown to people and to the model'),
  instead: text.optional().describe('what the model may do instead'),
  owner: text.optional(),
  note: text.optional(),
  until: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('permissions only: no longer applies from then on'),
  answer: z.enum(['person', 'any']).optional(),
  undecided: undecided
    .optional()
    .describe('blocks only: `needs_approval` asks a person where the rule is undecided'),
  inherit: z
    .boolean()
    .optional()
    .describe('whether a restriction for a worker holds for those who act for it'),
  observe: z.boolean().optional().describe('only records what the rule would have said'),
  observed_since: z.iso.datetime({ offset: true }).optional().describe('goes with `observe: true`'),
};
const capabilityRule = z.strictObject({
  ...common,
  match: match.optional(),
  except: match.optional(),
  below: z.boolean().optional().describe('permissions only: covers what is under its name too'),
  examples: z
    .strictObject({ match: z.array(facts).min(1).optional(), not_match: z.array(facts).min(1).optional() })
    .optional(),
});
const wholeCall = z.strictObject({ args: facts.optional(), context: facts.optional() });
const toolRule = z.strictObject({
  ...common,
  examples: z
    .strictObject({
      match: z.array(wholeCall).min(1).optional(),
      not_match: z.array(wholeCall).min(1).optional(),
    })
    .optional(),
});
const rulesOf = <Rule extends z.ZodType>(rule: Rule) =>
  z.union([decision, rule, z.array(z.union([decision, rule])).min(1)]);

const capabilityName = z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/);
const toolKey = z.string().regex(/^[a-z][a-z0-9_-]*\.(\*|[A-Za-z0-9_][A-Za-z0-9_.:-]*)$/);
const capabilities = z.record(capabilityName, rulesOf(capabilityRule));
const tools = z.record(toolKey, rulesOf(toolRule));
const member = z.union([
  capabilityName,
  z.strictObject({ name: capabilityName, match: match.optional(), except: match.optional() }),
]);
const { until: _, inherit: __, ...combined } = common;
const combination = z.strictObject({
  ...combined,
  decision: z.enum(['needs_approval', 'blocked']).describe('what happens to a call'),
  capabilities: z.array(member).min(1).describe('restricted where all of them are present'),
  within: z.enum(['call', 'run']).optional().describe('where they are looked for; call where left out'),
});
const invariant = z.strictObject({
  id: common.id,
  capabilities: z.array(member).min(1).describe('a call that carries all of these, whatever else'),
  never: z.literal('pre_approved').describe('is never decided so'),
  reason: text.optional(),
  owner: text.optional(),
  note: text.optional(),
});
const carried = z.union([capabilityName, z.looseObject({ name: capabilityName })]);

/** The shape of a policy file; what a shape cannot say (patterns that match nothing, say) is left to the loader. */
export const policyShape = z.strictObject({
  version: z.literal(1),
  extends: z.array(text).min(1).optional().describe('files that judge beside this one'),
  default: z.union([decision, z.strictObject({ decision, answer: z.enum(['person', 'any']).optional() })]),
  undecided: undecided.optional().describe('for all rules of this file that block'),
  capabilities: capabilities.optional(),
  tools: tools.optional(),
  carries: z.record(toolKey, z.array(carried).min(1)).optional(),
  workers: z
    .record(z.string(), z.strictObject({ capabilities: capabilities.optional(), tools: tools.optional() }))
    .optional(),
  together: z.array(combination).min(1).optional().describe('rules about what comes together'),
  grants: z
    .strictObject({
      workers: z.union([z.boolean(), z.array(text).min(1)]).optional(),
      remember: z.enum(remembers).optional(),
      reach: z.enum(reaches).optional(),
      unattended: z.boolean().optional(),
    })
    .optional(),
  invariants: z.array(invariant).min(1).optional().describe('what `ambit check` is to prove'),
});

/** The JSON Schema of a policy file, for editors. */
export function policySchema(): JsonObject {
  const schema: unknown = z.toJSONSchema(policyShape, { io: 'input' });
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  if (!isJsonObject(plain)) throw new TypeError('the schema is not plain JSON');
  return { ...plain, title: 'Ambit policy, version 1' };
}
