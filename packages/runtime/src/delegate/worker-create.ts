import {
  type Description,
  defineTool,
  inputSchema,
  type Json,
  type JsonObject,
  type NonEmpty,
  type Tool,
} from '@ambit/core';
import * as z from 'zod';
import type { ActingWorker, Catalogue } from '../catalogue/catalogue.js';
import { usedAs, wantedKeys } from './created-defaults.js';
import { nameProblem, writeGenerated } from './generated-folder.js';
import { type CreateArguments, type Delegating, type Proposal, proposeWorker } from './propose-worker.js';

const configuration = z.union([z.null(), z.record(z.string(), z.json())]);

const input = z.strictObject({
  name: z.string().describe('lower-case letters, digits, `_` and `-`'),
  instructions: z.string().describe('What the new worker is told to do.'),
  description: z.string(),
  output_schema: z
    .record(z.string(), z.json())
    .optional()
    .describe('a JSON Schema of its answer; text by default'),
  model: z
    .string()
    .max(200)
    .optional()
    .describe('by default the usual model, in most cases that of its caller'),
  toolsets: z
    .union([z.array(z.string()), z.record(z.string(), configuration)])
    .optional()
    .describe('The toolsets that it gets, of your own; by default the usual ones, in most cases none.'),
});

/** `worker_create`: a new worker with at most its creator's permissions. A person approves the file. */
export function workerCreateTool(
  of: Delegating,
  { worker: creator, authority: { chain } }: Pick<ActingWorker, 'worker' | 'authority'>,
): Tool<CreateArguments> {
  const propose = (args: CreateArguments) => proposeWorker(of, creator, args);
  return defineTool({
    name: 'worker_create',
    description:
      'Creates a worker for this run, which can then be called with worker_call as `created:NAME`. It can be given no more than you have.',
    input: inputSchema(input as unknown as z.ZodType<CreateArguments>),
    describe: (args) => describeCreation(of.catalogue, args, propose(args)),
    summary: (args) => {
      const proposal = propose(args);
      return 'problem' in proposal ? '' : proposalInWords(proposal);
    },
    preview: (args) => {
      const proposal = propose(args);
      if ('problem' in proposal) return null;
      return { path: proposal.definition.path, before: null, after: proposal.text };
    },
    execute: async (args) => created(of, propose(args), chain),
  });
}

async function describeCreation(
  { creation }: Catalogue,
  { name, toolsets = Object.fromEntries(creation.defaults.toolsets ?? []) }: CreateArguments,
  proposal: ReturnType<typeof proposeWorker>,
): Promise<Description> {
  // Its toolsets, if known: the defaults may be narrower.
  const keys = 'problem' in proposal ? wantedKeys(toolsets) : keysOf(proposal);
  const capabilities = [{ name: 'worker.create', worker: `created:${name}`, toolsets: keys }];
  if ('problem' in proposal) return { capabilities, cannot: proposal.problem };
  const taken = creation.folder === null ? null : await nameProblem(creation.folder, name);
  return { capabilities, ...(taken === null ? {} : { cannot: taken }) };
}

/** Of two at once, one is created. */
async function created(
  { catalogue: { creation, admit }, emit }: Delegating,
  proposal: ReturnType<typeof proposeWorker>,
  chain: NonEmpty<string>,
): Promise<Json> {
  if ('problem' in proposal) throw new Error(proposal.problem);
  const { name, text, definition, differs, warnings } = proposal;
  const { folder, names } = creation;
  if (folder === null || names.has(name)) throw new Error(`there is a worker \`${name}\` already`);
  names.add(name);
  try {
    await writeGenerated(folder, { name, text }, () => admit(definition));
  } catch (error) {
    names.delete(name);
    throw error;
  }
  const { name: worker, file, sha256 } = definition;
  const toolsets = keysOf(proposal);
  emit({ type: 'worker_created', chain, worker, file, sha256, toolsets, differs, warnings });
  const result: JsonObject = { worker, file };
  return warnings.length === 0 ? result : { ...result, warnings };
}

function keysOf({ definition }: Proposal): readonly string[] {
  return definition.toolsets.map(({ key }) => key).sort();
}

function proposalInWords({ name, definition, differs, warnings }: Proposal): string {
  const { toolsets, roots, model, maxDepth } = definition;
  const folders = roots.map(
    (root) => `${root.mode === 'rw' ? 'read and write' : 'read'} in \`${root.name}\``,
  );
  const does = [
    ...(toolsets.length === 0 ? ['answer, and nothing else'] : [`use ${toolsets.map(usedAs).join(', ')}`]),
    ...folders,
  ];
  return [
    `create the worker \`${name}\`, for this run; as its creator can, it could ${does.join('; ')}`,
    differs.length === 0 ? 'as the defaults say' : `unlike the defaults, with ${differs.join(', ')}`,
    `on ${model === null ? 'the model of its caller' : `the model ${model}`}, ${maxDepth} deep at most`,
    ...warnings,
  ].join('; ');
}
