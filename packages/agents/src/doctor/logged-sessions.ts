import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DecisionEvent } from '@ambit/core';
import { openStore, type RunRecord } from '@ambit/runtime';

/** The decisions of a client's session in the hook's log. */
export interface LoggedSession {
  /** The id of the run: the client's name, a hyphen, and the session. */
  readonly run: string;
  readonly decisions: readonly DecisionEvent[];
}

/** The recorded sessions below a state folder, in all projects. */
export async function loggedSessions(
  state: string,
  isWanted: (run: RunRecord) => boolean,
): Promise<readonly LoggedSession[]> {
  const names = await readdir(state).catch(() => []);
  const folders = await Promise.all(
    names.map(async (name) => ((await isFile(join(state, name, 'runs.db'))) ? [join(state, name)] : [])),
  );
  const found: LoggedSession[] = [];
  for (const folder of folders.flat()) {
    const store = await openStore(folder);
    try {
      for (const run of (await store.runs()).filter(isWanted)) {
        const events = (await store.steps(run.id)).flatMap((step) =>
          step.step === 'events' ? step.events : [],
        );
        const decisions = events.filter((event) => event.event === 'decision');
        found.push({ run: run.id, decisions });
      }
    } finally {
      await store.close();
    }
  }
  return found;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
