import { type NamesWord, type UnknownWord, unknown, type Word, writtenAs } from '../word.js';

/** A piece of a word after expansion, before file names are put in. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  /** Stands for exactly one text; split and matched where it is not quoted. */
  | { readonly kind: 'gap'; readonly gap: NamesWord | UnknownWord; readonly isQuoted: boolean }
  /** Between two words. */
  | { readonly kind: 'break' };

/** What one word of the command will be. */
export type Field = readonly Exclude<Piece, { kind: 'break' }>[];

/** The words that the pieces are. One that is empty and was not quoted is none. */
export function fieldsOf(pieces: readonly Piece[]): readonly Field[] {
  const fields: Field[] = [];
  let current: Exclude<Piece, { kind: 'break' }>[] = [];
  const flush = () => {
    if (current.some((piece) => piece.isQuoted || piece.kind === 'gap' || piece.text !== ''))
      fields.push(current);
    current = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'break') flush();
    else current.push(piece);
  }
  flush();
  return fields;
}

/** What a value is in the place where it is put in: split at blanks where it is not quoted. */
export function piecesOf(value: Word, isQuoted: boolean): readonly Piece[] {
  // Several lines in quotes are one text, and no name.
  if (value.kind === 'names' && value.count === 'many' && isQuoted)
    return [{ kind: 'gap', gap: unknown(writtenAs(value)), isQuoted }];
  if (value.kind !== 'text') return [{ kind: 'gap', gap: value, isQuoted }];
  if (isQuoted) return [{ kind: 'text', text: value.text, isQuoted: true }];
  return value.text
    .split(/([ \t\n]+)/)
    .filter((part) => part !== '')
    .map(
      (part): Piece => (/^[ \t\n]/.test(part) ? { kind: 'break' } : { kind: 'text', text: part, isQuoted }),
    );
}

/** The word that a field without a pattern is. */
export function wordOf(field: Field): Word {
  if (field.every((piece) => piece.kind === 'text'))
    return { kind: 'text', text: field.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('') };
  const index = field.findIndex((piece) => piece.kind === 'gap');
  const piece = field[index];
  const before = textOf(field.slice(0, index));
  const after = textOf(field.slice(index + 1));
  if (piece?.kind !== 'gap' || before === null) return unknown('…');
  const { gap, isQuoted } = piece;
  if (gap.kind === 'names' && after !== null && (isQuoted || isWhole(gap))) {
    const isBare = before === '' && after === '';
    if (gap.count === 'one' || isBare)
      return { ...gap, before: before + gap.before, after: gap.after + after };
  }
  const isSplit = field.some((each) => each.kind === 'gap' && !each.isQuoted && !isNumber(each.gap));
  // Only the first of several words begins so.
  if (isSplit) return unknown(writtenAs(gap), { count: 'many' });
  const isAllNumber = field.length === 1 && isNumber(gap);
  const start = before + (gap.kind === 'names' ? gap.before : gap.start);
  const count = isAllNumber && !isQuoted ? gap.count : 'one';
  return unknown(writtenAs(gap), { start, count, ...(isAllNumber && { isNumber: true }) });
}

/** Whether names stay what they are where the shell splits them at blanks and matches them as patterns. */
function isWhole({ names, before, after }: NamesWord): boolean {
  const plain = /^[^\s*?[\\]+$/;
  return (
    !names.open &&
    !/[\s*?[\\]/.test(before + after) &&
    names.texts.every((name) => plain.test(before + name + after))
  );
}

function isNumber(gap: NamesWord | UnknownWord): boolean {
  return gap.kind === 'unknown' && gap.isNumber === true;
}

function textOf(field: Field): string | null {
  return field.every((piece) => piece.kind === 'text')
    ? field.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
    : null;
}
