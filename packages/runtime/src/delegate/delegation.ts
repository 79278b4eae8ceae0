import {
  type Capability,
  createdPrefix,
  type Description,
  defineTool,
  defineToolset,
  delegate,
  type ExecuteContext,
  type InputSchema,
  inputSchema,
  type Json,
  type JsonObject,
  type Parsed,
  type Toolset,
  textsOf,
} from '@ambit/core';
import { nearest } from '@ambit/policy/yaml';
import { saidBy } from '@ambit/toolsets';
import * as z from 'zod';
import { type ActingWorker, type Catalogue, layersOf, rootsFor } from '../catalogue/catalogue.js';
import { effectiveModel } from '../catalogue/effective-model.js';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';
import { inputText } from '../worker-file/worker-input.js';
import { handOver } from './attachments.js';
import type { Delegating } from './propose-worker.js';
import { workerCreateTool } from './worker-create.js';

/** A worker as one tool of another, `worker.NAME`: the only way that a worker becomes a tool. */
export function workerToolset(of: Delegating, acting: ActingWorker, callee: WorkerDefinition): Toolset {
  const tool = defineTool({
    name: callee.name,
    description: descriptionOf(callee),
    input: callee.input,
    describe: (args, { chain }) =>
      describeDelegation(of, acting, { callee, args, chain, by: 'toolset:worker' }),
    execute: (args, context) => performDelegation(of, acting, { callee, args, context }),
  });
  return defineToolset({ name: 'worker', tools: [tool] });
}

/** `worker_call`, for the workers that a reference allows, and `worker_create`. */
export function delegationToolset(
  of: Delegating,
  acting: ActingWorker,
  reference: ToolsetReference,
): Toolset {
  const names = textsOf(reference.configuration.allow_workers);
  const calleeOf = (name: string) => {
    const callee = of.catalogue.workers.get(name);
    // Only its creator may call a created worker, so the creator's restrictions are in every chain.
    const isAllowed =
      callee?.createdBy === undefined
        ? names.includes('*') || names.includes(name)
        : callee.createdBy === acting.worker.name;
    return isAllowed ? callee : undefined;
  };
  const callable = () =>
    [...of.catalogue.workers.keys()].filter((name) => calleeOf(name) !== undefined).sort();
  const tool = defineTool({
    name: 'worker_call',
    description: `Hands a task to another worker and returns its answer. Workers: ${callable().join(', ') || 'none'}.`,
    input: withFullNames(of.catalogue, callInput),
    describe: async ({ worker, input, attachments }, { chain }) => {
      const callee = calleeOf(worker);
      if (callee === undefined) {
        const cannot = notCallable(worker, callable());
        return {
          capabilities: [{ name: 'worker.call', worker, attachments: attachments?.length ?? 0 }],
          cannot,
        };
      }
      const parsed = inputFor(callee, input, attachments);
      const args = parsed.ok ? parsed.value : { attachments: attachments ?? [] };
      const by = 'toolset:delegation';
      const description = await describeDelegation(of, acting, { callee, args, chain, by });
      return parsed.ok
        ? description
        : { ...description, cannot: `the input does not fit ${worker}: ${parsed.problem}` };
    },
    execute: async ({ worker, input, attachments }, context) => {
      const callee = calleeOf(worker);
      if (callee === undefined) throw new Error(`\`${worker}\` cannot be called`);
      const parsed = inputFor(callee, input, attachments);
      if (!parsed.ok) throw new Error(`the input does not fit ${worker}: ${parsed.problem}`);
      return performDelegation(of, acting, { callee, args: parsed.value, context });
    },
  });
  return defineToolset({ name: 'delegation', tools: [tool, workerCreateTool(of, acting)] });
}

function notCallable(worker: string, callable: readonly string[]): string {
  const near = nearest(worker, callable);
  const said = `\`${worker}\` is not among the workers that can be called: ${callable.join(', ') || 'none'}`;
  return near === null ? said : `${said}; did you mean \`${near}\`?`;
}

const callInput = inputSchema(
  z.strictObject({
    worker: z.string(),
    input: z.union([z.string(), z.record(z.string(), z.json())], {
      error: 'expected text or an object',
    }) as z.ZodType<string | JsonObject>,
    attachments: z.array(z.string()).optional(),
  }) as unknown as z.ZodType<WorkerCallArguments>,
);

