import type { JsonObject } from '@ambit/core';
import { shownText } from './texts.js';

/** A call that its server continues after it answered. */
export interface Task {
  /** Records how the call ended. Only the first outcome counts. */
  readonly end: (error: string | null) => void;
  /** Whether its end is recorded. */
  readonly isOver: boolean;
  /** Questions of the task that the client got and did not answer; only the extension of 2026 has such. */
  readonly asked: Set<string>;
}

/**
 * The tasks that the calls of one client created, by the ids that the client knows. Several servers may use the same
 * ids, so theirs get the prefix of their tools.
 */
export type Tasks = Map<string, Task>;

/** A task's id at its server, and what precedes it for the client. */
export interface TaskId {
  readonly prefix: string;
  /** Null if the server chooses it. */
  readonly own: string | null;
}

const longestId = 1_000;
const states = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
const numbers = ['ttl', 'pollInterval', 'ttlMs', 'pollIntervalMs'];
const dates = ['createdAt', 'lastUpdatedAt'];

/** A task in the client's form; records its end. */
export function showTask(task: JsonObject, id: TaskId, made: Task): JsonObject {
  const shown = shownTask(task, id);
  noteEnd(shown, made);
  return shown;
}

/** Records how a call ended, once its task is over. */
export function noteEnd({ status, statusMessage }: JsonObject, made: Task): void {
  if (status === 'completed') made.end(null);
  if (status === 'failed' || status === 'cancelled')
    made.end(typeof statusMessage === 'string' ? statusMessage : `the task was ${String(status)}`);
}

/** All known properties of a task, with shortened texts. Throws if it is not the requested task. */
export function shownTask(
  task: JsonObject,
  { prefix, own }: TaskId,
): JsonObject & { readonly taskId: string } {
  const { taskId, status = null, statusMessage } = task;
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > longestId || taskId !== (own ?? taskId))
    throw new Error('the server answered with another task');
  if (typeof status !== 'string' || !states.includes(status))
    throw new Error('the server answered with a task in no known state');
  const kept = Object.entries(task).filter(
    ([key, value]) =>
      (numbers.includes(key) && (typeof value === 'number' || value === null)) ||
      (dates.includes(key) && typeof value === 'string' && value.length < 100),
  );
  const message = typeof statusMessage === 'string' ? { statusMessage: shownText(statusMessage, 1_000) } : {};
  return { ...Object.fromEntries(kept), taskId: `${prefix}${taskId}`, status, ...message };
}
