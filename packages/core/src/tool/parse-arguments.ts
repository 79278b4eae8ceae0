import { isList, type JsonObject, jsonCopy } from '../words/json.js';
import { messageOf } from '../words/text.js';
import type { Parsed } from './schema.js';
import type { Tool } from './tool.js';

/** Plain JSON, checked, with defaults, frozen. */
export function parseArguments(tool: Tool, raw: unknown): Parsed<JsonObject> {
  const given = jsonCopy(raw);
  if (given === undefined) return notPlain;
  try {
    const parsed = tool.input.parse(given);
    if (!parsed.ok) return parsed;
    const value = parsed.value === given ? given : jsonCopy(parsed.value);
    const isObject = typeof value === 'object' && value !== null && !isList(value);
    return isObject ? { ok: true, value } : notPlain;
  } catch (error) {
    return { ok: false, problem: `the arguments could not be checked: ${messageOf(error)}` };
  }
}

const notPlain = { ok: false, problem: 'the arguments are not plain JSON values' } as const;
