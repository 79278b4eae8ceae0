import { hash } from 'node:crypto';
import { isJson, isJsonObject, type Json, type JsonObject, sortedText } from '@ambit/core';

export interface ListedTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly input: Json;
  readonly output: Json | null;
  readonly annotations: Json;
  /** Whether it can be called only as a task. */
  readonly wantsTask: boolean;
  readonly fingerprint: Fingerprint;
  readonly definition: JsonObject;
}

/** Digests in hex: of the whole definition, and without its name. */
export interface Fingerprint {
  readonly whole: string;
  readonly body: string;
}

/** Null for an invalid definition. */
export function listedTool(given: unknown): ListedTool | null {
  if (!isJson(given) || !isJsonObject(given) || typeof given.name !== 'string') return null;
  const { name, title, description, inputSchema = null, outputSchema = null, annotations = null } = given;
  const { execution, _meta } = given;
  const body = {
    title: title ?? null,
    description: description ?? null,
    inputSchema,
    outputSchema,
    annotations,
    // Missing members are left out, so that earlier definitions stay equal.
    ...(execution === undefined ? {} : { execution }),
    ...(_meta === undefined ? {} : { _meta }),
  };
  return {
    name,
    title: typeof title === 'string' ? title : null,
    description: typeof description === 'string' ? description : '',
    input: inputSchema,
    output: outputSchema,
    annotations,
    wantsTask: isJsonObject(execution) && execution.taskSupport === 'required',
    fingerprint: { whole: digestOf({ ...body, name }), body: digestOf(body) },
    definition: given,
  };
}

function digestOf(value: JsonObject): string {
  return hash('sha256', sortedText(value));
}
