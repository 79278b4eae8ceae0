import assert from 'node:assert/strict';
import { type OpenOptions, open } from '@ambit/runtime';
import { type LoggedEvent, readLog } from './read-log.js';

/**
 * Opens a session, as `one-write` shows it in full, runs it, and gives the events that its log then holds. Throws where the run
 * does not finish; calls that are refused do not keep it from that.
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
