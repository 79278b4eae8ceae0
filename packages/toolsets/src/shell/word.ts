/** A word of a command line after expansion, as far as it can be known before the shell runs. */
export interface Word {
  readonly parts: readonly WordPart[];
}

/** Text that is known, or what stands for text that is not. */
export type WordPart = string | Gap;

export interface Gap {
  /** Names of files that a pattern matches, any text without blanks, or any words at all (none and several too). */
  readonly kind: 'glob' | 'text' | 'words';
  /** As it is written: `*.txt`, `$(date)`. */
  readonly text: string;
  /** What its last name matches, as `find -name` reads it; left out where any will do. */
  readonly name?: string;
  /** Whether it is a whole number, whichever. */
  readonly is_number?: true;
}

/** The whole text; null where a part of it is not known. */
export function textOf({ parts }: Word): string | null {
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}

/** The text up to the first part that is not known. */
export function startOf({ parts }: Word): string {
  let start = '';
  for (const part of parts) {
    if (typeof part !== 'string') break;
    start += part;
  }
  return start;
}

/** As it is written, for people. */
export function writtenAs({ parts }: Word): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** Stands at the beginning of a path for the user's home: what the table writes as `~`. No word of a command line holds it. */
export const homeStart = '\0~';

export function word(text: string): Word {
  return { parts: [text] };
}

/** What is not known, where it stays within one word. */
export function quotedGap(gap: Gap): Gap {
  return gap.kind === 'text' ? gap : { ...gap, kind: 'text' };
}
