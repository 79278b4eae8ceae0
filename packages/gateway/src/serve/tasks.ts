import { isJsonObject, type Json, type JsonObject, objectOf } from '@ambit/core';
import { tasksExtension } from '@ambit/toolsets';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { linksIn } from './links.js';
import { BadParams } from './methods.js';
import type { Asking } from './pass-if-permitted.js';
import { inTime, type RoutedTool, type Routes, type Served } from './routes.js';
import { noteEnd, shownTask, showTask, type Task, type Tasks } from './task-state.js';
import { errorIn, relatedTask } from './texts.js';

/** The server of a call, and how its outcome is recorded if it continues as a task. */
interface TaskCall {
  readonly served: Served;
  readonly routes: Routes;
  readonly later: () => (error: string | null) => void;
  /** Whether the client can take a task for this call. */
  readonly mayBeTask: boolean;
}

const mostTasks = 1_000;
const perPage = 50;

/** The uses of tasks that the client may request. */
export function tasksOffered(all: readonly JsonObject[]): Pick<ServerCapabilities, 'tasks'> {
  const able = all.filter(takesTasks).map(({ tasks }) => tasks as JsonObject);
  const cancel = able.some((each) => isJsonObject(each.cancel));
  return able.length === 0
    ? {}
    : { tasks: { list: {}, ...(cancel && { cancel: {} }), requests: { tools: { call: {} } } } };
}

/** Whether a server with these capabilities runs tool calls as tasks. */
export function takesTasks({ tasks }: JsonObject): boolean {
  return isJsonObject(objectOf(objectOf(objectOf(tasks).requests).tools).call);
}

/** Whether a tool runs only as a task of the revisions with sessions, and its client has none. */
export function wantsOtherTask(
  { served, tool }: Pick<RoutedTool, 'served' | 'tool'>,
  { takesTask }: Pick<Asking, 'takesTask'>,
): boolean {
  const isStateless = takesTask !== undefined;
  return isStateless && tool?.wantsTask === true && takesTasks(served.running.greeting.capabilities);
}

/**
 * The server's form of a client's request for a task; null if there is none, or if the server does not
 * support tasks.
 */
export function taskWanted(task: Json | undefined, { running }: Served): JsonObject | null {
  if (task === undefined || !takesTasks(running.greeting.capabilities)) return null;
  if (!isJsonObject(task)) throw new BadParams('`task` is an object');
  return typeof task.ttl === 'number' ? { ttl: task.ttl } : {};
}

/** Records the task of a call, and returns its result for the client. Throws if the client cannot take it, or if the id belongs to another one. */
export function taskMade(result: JsonObject, call: TaskCall): JsonObject {
  const { task = null, [tasksExtension]: extended = null } = result;
  if (!call.mayBeTask) {
    if (!isJsonObject(task) || 'content' in result) return result;
    throw new Error('the server returned a task that nobody asked for');
  }
  if (isJsonObject(extended)) return { ...recordTask(extended, call), resultType: 'task' };
  if (!isJsonObject(task)) return result;
  return { ...result, task: recordTask(task, call) };
}

/** Records a task of a call, and returns it for the client. */
function recordTask(task: JsonObject, { served, routes, later }: TaskCall): JsonObject {
  const { prefix } = served.running.server;
  const shown = shownTask(task, { prefix, own: null });
  const { taskId } = shown;
  if (routes.servers.some(({ tasks }) => tasks.has(taskId)))
    throw new Error('the server returned the id of another task');
  if (served.tasks.size >= mostTasks && !forgotOne(served.tasks))
    throw new Error(`there are more than ${mostTasks} tasks`);
  const outcome = later();
  let isOver = false;
  const made: Task = {
    end(error) {
      if (!isOver) outcome(error);
      isOver = true;
    },
    get isOver() {
      return isOver;
    },
    asked: new Set(),
  };
  served.tasks.set(taskId, made);
  noteEnd(shown, made);
  return shown;
}

/** Forgets the oldest task that is over. False if none is. */
function forgotOne(tasks: Tasks): boolean {
  for (const [id, { isOver }] of tasks) if (isOver) return tasks.delete(id);
  return false;
}

/** Answers a request about tasks. Tasks of other clients count as unknown, like tasks that never existed. */
export async function answerTask(
  method: string,
  params: JsonObject,
  { routes, asking }: { readonly routes: Routes; readonly asking: Asking },
): Promise<JsonObject> {
  if (method === 'tasks/list') return listTasks(params, routes, asking);
  const { taskId } = params;
  const found = madeTask(taskId, routes);
  if (found === null) throw new BadParams('there is no such task');
  const { served, id, made } = found;
  const result = await served.running.request(method, { taskId: id.own }, asking);
  if (method !== 'tasks/result') return showTask(result, id, made);
  made.end(errorIn(result));
  routes.links.add(linksIn(result), served);
  const { _meta: meta = null } = result;
  // The client knows the task by its own id.
  if (!isJsonObject(meta) || !(relatedTask in meta)) return result;
  return { ...result, _meta: { ...meta, [relatedTask]: { taskId: taskId ?? null } } };
}

/** A task of this client, with its server; null if none of its calls made it. */
export function madeTask(taskId: Json | undefined, { servers }: Routes) {
  if (typeof taskId !== 'string') return null;
  const served = servers.find(({ tasks }) => tasks.has(taskId));
  const made = served?.tasks.get(taskId);
  if (served === undefined || made === undefined) return null;
  return { served, made, id: idIn(taskId, served.running.server.prefix) };
}

function idIn(taskId: string, prefix: string) {
  return { prefix, own: taskId.slice(prefix.length) };
}

/** Lists only tasks that this client created, whatever the server would list. */
async function listTasks({ cursor = '0' }: JsonObject, routes: Routes, asking: Asking): Promise<JsonObject> {
  const from = typeof cursor === 'string' && /^\d{1,6}$/.test(cursor) ? Number(cursor) : null;
  if (from === null) throw new BadParams('the cursor is not one of ours');
  const all = routes.servers.flatMap((served) =>
    [...served.tasks].map(([taskId, made]) => ({ served, taskId, made })),
  );
  const page = await Promise.all(
    all.slice(from, from + perPage).map(({ served, taskId, made }) => {
      const { running } = served;
      const id = idIn(taskId, running.server.prefix);
      const ask = (signal: AbortSignal) => running.request('tasks/get', { taskId: id.own }, { signal });
      const asked = inTime(served, asking.signal, ask).then((result) => [showTask(result, id, made)]);
      // It has expired, or the server answered something else, or nothing: the others are listed.
      return asked.catch(() => []);
    }),
  );
  const next = from + perPage;
  return { tasks: page.flat(), ...(next < all.length && { nextCursor: String(next) }) };
}
