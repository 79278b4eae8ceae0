import { isJsonObject, type Json } from '@ambit/core';

/** A value in YAML's flow style, on one line, without invisible characters. */
export function flowText(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flowText).join(', ')}]`;
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${textOf(key)}: ${flowText(inner as Json)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? textOf(value) : JSON.stringify(value);
}

/** Text without quotes if it is certainly read as that text. */
function textOf(text: string): string {
  if (/^[A-Za-z_/][A-Za-z0-9_./@+-]*$/.test(text) && !words.test(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[^ -~\p{L}\p{N}]/gu, escaped)}"`;
}

/** Plain words that are not text, in some version of YAML. */
const words = /^(?:true|false|null|yes|no|on|off|y|n|\.?inf|\.?nan)$/i;

function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) as number).toString(16).padStart(8, '0')}`;
}
