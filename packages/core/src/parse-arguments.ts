import { messageOf } from './describe-call.js';
import { frozenCopy, isJson, type JsonObject } from './json.js';
import type { Parsed } from './schema.js';
import type { Tool } from './tool.js';

/** The arguments as the tool will see them: plain JSON, checked, defaults applied, frozen. */
export function parseArguments(tool: Tool, raw: unknown): Parsed<JsonObject> {
  if (!isJson(raw)) return { ok: false, problem: 'the arguments are not plain JSON values' };
  try {
    const parsed = tool.input.parse(raw);
    return parsed.ok ? { ok: true, value: frozenCopy(parsed.value) } : parsed;
  } catch (error) {
    return { ok: false, problem: `the arguments could not be checked: ${messageOf(error)}` };
  }
}
