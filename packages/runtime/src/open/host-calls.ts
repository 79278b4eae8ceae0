import { basename, resolve } from 'node:path';
import { readNamed } from '@ambit/audit';
import {
  type Authority,
  type CallOutcome,
  delegate,
  entryAuthority,
  forReference,
  guard,
  type Json,
  type JsonObject,
  messageOf,
  refuseUnknownTool,
} from '@ambit/core';
import { namesFolder } from '@ambit/toolsets';
import { layersOf, type RunWorld } from '../catalogue/run-world.js';
import { referenceLayer } from '../catalogue/worker-layers.js';
import { delegationToolset } from '../delegate/delegation.js';
import { keptToolset } from '../journal/kept-toolset.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { entryInput, inputText } from '../worker-file/worker-input.js';
import type { CreateRequest, WorkerRequest } from './session.js';

/** Calls that a program makes itself: as the user, who is trusted, or as a worker, which is not. */
export interface HostCalls {
  readonly callWorker: (request: WorkerRequest) => Promise<CallOutcome>;
  readonly createWorker: (request: CreateRequest) => Promise<CallOutcome>;
  /** Whether there was any. */
  readonly isUsed: () => boolean;
  /** Whether none is under way. */
  readonly isIdle: () => boolean;
  /** Resolves when none is under way; from then on there are no more. */
  readonly end: () => Promise<void>;
}

export function createHostCalls(
  world: RunWorld,
  of: { readonly root: string; readonly entry: string | null },
): HostCalls {
  const underWay = new Set<Promise<unknown>>();
  let [isUsed, isOver] = [false, false];
  let endBudget: (() => void) | null = null;

  async function made(call: () => Promise<CallOutcome>): Promise<CallOutcome> {
    if (isOver) throw new Error('the session is over: open another');
    isUsed = true;
    endBudget ??= world.budget.begin();
    const making = call();
    underWay.add(making);
    try {
      return await making;
    } finally {
      underWay.delete(making);
    }
  }

  return {
    callWorker: (request) =>
      made(() => (request.caller === undefined ? asUser(world, of.root, request) : asCaller(world, request))),
    createWorker: ({ creator = of.entry ?? undefined, ...args }) =>
      made(() => callAs(world, creator, { tool: 'worker_create', args: args as unknown as JsonObject })),
    isUsed: () => isUsed,
    isIdle: () => underWay.size === 0,
    async end() {
      isOver = true;
      await Promise.allSettled(underWay);
      endBudget?.();
    },
  };
}

/** The user is trusted: what is called is judged in everything that it does, and nobody is asked whether it may be called. */
async function asUser(world: RunWorld, root: string, request: WorkerRequest): Promise<CallOutcome> {
  const { run } = world;
  const call = run.options.newId();
  if (run.stopped !== null) {
    const reason = `the run has stopped: ${run.stopped}`;
    return { status: 'refused', call, refusal: { code: 'stopped', reason, rule: null, instead: null } };
  }
  const worker = workerNamed(world, request.worker);
  try {
    const args = entryInput(worker, request);
    const files = request.attachments ?? [];
    const result: Json = await world.perform({
      worker,
      authority: userAuthority(world, worker),
      model: inheritedModel(world, worker),
      input: inputText(worker, args),
      attachments: await Promise.all(files.map((file) => readAttachment(root, file))),
      signal: run.signal,
      place: call,
    });
    return { status: 'completed', call, result, edited: null };
  } catch (error) {
    return { status: 'failed', call, error: messageOf(error) };
  }
}

/** As the worker's model would call it: what the worker may call, its roots, its reference and its depth hold. */
function asCaller(world: RunWorld, { caller, worker, input = '', attachments }: WorkerRequest) {
  const args = { worker, input, ...(attachments === undefined ? {} : { attachments }) };
  return callAs(world, caller, { tool: 'worker_call', args });
}

async function callAs(
  world: RunWorld,
  name: string | undefined,
  call: { readonly tool: string; readonly args: JsonObject },
): Promise<CallOutcome> {
  if (name === undefined) throw new TypeError('a worker is called, and created, for a worker: say for which');
  const worker = workerNamed(world, name);
  const authority = userAuthority(world, worker);
  const reference = worker.toolsets.find(({ key }) => key === 'delegation');
  if (reference === undefined)
    return refuseUnknownTool(authority, { tool: `delegation.${call.tool}`, args: call.args });
  const model = worker.model ?? inheritedModel(world, worker) ?? world.model ?? '';
  const place = world.run.options.newId();
  const toolset = delegationToolset(world, { worker, authority, model, place, endpoint: '' }, reference);
  const added = referenceLayer(worker, reference, toolset.name);
  const kept = keptToolset(toolset, world.journal, world.run);
  return guard(kept, forReference(authority, added)).call(call);
}

/** What the user calls acts for nobody; but a worker that was created acts for its creator, whoever calls it. */
export function userAuthority(world: RunWorld, { name, createdBy }: WorkerDefinition): Authority {
  const creator = createdBy === undefined ? undefined : world.workers.get(createdBy);
  if (creator === undefined) return entryAuthority(world.run, name, layersOf(world, name));
  return delegate(userAuthority(world, creator), name, layersOf(world, name));
}

/** Of its creator, where it has one. */
export function inheritedModel(world: RunWorld, { createdBy }: WorkerDefinition): string | null {
  const creator = createdBy === undefined ? undefined : world.workers.get(createdBy);
  return creator === undefined ? null : (creator.model ?? inheritedModel(world, creator) ?? world.model);
}

export function workerNamed({ workers }: RunWorld, name: string | null): WorkerDefinition {
  const worker = name === null ? undefined : workers.get(name);
  if (worker !== undefined) return worker;
  const known = [...workers.keys()].join(', ');
  throw new Error(
    name === null ? `which worker is to run: ${known}` : `there is no worker \`${name}\`: ${known}`,
  );
}

/** A file of the user's own. */
export async function readAttachment(root: string, file: string) {
  if (namesFolder(file)) throw new Error(`${file} names a folder, so it cannot be attached`);
  const path = resolve(root, file);
  return { name: basename(path), content: new Uint8Array(await readNamed(path)) };
}
