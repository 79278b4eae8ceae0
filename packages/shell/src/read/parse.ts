import { type ParsedScript, parse } from 'unbash';
import { Outside } from '../state/outside.js';

/** The longest argument of a program, in bytes. */
const mostBytes = 131_071;

/** Parses a command line. Throws `Outside` for text that bash may read differently. */
export function parseLine(line: string): ParsedScript {
  const why = differently(line);
  if (why !== null) throw new Outside(why, line);
  let script: ParsedScript;
  try {
    script = parse(line);
  } catch (error) {
    if (error instanceof RangeError) throw new Outside('it is nested too deep', line);
    throw new Outside('it cannot be read', line);
  }
  const [error] = script.errors ?? [];
  if (error !== undefined) throw new Outside(`it cannot be read: ${error.message}`, line);
  return script;
}

/** Why bash may read the text differently from the parser, by its characters alone; null if it does not. */
function differently(line: string): string | null {
  if (line.length > mostBytes || Buffer.byteLength(line) > mostBytes) return 'it is too long';
  if (/(?![\t\n])\p{Cc}/u.test(line)) return 'it contains a control character';
  if (/\p{Surrogate}/u.test(line)) return 'it is not well-formed text';
  // Blanks that the shell does not treat as blanks, and invisible characters.
  if (/[\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/.test(line))
    return 'it contains an invisible character or an unusual blank';
  if (/(?<!\\)(?:\\\\)*\\$/.test(line)) return 'it ends in a backslash';
  if (/[~$][\w+-]*(?:\\\n)+/.test(line)) return 'a line continues within an expansion';
  return null;
}