/** NAME means `created:NAME` if no other worker has that name; the full name is judged and recorded. */
function withFullNames(
  { workers }: Pick<Catalogue, 'workers'>,
  { json, parse }: typeof callInput,
): InputSchema<WorkerCallArguments> {
  return {
    json,
    parse: (value) => {
      const parsed = parse(value);
      if (!parsed.ok || workers.has(parsed.value.worker)) return parsed;
      const full = `${createdPrefix}${parsed.value.worker}`;
      return workers.has(full) ? { ok: true, value: { ...parsed.value, worker: full } } : parsed;
    },
  };
}

type WorkerCallArguments = JsonObject & {
  readonly worker: string;
  readonly input: string | JsonObject;
  readonly attachments?: readonly string[];
};

interface Delegation {
  readonly callee: WorkerDefinition;
  readonly args: JsonObject;
}

async function describeDelegation(
  of: Delegating,
  acting: ActingWorker,
  { callee, args, chain, by }: Delegation & { readonly chain: readonly string[]; readonly by: string },
): Promise<Description> {
  const names = textsOf(args.attachments);
  const call: Capability = { name: 'worker.call', worker: callee.name, attachments: names.length };
  const { capabilities, cannot } = await handOver(names, partiesOf(of, acting, callee));
  // Nobody is asked about a worker that cannot run.
  const problem = depthProblem(of, callee.name, chain) ?? modelProblem(of, acting, callee) ?? cannot;
  return {
    capabilities: [call, ...saidBy(by, capabilities)],
    ...(problem === null ? {} : { cannot: problem }),
  };
}

async function performDelegation(
  of: Delegating,
  acting: ActingWorker,
  { callee, args, context }: Delegation & { readonly context: ExecuteContext },
): Promise<Json> {
  // A worker that began before the interruption has its input already.
  const names = of.journal.past.started.has(context.id) ? [] : textsOf(args.attachments);
  const { attachments, cannot } = await handOver(names, partiesOf(of, acting, callee));
  if (cannot !== null) throw new Error(cannot);
  const isJudged = (sha256: string) =>
    context.described.some(({ name, sha256: judged }) => name === 'data.share' && judged === sha256);
  const other = attachments.find(({ sha256 }) => !isJudged(sha256));
  if (other !== undefined) throw new Error(`${other.name} changed after the call was judged`);
  return of.perform({
    worker: callee,
    authority: delegate(acting.authority, callee.name, layersOf(of.catalogue, callee.name)),
    model: acting.model === '' ? null : acting.model,
    input: inputText(callee, args),
    attachments,
    signal: context.signal,
    place: context.id,
  });
}

/** Every worker of the chain limits its length. */
function depthProblem(of: Delegating, callee: string, chain: readonly string[]): string | null {
  const caller = chain[chain.length - 1];
  for (const [index, name] of chain.entries()) {
    const limit = of.catalogue.workers.get(name)?.maxDepth ?? 0;
    const depth = chain.length + 1 - index;
    if (depth > limit) {
      return `${caller} cannot call ${callee}: that would be depth ${depth}, and the limit of ${name} is ${limit}`;
    }
  }
  return null;
}

/** Why a callee could not run on the model that it would have, or null. */
function modelProblem(of: Delegating, { model }: ActingWorker, callee: WorkerDefinition): string | null {
  const inherited = model === '' ? null : model;
  const found = effectiveModel(callee, { inherited, run: of.catalogue.model });
  return found.model === null ? found.problem : of.problemWith(found.model);
}

function partiesOf(of: Delegating, { worker }: ActingWorker, callee: WorkerDefinition) {
  return { caller: worker, callee, roots: rootsFor(of.catalogue, worker), home: of.catalogue.home };
}

function inputFor(
  callee: WorkerDefinition,
  input: string | JsonObject,
  attachments: readonly string[] | undefined,
): Parsed<JsonObject> {
  const given = typeof input === 'string' ? { input } : input;
  return callee.input.parse(attachments === undefined ? given : { ...given, attachments });
}

function descriptionOf({ description, instructions }: WorkerDefinition): string {
  if (description !== '') return description;
  // Whole characters, never halves.
  const characters = [...instructions];
  return characters.length <= 200 ? instructions : `${characters.slice(0, 200).join('')}...`;
}
