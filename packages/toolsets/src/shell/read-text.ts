import { parse, type Script } from 'unbash';

/** A command line as it was read, as far as it could be. */
export interface ReadText {
  readonly script: Script | null;
  /** Why it may mean something else to the shell than was read; null where it does not. */
  readonly why: string | null;
}

/** The most characters of one command line. What is longer is read up to here. */
const mostCharacters = 1_000_000;

/** The most that the system hands to a program as one argument, in bytes. */
const mostArgument = 131_071;

export function readText(text: string): ReadText {
  const why = differently(text);
  try {
    const script = parse(text.slice(0, mostCharacters));
    const [error] = script.errors ?? [];
    return { script, why: why ?? (error === undefined ? null : `it cannot be read: ${error.message}`) };
  } catch {
    return { script: null, why: why ?? 'it cannot be read' };
  }
}

/** Whether the shell may read the text otherwise than the parser does, by characters alone. */
function differently(text: string): string | null {
  if (text.length > mostArgument) return 'it is too long';
  if (text.includes('\0')) return 'it contains a NUL character, which the shell leaves out';
  if (text.includes('\r')) return 'it contains a carriage return';
  if (text.startsWith('\ufeff')) return 'it begins with a byte order mark';
  if (/\p{Surrogate}/u.test(text)) return 'it is not well-formed text';
  if (/[~$][\w+-]*(?:\\\n)+[\w{'"/+$?#!*@-]/.test(text))
    return 'a line goes on within what stands for something else';
  // Of a file and of the standard input the shell leaves it out, elsewhere it keeps it.
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) return 'it ends in a backslash';
  return null;
}
