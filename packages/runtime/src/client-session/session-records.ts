import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createLog, type FileLog, LogError } from '@ambit/audit';
import type { Log, LogEvent, NonEmpty } from '@ambit/core';
import { completeLog } from '../journal/complete-log.js';
import { type Journal, keptLog, openJournal } from '../journal/journal.js';
import { programVersion, userName } from '../open/first-events.js';
import { requireUnlinked } from '../open/records.js';
import type { PolicyFile } from '../policies/read-policies.js';
import { openStore } from '../store/file-store.js';
import type { Store } from '../store/store.js';
import { noteClient } from '../trust/running-processes.js';
import { signingKey } from '../trust/signing-key.js';
import { logKey, openLogFolder, openStateFolder } from '../trust/state-folder.js';
import type { ClientSessionOptions } from './session-options.js';

/** Where a session is recorded, and kept for its next call. One process has it at a time. */
export interface SessionRecords {
  readonly id: string;
  readonly path: string;
  readonly log: Log;
  readonly store: Store;
  readonly journal: Journal;
  /** Records that the run begins, and its policies, where it does. */
  begin(of: Begun): Promise<void>;
  close(): Promise<void>;
}

interface Begun {
  readonly client: string;
  readonly session: string;
  readonly files: readonly PolicyFile[];
  readonly root: string;
  readonly home: string;
}

/** The id of the run that a client's session is. */
export function runOfSession(client: string, session: string): string {
  const isPlain = /^[A-Za-z0-9_-]{1,80}$/.test(session);
  return `${client}-${isPlain ? session : createHash('sha256').update(session).digest('hex').slice(0, 32)}`;
}

export async function openSessionRecords(
  { client, session, environment, deadline }: ClientSessionOptions,
  root: string,
): Promise<SessionRecords> {
  const id = runOfSession(client, session);
  const state = await openStateFolder(environment, root);
  const path = join(await openLogFolder(environment, root), `${id}.jsonl`);
  await requireUnlinked(root, path);
  const signer = await signingKey(state);
  const key = await logKey(state);
  const store = await openStore(state);
  try {
    await noteClient(environment, id);
    for (;;) {
      const steps = await store.steps(id).catch(() => []);
      const past = openJournal(store, id, steps).past.events;
      const opened = await openedLog({
        file: path,
        run: id,
        key,
        earlier: past.filter(({ event }) => event !== 'outcome'),
        ...(signer === null ? {} : { signer }),
        wasSigned: past.some((event) => event.event === 'run' && event.signer !== undefined),
      });
      if (opened !== null && (await store.steps(id).catch(() => [])).length === steps.length)
        return await records(opened);
      await opened?.close();
      if (Date.now() >= deadline)
        throw new Error('another call of this session is being judged, and did not end in time');
      await wait(15);
    }

    async function records(file: FileLog): Promise<SessionRecords> {
      const begun = (await store.run(id)) !== null;
      const journal = openJournal(store, id, begun ? await store.steps(id) : []);
      const { events: kept } = journal.past;
      const first = runEvent(signer === null ? null : signer.verifier.text);
      await completeLog(file, { run: id, kept, begin: first });
      const log = keptLog(file, journal);
      return {
        id,
        path: file.path,
        log,
        store,
        journal,
        async begin({ files, root: folder, home, client: worker }) {
          if (!begun)
            await store.begin({
              id,
              begun: Date.now(),
              worker,
              mode: 'client',
              log: file.path,
              pid: process.pid,
              options: {},
            });
          if (kept.length > 0) return;
          const policy: LogEvent = {
            now: Date.now(),
            event: 'policy',
            files: [...files],
            root: folder,
            home,
          };
          const events: NonEmpty<LogEvent> = [first, policy];
          await log.append(events);
        },
        async close() {
          await file.close();
          await store.close();
        },
      };
    }

    function runEvent(verifier: string | null): LogEvent {
      return {
        now: Date.now(),
        event: 'run',
        version: programVersion(),
        user: userName(),
        machine: hostname(),
        mode: 'client',
        context: { client, session },
        workers: {},
        toolsets: {},
        ...(verifier === null ? {} : { signer: verifier }),
      };
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Null where another process writes it. */
async function openedLog(options: Parameters<typeof createLog>[0]): Promise<FileLog | null> {
  try {
    return await createLog(options);
  } catch (error) {
    if (error instanceof LogError && error.code === 'LOCKED') return null;
    throw error;
  }
}
