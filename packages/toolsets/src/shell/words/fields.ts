import type { Here } from '../here.js';
import { type Gap, textOf, type Word, type WordPart } from '../word.js';
import { isListed } from './listed.js';
import { splits } from './split.js';

/** A piece of what a word stands for. */
export type Piece =
  | { readonly text: string; readonly is_quoted: boolean }
  | { readonly gap: Gap; readonly is_quoted: boolean }
  /** Between two words. */
  | 'break';

/** What one word of the command will be, before file names are put in. */
export interface Field {
  readonly pieces: readonly Exclude<Piece, 'break'>[];
}

/** The words that the pieces are. One that is empty and was not quoted is none. */
export function fieldsOf(pieces: readonly Piece[]): readonly Field[] {
  const fields: Field[] = [];
  let current: Exclude<Piece, 'break'>[] = [];
  const flush = () => {
    if (current.some((piece) => piece.is_quoted || 'gap' in piece || piece.text !== ''))
      fields.push({ pieces: current });
    current = [];
  };
  for (const piece of pieces) {
    if (piece === 'break') flush();
    else current.push(piece);
  }
  flush();
  return fields;
}

/** What a replaced word is, in its place. */
export function asPieces(word: Word, isQuoted: boolean, here: Here): readonly Piece[] {
  if (isQuoted) return quotedPieces(word);
  if (splits(word, here)) return splitPieces(word, isListed(word, here) ? keptGap : unquotedGap);
  return [{ gap: { kind: 'words', text: textOf(word) ?? '…' }, is_quoted: false }];
}

/** What stands for text outside of quotes: it is split at blanks. */
function splitPieces(word: Word, gapOf: (gap: Gap) => Gap): readonly Piece[] {
  return word.parts.flatMap((part): readonly Piece[] => {
    if (typeof part !== 'string') return [{ gap: gapOf(part), is_quoted: false }];
    return part
      .split(/([ \t\n]+)/)
      .filter((text) => text !== '')
      .map((text) => (/^[ \t\n]/.test(text) ? 'break' : { text, is_quoted: false }));
  });
}

function quotedPieces(word: Word): readonly Piece[] {
  if (word.parts.length === 0) return [{ text: '', is_quoted: true }];
  return word.parts.map((part) =>
    typeof part === 'string' ? { text: part, is_quoted: true } : { gap: part, is_quoted: true },
  );
}

function keptGap(gap: Gap): Gap {
  return gap;
}

function unquotedGap(gap: Gap): Gap {
  return gap.is_number === true ? gap : { ...gap, kind: 'words' };
}

export function wordOf({ pieces }: Field): Word {
  return compact(pieces.map((piece) => ('gap' in piece ? piece.gap : piece.text)));
}

/** Text next to text is one. */
export function compact(parts: readonly WordPart[]): Word {
  const result: WordPart[] = [];
  for (const part of parts) {
    const last = result[result.length - 1];
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part;
    else if (part !== '') result.push(part);
  }
  return { parts: result };
}
