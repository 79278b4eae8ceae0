import { isJsonObject, type Json, type JsonObject, objectOf } from '@ambit/core';
import { BadParams } from './methods.js';
import type { Asking, Serving } from './pass-if-permitted.js';
import type { Served } from './routes.js';
import { noteEnd, shownTask, type Task } from './task-state.js';
import { madeTask } from './tasks.js';
import { elicitationOf, errorIn, shownText, tellCancelled, withoutReserved } from './texts.js';

/** The task requests of the stateless revision, in which tasks are an extension. */
export const extensionMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;

export interface TaskRequest {
  readonly method: (typeof extensionMethods)[number];
  readonly taskId: string;
  /** The client's answers to questions of the task. */
  readonly responses: Readonly<Record<string, unknown>>;
}

interface TaskContext {
  readonly serving: Pick<Serving, 'routes' | 'say'>;
  readonly asking: Pick<Asking, 'signal'>;
  /** Whether the client's user can be asked by a form. */
  readonly forms: boolean;
}

/** Answers a request about a task of this client. Those of others count as unknown, like tasks that never existed. */
export async function answerExtension(
  { method, taskId, responses }: TaskRequest,
  { serving, asking, forms }: TaskContext,
): Promise<JsonObject> {
  const found = madeTask(taskId, serving.routes);
  if (found === null) {
    if (method === 'tasks/get') throw new BadParams('there is no such task');
    // Required by the extension.
    return {};
  }
  const { served, made, id } = found;
  const send = (own: TaskRequest['method'], more: JsonObject = {}) =>
    served.running.request(own, { taskId: id.own, ...more }, asking);
  if (method === 'tasks/cancel') {
    await send(method);
    return {};
  }
  if (method === 'tasks/update') {
    const taken = Object.entries(responses).filter(([key]) => made.asked.delete(key));
    if (taken.length > 0) await send(method, { inputResponses: Object.fromEntries(taken) as JsonObject });
    return {};
  }
  const task = await send(method);
  const shown = shownTask(task, id);
  const { result = null, error = null, inputRequests = null } = task;
  if (shown.status === 'completed') {
    if (!isJsonObject(result)) throw new Error('the server answered with a task without its result');
    made.end(errorIn(result));
    return { ...shown, result: withoutReserved(result) };
  }
  noteEnd(shown, made);
  if (shown.status === 'failed') return { ...shown, error: shownError(error) };
  if (shown.status !== 'input_required') return shown;
  const { passed, cancelled } = questionsOf(objectOf(inputRequests), {
    served,
    serving,
    forms,
  });
  if (Object.keys(cancelled).length > 0) await send('tasks/update', { inputResponses: cancelled });
  note(passed, made);
  return { ...shown, inputRequests: passed };
}

const mostQuestions = 100;

function note(passed: JsonObject, { asked }: Task): void {
  for (const key of Object.keys(passed)) asked.add(key);
  if (asked.size > mostQuestions)
    throw new Error(`the task asks more than ${mostQuestions} questions at once`);
}

/** The questions for the client, and our answers to the others. A request for the client's model gets none. */
function questionsOf(
  requests: JsonObject,
  { served, serving, forms }: Pick<TaskContext, 'serving' | 'forms'> & { readonly served: Served },
): { readonly passed: JsonObject; readonly cancelled: JsonObject } {
  const passed: [string, Json][] = [];
  const cancelled: [string, Json][] = [];
  for (const [key, request] of Object.entries(requests)) {
    const { method, params = null } = objectOf(request);
    if (method !== 'elicitation/create') continue;
    const { key: server } = served.running.server;
    const shown = forms && isJsonObject(params) ? elicitationOf(params, server) : null;
    if (shown === null) {
      cancelled.push([key, { action: 'cancel' }]);
      if (isJsonObject(params)) tellCancelled(params, serving, server);
    } else passed.push([key, { method, params: { mode: 'form', ...shown } }]);
  }
  return { passed: Object.fromEntries(passed), cancelled: Object.fromEntries(cancelled) };
}

function shownError(error: Json): JsonObject {
  const { code = null, message = null } = objectOf(error);
  return {
    code: typeof code === 'number' && Number.isInteger(code) ? code : -32603,
    message: shownText(typeof message === 'string' ? message : 'the task failed', 4_000),
  };
}
