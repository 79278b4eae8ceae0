import assert from 'node:assert/strict';
import { type OpenOptions, open } from '@ambit/runtime';
import { type LoggedEvent, readLog } from './read-log.js';

/**
 * Opens a session (`one-write` shows all steps), runs it, and returns the events of its log. Throws if the run does not
 * finish; a run with refused calls can finish.
 */
export async function runToEnd(
  input: string,
  { worker, ...options }: OpenOptions & { readonly worker?: string },
): Promise<readonly LoggedEvent[]> {
  const opened = await open(options);
  assert(opened.ok, JSON.stringify(opened));
  const { session } = opened;
  const result = await session.run(worker === undefined ? { input } : { worker, input });
  await session.close();
  assert.equal(result.status, 'finished', result.why ?? '');
  return readLog(session.log);
}
