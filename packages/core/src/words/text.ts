/** One line for a terminal: hidden and control characters become `\u{1b}`. No two texts look alike. */
export function printable(text: string): string {
  return textWithEscapes(text, escaped);
}

/** Newlines and tabs stay. */
export function printableLines(text: string): string {
  return textWithEscapes(text, (found) => (found === '\n' || found === '\t' ? found : escaped(found)));
}

function textWithEscapes(text: string, replacement: (found: string) => string): string {
  if (plain.test(text)) return text;
  escapable ??= new RegExp(String.raw`\\(?=u\{)|[\p{Cc}\p{Cs}${hiddenCharacters}]`, 'gu');
  return text.replace(escapable, replacement);
}

/**
 * In a character class: what hides text or changes its direction. Default_Ignorable_Code_Point holds zero-width
 * characters, fillers, variation selectors and tags; U+2800 is a blank pattern.
 */
export const hiddenCharacters = String.raw`\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

const plain = /^[\x20-\x5b\x5d-\x7e]*$/;
/** Built when first needed: that takes longer than a decision. */
let escapable: RegExp | undefined;

function escaped(found: string): string {
  return `\\u{${(found.codePointAt(0) as number).toString(16)}}`;
}

/** JSON on one line for a terminal, with escapes of JSON. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  if (/^[\n\x20-\x7e]*$/.test(text)) return text;
  return visibleJson(text);
}

/** A text as it is, anything else as JSON on one line. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Built when first needed. JSON.stringify has escaped C0 controls and lone surrogates already; a newline of an indented text stays. */
let unseen: RegExp | undefined;

/** The same JSON, with escapes for all characters that move the cursor or hide text. */
export function visibleJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  unseen ??= new RegExp(`[\\u007f-\\u009f\\ufffe\\uffff${hiddenCharacters}]`, 'gu');
  return json.replace(unseen, (found) => found.replace(/[\s\S]/g, escaped));
}

/** Never throws, whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    const { message, cause } = error;
    // The error of `fetch` only says that it failed, and one of several addresses says nothing.
    if (message !== 'fetch failed' || !(cause instanceof Error)) return String(message);
    return `${message}: ${cause.message || (errorCode(cause) ?? cause.name)}`;
  } catch {
    return 'unknown error';
  }
}

/** The system's code for an error: `ENOENT`. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** A hyphen before each capital: `lsFiles` becomes `ls-files`. */
export function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `1 call`, `2 calls` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Cuts a text after this many UTF-16 units, never within a character, and adds a mark where it is longer. */
export function shortened(text: string, most: number, mark = '…'): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '') + mark;
}

/** A word as one types it in a shell: quoted where necessary. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_/.,:+@%=-]+$/.test(word) ? word : quotedWord(word);
}

/** Quotes a word for a shell, so that keywords, aliases and assignments lose their meaning too. */
export function quotedWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The result of work that may throw, and then null. */
export function orNull<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** What a code of the operating system says; null for an unknown one. */
export function systemWords(error: unknown): string | null {
  return words.get(errorCode(error) ?? '') ?? null;
}

const words: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EISDIR', 'is a folder, not a file'],
  ['ENOTDIR', 'is not a folder'],
  ['EEXIST', 'already exists'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'the file would be larger than is allowed'],
  ['EROFS', 'the file system is read-only'],
  ['EMFILE', 'too many open files'],
  ['ENFILE', 'too many open files'],
  ['ETXTBSY', 'is a running program'],
]);
