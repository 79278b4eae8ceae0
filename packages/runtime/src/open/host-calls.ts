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
  type Run,
  refuseUnknownTool,
} from '@ambit/core';
import { namesFolder } from '@ambit/toolsets';
import type { BudgetWatch } from '../budget/budget.js';
import { type Catalogue, layersOf, type WorkerCall } from '../catalogue/catalogue.js';
import { referenceLayer } from '../catalogue/worker-layers.js';
import { delegationToolset } from '../delegate/delegation.js';
import type { Delegating } from '../delegate/propose-worker.js';
import type { CreateRequest, EntryCall, WorkerRequest } from '../host/session.js';
import { keptToolset } from '../journal/kept-toolset.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { entryInput, inputText } from '../worker-file/worker-input.js';

interface HostCaller extends Delegating {
  readonly run: Run;
}

export type HostCalls = ReturnType<typeof createHostCalls>;

export function createHostCalls(
  given: Delegating & { readonly budget: BudgetWatch },
  { run, entry }: { readonly run: Run; readonly entry: string | null },
) {
  const of: HostCaller = { ...given, run };
  const underWay = new Set<Promise<unknown>>();
  let [isUsed, isOver] = [false, false];
  let endBudget: (() => void) | null = null;

  async function track(call: () => Promise<CallOutcome>): Promise<CallOutcome> {
    if (isOver) throw new Error('the session is over: open another');
    isUsed = true;
    endBudget ??= given.budget.begin();
    const making = call();
    underWay.add(making);
    try {
      return await making;
    } finally {
      underWay.delete(making);
    }
  }

  return {
    callWorker: (request: WorkerRequest) =>
      track(() => (request.caller === undefined ? asUser(of, request) : asCaller(of, request))),
    createWorker: ({ creator = entry ?? undefined, ...args }: CreateRequest) =>
      track(() => callAs(of, creator, { tool: 'worker_create', args })),
    /** Whether the program made a call. */
    isUsed: () => isUsed,
    /** Whether no call is running. */
    isIdle: () => underWay.size === 0,
    /** Resolves when no call is active; later calls are refused. */
    async end(): Promise<void> {
      isOver = true;
      await Promise.allSettled(underWay);
      endBudget?.();
    },
  };
}

/** The user is trusted: the call needs no approval, but everything in it is judged. */
async function asUser(of: HostCaller, request: WorkerRequest): Promise<CallOutcome> {
  const { run } = of;
  const call = run.options.newId();
  if (run.stopped !== null) {
    const reason = `the run has stopped: ${run.stopped}`;
    return { status: 'refused', call, refusal: { code: 'stopped', reason, rule: null, instead: null } };
  }
  const worker = workerNamed(of.catalogue, request.worker);
  try {
    const result = await performForUser(of, worker, { ...request, place: call });
    return { status: 'completed', call, result, edited: null };
  } catch (error) {
    return { status: 'failed', call, error: messageOf(error) };
  }
}

/** Starts a worker that the user calls, with files of the working folder. */
export async function performForUser(
  of: Pick<HostCaller, 'run' | 'catalogue' | 'perform'>,
  worker: WorkerDefinition,
  { place, next, attachments = [], ...input }: Pick<WorkerCall, 'place' | 'next'> & EntryCall,
): Promise<Json> {
  const { run, catalogue } = of;
  const args = entryInput(worker, input);
  return of.perform({
    worker,
    authority: userAuthority(of, worker),
    model: inheritedModel(catalogue, worker),
    input: inputText(worker, args),
    attachments: await Promise.all(attachments.map((file) => readAttachment(catalogue.root, file))),
    signal: run.signal,
    place,
    ...(next === undefined ? {} : { next }),
  });
}

/** As the worker's model would call it: with its callable workers, roots, reference and depth. */
function asCaller(of: HostCaller, { caller, worker, input = '', attachments }: WorkerRequest) {
  const args = { worker, input, ...(attachments === undefined ? {} : { attachments }) };
  return callAs(of, caller, { tool: 'worker_call', args });
}

async function callAs(
  of: HostCaller,
  name: string | undefined,
  call: { readonly tool: string; readonly args: JsonObject },
): Promise<CallOutcome> {
  if (name === undefined)
    throw new TypeError('a worker calls or creates another: name it as `caller` or `creator`');
  const worker = workerNamed(of.catalogue, name);
  const authority = userAuthority(of, worker);
  const reference = worker.toolsets.find(({ key }) => key === 'delegation');
  if (reference === undefined)
    return refuseUnknownTool(authority, { tool: `delegation.${call.tool}`, args: call.args });
  const model = worker.model ?? inheritedModel(of.catalogue, worker) ?? of.catalogue.model ?? '';
  const place = of.run.options.newId();
  const toolset = delegationToolset(of, { worker, authority, model, place, endpoint: '' }, reference);
  const added = referenceLayer(worker, reference, toolset.name);
  const kept = keptToolset(toolset, of.journal, of.run);
  return guard(kept, forReference(authority, added)).call(call);
}

/** A worker that the user calls acts for no worker; a created one acts for its creator. */
function userAuthority(
  of: { readonly run: Run; readonly catalogue: Catalogue },
  { name, createdBy }: WorkerDefinition,
): Authority {
  const { run, catalogue } = of;
  const creator = createdBy === undefined ? undefined : catalogue.workers.get(createdBy);
  if (creator === undefined) return entryAuthority(run, name, layersOf(catalogue, name));
  return delegate(userAuthority(of, creator), name, layersOf(catalogue, name));
}

function inheritedModel(catalogue: Catalogue, { createdBy }: WorkerDefinition): string | null {
  const creator = createdBy === undefined ? undefined : catalogue.workers.get(createdBy);
  return creator === undefined
    ? null
    : (creator.model ?? inheritedModel(catalogue, creator) ?? catalogue.model);
}

export function workerNamed({ workers }: Catalogue, name: string | null): WorkerDefinition {
  const worker = name === null ? undefined : workers.get(name);
  if (worker !== undefined) return worker;
  const known = [...workers.keys()].join(', ');
  throw new Error(
    name === null ? `say which worker runs: ${known}` : `there is no worker \`${name}\`: ${known}`,
  );
}

async function readAttachment(root: string, file: string) {
  if (namesFolder(file)) throw new Error(`${file} names a folder, so it cannot be attached`);
  const path = resolve(root, file);
  return { name: basename(path), content: new Uint8Array(await readNamed(path)) };
}
