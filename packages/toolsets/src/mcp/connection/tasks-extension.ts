import { isJsonObject, type Json, type JsonObject, objectOf } from '@ambit/core';

/** The extension for calls that become tasks: its capability, and the key of a task in our results. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/** Whether capabilities, of a client or a server, name the extension. */
export function hasTasks(capabilities: Json | undefined): boolean {
  const { extensions } = objectOf(capabilities);
  return isJsonObject(extensions) && isJsonObject(extensions[tasksExtension]);
}

/** The `_meta` of a request whose result may be a task: these capabilities and the extension. */
export function takingTasks(capabilities: JsonObject): JsonObject {
  return { [capabilitiesKey]: { ...capabilities, extensions: { [tasksExtension]: {} } } };
}

export function declaresTasks(params: { readonly [key: string]: unknown } | undefined): boolean {
  const meta = (params?._meta ?? null) as Json;
  return isJsonObject(meta) && hasTasks(meta[capabilitiesKey]);
}

/** A task result in a form that the SDK accepts: it does not support results of extensions. */
export function withTask<T extends object>(message: T): T {
  const result = ('result' in message ? message.result : null) as Json;
  if (!isJsonObject(result) || result.resultType !== 'task') return message;
  const { resultType: _, ...task } = result;
  return { ...message, result: { resultType: 'complete', content: [], [tasksExtension]: task } };
}
