import { earlierRun, isNonEmpty, type Log, type LogEvent, messageOf, Run } from '@ambit/core';
import { createEngine } from '@ambit/policy';
import { createParking } from '../approvers/parking.js';
import { watchBudget } from '../budget/budget.js';
import { createTally, withCosts } from '../budget/totals.js';
import { createCatalogue } from '../catalogue/catalogue.js';
import { openRootFolders } from '../catalogue/root-folders.js';
import { pastHappenings } from '../converse/conversation.js';
import { createModels } from '../converse/models.js';
import { type Performing, performWorker } from '../converse/perform-worker.js';
import { admitCreated } from '../delegate/propose-worker.js';
import { clock, newId } from '../host/clock.js';
import type { Session } from '../host/session.js';
import { eventVersion, type Happening } from '../host/session-event.js';
import { pastDuration } from '../journal/journal.js';
import { newerPolicies } from '../policies/newer-policies.js';
import { createMcpServers } from '../toolsets/mcp-servers.js';
import { createModules } from '../toolsets/module-toolset.js';
import { confinementOf } from '../toolsets/shell-of.js';
import { openStateFolder } from '../trust/state-folder.js';
import { guardingOf } from '../watch/guarding.js';
import { openRecords } from './records.js';
import { addedFiles, type Opening } from './resumption.js';
import { createPolicyDigests, earlierAnswers, givenBefore, runApprover, runKeeper } from './run-approver.js';
import { createSession } from './run-session.js';

export async function start(given: Opening): Promise<Session> {
  const { isolation, context } = await confinementOf(given.registry.workers.values());
  // Facts that the host cannot change.
  const options = { ...given.options, context: { ...given.options.context, ...context } };
  const ready = { ...given, options };
  const { environment, root, home, policies, registry } = ready;
  const id = ready.resumption?.record.id ?? newId();
  const state = await openStateFolder(environment, root);
  const begun = ready.resumption?.record.roots;
  const roots = await openRootFolders(registry.workers, { options, root, home }, begun);
  const records = await openRecords(ready, { state, id, now: clock.now(), roots });
  const { journal } = records;
  const { created, prices } = ready.configuration.configuration;
  const tally = createTally(prices);
  const budget = watchBudget(options.budget ?? {}, {
    totals: tally.totals,
    lasted: pastDuration(journal.past),
    stop: (why) => run?.stop(why),
    clock,
  });
  const emit = (happening: Happening) => {
    const event = withCosts(happening, prices);
    tally.take(event);
    budget.take(event);
    try {
      options.onEvent?.({ v: eventVersion, ...event });
    } catch (error) {
      // A failing listener stops the run, but is not a failure of the log.
      run?.stop(`the listener of run events failed: ${messageOf(error)}`);
    }
  };
  let run: Run | null = null;
  const parking = createParking(options.park === true);
  const digests = createPolicyDigests(ready.files);
  try {
    for (const event of pastHappenings(journal.past)) tally.take(event);
    const recorded = observedLog(records.log, (event) => {
      digests.take(event);
      emit({ type: 'recorded', event });
    });
    for (const event of journal.past.events) digests.take(event);
    const past = earlierRun(journal.past.events);
    const earlier = ready.resumption === null ? past : await earlierAnswers(past, records);
    const observing = ready.observing.policies;
    const { guarded, watch } = guardingOf(ready, { log: records.file.path, state });
    const catalogue = await createCatalogue({
      workers: registry.workers,
      roots,
      root,
      home,
      guarded,
      model: options.model,
      toolsets: options.toolsets,
      defaults: created,
    });
    run = new Run({
      policies,
      ...(isNonEmpty(observing) ? { observing } : {}),
      open: true,
      decide: createEngine().decide,
      mode: options.mode,
      approver: runApprover(options, { records, parking, policies: digests.now, now: () => clock.now() }),
      ...(ready.resumption === null ? {} : { given: givenBefore(records.store, digests.now) }),
      log: recorded,
      newer: newerPolicies({
        given: options.policies,
        added: addedFiles(options, ready.resumption),
        folders: { root, home },
        files: ready.files,
        reloads: ready.reloads,
        log: recorded,
        now: () => clock.now(),
      }),
      watch,
      context: options.context,
      clock,
      newId,
      earlier,
      whileWaiting: parking.activity.waiting,
      ...runKeeper(options, { catalogue, records, emit, digests: digests.now, now: () => clock.now() }),
      ...(options.answerLimit === undefined ? {} : { answerLimit: options.answerLimit }),
    });
    const models = createModels({ environment, scripts: ready.models.scripts });
    // Read-only roots too: one worker may write what another only reads.
    const writable = [...roots.values()].flatMap((list) => list.map(({ folder }) => folder));
    const servers = createMcpServers({ root, home, state, writable });
    const performing: Performing = {
      catalogue,
      services: { models, servers, modules: createModules(), isolation },
      journal,
      budget,
      activity: parking.activity,
      emit,
      problemWith: (model) => models.problemWith(model),
      perform: (call) => performWorker(performing, call),
    };
    admitCreated(performing, journal.past);
    return createSession(performing, {
      run,
      records,
      entry: registry.entry,
      nextTurn: options.nextTurn,
      totals: tally.totals,
      now: () => clock.now(),
      parking,
    });
  } catch (error) {
    await records.close();
    throw error;
  }
}

function observedLog(log: Log, onRecorded: (event: LogEvent) => void): Log {
  return {
    async append(events) {
      await log.append(events);
      for (const event of events) onRecorded(event);
    },
  };
}
