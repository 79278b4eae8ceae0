import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DecisionEvent, orNull } from '@ambit/core';
import { inStore, type RunRecord } from '@ambit/runtime';

/** The decisions of a client's session in the hook's log. */
export interface LoggedSession {
  /** The id of the run: the client's name, a hyphen, and the session. */
  readonly run: string;
  /** The state folder of its project. */
  readonly folder: string;
  readonly decisions: readonly DecisionEvent[];
}

/** The recorded sessions below a state folder, in all projects. */
export async function loggedSessions(
  state: string,
  isWanted: (run: RunRecord) => boolean,
): Promise<readonly LoggedSession[]> {
  const names = await readdir(state).catch(() => []);
  const folders = names
    .map((name) => join(state, name))
    .filter((folder) => orNull(() => statSync(join(folder, 'runs.db')).isFile()) === true);
  const found: LoggedSession[] = [];
  for (const folder of folders)
    await inStore(folder, async (store) => {
      for (const run of (await store.runs()).filter(isWanted)) {
        const events = (await store.steps(run.id)).flatMap((step) =>
          step.step === 'events' ? step.events : [],
        );
        const decisions = events.filter((event) => event.event === 'decision');
        found.push({ run: run.id, folder, decisions });
      }
    });
  return found;
}
