import { RE2JS } from 're2js';
import { SchemaFault } from './check.js';

/** What a pattern may be at the most; the engine's own limit on repetitions does the rest. */
const longest = 1_000;

/**
 * Whether a text matches a foreign regular expression, in time linear in the text. Throws `SchemaFault` for one that the
 * linear engine does not know: look-around, back-references, repetitions beyond its limit.
 */
export function linearPattern(source: string): (text: string) => boolean {
  if (source.length > longest) throw new SchemaFault(`a \`pattern\` is longer than ${longest} characters`);
  try {
    const pattern = RE2JS.compile(inOtherSpelling(source));
    return (text) => pattern.matcher(text).find();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SchemaFault(`a \`pattern\` cannot be matched in linear time: ${why.slice(0, 200)}`);
  }
}

/** ECMAScript's spellings of a code point that the engine writes in another way. */
function inOtherSpelling(source: string): string {
  return source.replace(/\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|[\s\S])/g, (found, braced, four) => {
    const code: unknown = braced ?? four;
    return typeof code === 'string' ? `\\x{${code}}` : found;
  });
}
