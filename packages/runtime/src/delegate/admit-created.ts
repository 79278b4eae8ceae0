import { isJsonObject } from '@ambit/core';
import type { RunWorld } from '../catalogue/run-world.js';
import type { PastCall } from '../journal/past.js';
import { type CreateArguments, proposeWorker } from './propose-worker.js';

/** Lets workers be called that the run had created before it was interrupted; their files are there, and are not read. */
export function admitCreated(world: RunWorld): void {
  for (const call of world.journal.past.calls.values()) {
    const made = creationIn(call);
    const creator = made === null ? undefined : world.workers.get(made.creator);
    if (made === null || creator === undefined) continue;
    const proposal = proposeWorker(world, creator, made.args);
    if ('problem' in proposal)
      throw new Error(
        `the worker \`${made.args.name}\` that the run created cannot be made again: ${proposal.problem}`,
      );
    world.creation.names.add(proposal.name);
    world.creation.admit(proposal.definition);
  }
}

/** What was created, by whom; null for every other call. */
function creationIn({ events, came }: PastCall): { args: CreateArguments; creator: string } | null {
  const last = events.findLast((event) => event.event === 'decision');
  if (last?.tool !== 'delegation.worker_create' || came === null || !('result' in came)) return null;
  const creator = last.chain[last.chain.length - 1];
  if (creator === undefined || !isJsonObject(last.args)) return null;
  return { args: last.args as CreateArguments, creator };
}
