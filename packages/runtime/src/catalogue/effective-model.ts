import { matchesWildcards, textsOf } from '@ambit/core';
import type { ModelSource } from '../host/session-event.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';

export interface ModelsGiven {
  readonly inherited: string | null;
  readonly run: string | null;
}

export type EffectiveModel =
  | { readonly model: string; readonly from: ModelSource }
  | { readonly model: null; readonly problem: string };

/** A worker's own model, its caller's or the command line's; or why it cannot run. */
export function effectiveModel(worker: WorkerDefinition, { inherited, run }: ModelsGiven): EffectiveModel {
  const { name, compatibleModels } = worker;
  const model = worker.model ?? inherited ?? run;
  if (model === null)
    return {
      model,
      problem: `no model for the worker ${name}: state \`model:\` in its file, or give --model`,
    };
  if (compatibleModels !== null && !compatibleModels.some((glob) => matchesWildcards(glob, model)))
    return {
      model: null,
      problem: `the worker ${name} does not run on ${model}: only on ${compatibleModels.join(', ')}`,
    };
  return { model, from: worker.model !== null ? 'worker' : inherited !== null ? 'caller' : 'run' };
}

/** The distinct reasons why a worker or its callees cannot run. `"*"` names no callees. */
export function incompatibleModels(
  entry: WorkerDefinition,
  workers: ReadonlyMap<string, WorkerDefinition>,
  run: string | null,
): readonly string[] {
  const problems = new Set<string>();
  const waiting: { readonly worker: WorkerDefinition; readonly inherited: string | null }[] = [
    { worker: entry, inherited: null },
  ];
  const seen = new Set<string>();
  // It grows while it is walked.
  for (const { worker, inherited } of waiting) {
    const found = effectiveModel(worker, { inherited, run });
    if (found.model === null) {
      problems.add(found.problem);
      continue;
    }
    const key = JSON.stringify([worker.name, found.model]);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const name of calleesOf(worker)) {
      const callee = workers.get(name);
      if (callee !== undefined) waiting.push({ worker: callee, inherited: found.model });
    }
  }
  return [...problems];
}

function calleesOf({ toolsets }: WorkerDefinition): readonly string[] {
  return toolsets.flatMap(({ key, configuration: { allow_workers: allowed } }) =>
    key === 'delegation' && Array.isArray(allowed) ? textsOf(allowed) : [key],
  );
}
