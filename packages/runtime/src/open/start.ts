import {
  earlierRun,
  type GuardWatch,
  isNonEmpty,
  type Log,
  type LogEvent,
  messageOf,
  Run,
} from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { Parking } from '../approvers/parking.js';
import { watchBudget } from '../budget/budget.js';
import { createTally, withCosts } from '../budget/totals.js';
import { type Catalogue, createCatalogue } from '../catalogue/catalogue.js';
import { openRootFolders } from '../catalogue/root-folders.js';
import { pastHappenings } from '../converse/conversation.js';
import { createModels } from '../converse/models.js';
import { type Performing, performWorker } from '../converse/perform-worker.js';
import { admitCreated } from '../delegate/propose-worker.js';
import { clock, newId } from '../host/clock.js';
import type { Session } from '../host/session.js';
import { eventVersion, type Happening } from '../host/session-event.js';
import { type Past, pastDuration } from '../journal/journal.js';
import { newerPolicies } from '../policies/newer-policies.js';
import { createMcpServers } from '../toolsets/mcp-servers.js';
import { LoadedModules } from '../toolsets/module-toolset.js';
import { confinementOf } from '../toolsets/shell-of.js';
import { openStateFolder } from '../trust/state-folder.js';
import { guardingOf } from '../watch/guarding.js';
import { openRecords, type Records } from './records.js';
import { addedFiles, type Opening } from './resumption.js';
import { createPolicyDigests, earlierAnswers, givenBefore, runApprover, runKeeper } from './run-approver.js';
import { createSession } from './run-session.js';

export async function start(given: Opening): Promise<Session> {
  const { isolation, context } = await confinementOf(given.registry.workers.values());
  // Facts that the host cannot change.
  const options = { ...given.options, context: { ...given.options.context, ...context } };
  const ready = { ...given, options };
  const { environment, root, home, resumption, registry } = ready;
  const { workers, entry } = registry;
  const id = resumption?.record.id ?? newId();
  const state = await openStateFolder(environment, root);
  const roots = await openRootFolders(workers, { options, root, home }, resumption?.record.roots);
  const records = await openRecords(ready, { state, id, now: clock.now(), roots });
  const { journal } = records;
  const listening = listen(ready, journal.past, (why) => run?.stop(why));
  let run: Run | null = null;
  const parking = new Parking(options.park === true);
  try {
    const { guarded, watch } = guardingOf(ready, { log: records.file.path, state });
    const { model, nextTurn } = options;
    const defaults = ready.configuration.configuration.created;
    const places = { roots, root, home, guarded };
    const catalogue = await createCatalogue({
      workers,
      ...places,
      model,
      toolsets: ready.toolsets,
      defaults,
    });
    run = await createRun(ready, { records, parking, watch, catalogue, listening });
    const models = createModels({ environment, scripts: ready.models.scripts });
    // Read-only roots too: one worker may write what another only reads.
    const writable = [...roots.values()].flatMap((list) => list.map(({ folder }) => folder));
    const servers = createMcpServers({ root, home, state, writable });
    const { budget, emit, totals } = listening;
    const performing: Performing = {
      catalogue,
      services: { models, servers, modules: new LoadedModules(), isolation },
      journal,
      budget,
      parking,
      emit,
      problemWith: (of) => models.problemWith(of),
      perform: (call) => performWorker(performing, call),
    };
    admitCreated(performing);
    return createSession(performing, { run, records, entry, nextTurn, totals, parking });
  } catch (error) {
    await records.close();
    throw error;
  }
}

/** What follows the events of a run: its totals and budget, and the host. */
function listen({ options, configuration }: Opening, past: Past, stop: (why: string) => void) {
  const { prices } = configuration.configuration;
  const { totals, take } = createTally(prices);
  const lasted = pastDuration(past);
  const budget = watchBudget(options.budget ?? {}, { totals, lasted, stop, clock });
  const emit = (happening: Happening) => {
    const event = withCosts(happening, prices);
    take(event);
    budget.take(event);
    try {
      options.onEvent?.({ v: eventVersion, ...event });
    } catch (error) {
      // A failing listener stops the run, but is not a failure of the log.
      stop(`the listener of run events failed: ${messageOf(error)}`);
    }
  };
  return { totals, take, budget, emit };
}

interface RunParts {
  readonly records: Records;
  readonly parking: Parking;
  readonly watch: GuardWatch;
  readonly catalogue: Catalogue;
  readonly listening: ReturnType<typeof listen>;
}

async function createRun(
  { options, policies, observing, files, reloads, root, home, resumption }: Opening,
  { records, parking, watch, catalogue, listening: { take, emit } }: RunParts,
): Promise<Run> {
  const { past } = records.journal;
  for (const event of pastHappenings(past)) take(event);
  const digests = createPolicyDigests(files);
  for (const event of past.events) digests.take(event);
  const log = observedLog(records.log, (event) => {
    digests.take(event);
    emit({ type: 'recorded', event });
  });
  const earlier = earlierRun(past.events);
  const added = addedFiles(options, resumption);
  const folders = { root, home };
  return new Run({
    policies,
    ...(isNonEmpty(observing.policies) ? { observing: observing.policies } : {}),
    open: true,
    decide: createEngine().decide,
    mode: options.mode,
    approver: runApprover(options, { records, parking, policies: digests.now }),
    ...(resumption === null ? {} : { given: givenBefore(records.store, digests.now) }),
    log,
    newer: newerPolicies({ given: options.policies, added, folders, files, reloads, log }),
    watch,
    context: options.context ?? {},
    clock,
    newId,
    earlier: resumption === null ? earlier : await earlierAnswers(earlier, records),
    whileWaiting: parking.waiting,
    ...runKeeper(options, { catalogue, records, emit, digests: digests.now }),
    ...(options.answerLimit === undefined ? {} : { answerLimit: options.answerLimit }),
  });
}

function observedLog(log: Log, onRecorded: (event: LogEvent) => void): Log {
  return {
    async append(events) {
      await log.append(events);
      for (const event of events) onRecorded(event);
    },
  };
}
