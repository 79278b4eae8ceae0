import { frozenCopy, isJson, isJsonObject, type JsonObject } from '../words/json.js';
import { messageOf } from '../words/message-of.js';
import type { Parsed } from './schema.js';
import type { Tool } from './tool.js';

/** The arguments as the tool will see them: plain JSON, checked, defaults applied, frozen. */
export function parseArguments(tool: Tool, raw: unknown): Parsed<JsonObject> {
  if (!isJson(raw)) return notPlain;
  try {
    const parsed = tool.input.parse(frozenCopy(raw));
    if (!parsed.ok) return parsed;
    // Checked after copying: a proxy may change with each read.
    const value = frozenCopy(parsed.value);
    return isJsonObject(value) ? { ok: true, value } : notPlain;
  } catch (error) {
    return { ok: false, problem: `the arguments could not be checked: ${messageOf(error)}` };
  }
}

const notPlain = { ok: false, problem: 'the arguments are not plain JSON values' } as const;
