import { marks, shapeOf } from '../../number.js';
import { isPlain } from '../../programs/words.js';
import {
  areSeveral,
  isAnyNumber,
  type NamesWord,
  namesWord,
  type Output,
  onlyNames,
  textsIn,
  type UnknownWord,
  unknown,
  type Word,
  wholeNames,
  writtenAs,
} from '../../word.js';

/** A piece of a word after expansion, before globbing. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  /** Exactly one text; split and globbed unless it is quoted. */
  | { readonly kind: 'gap'; readonly gap: NamesWord | UnknownWord; readonly isQuoted: boolean }
  | { readonly kind: 'break' };

/** One future word of the command. */
export type Field = readonly Exclude<Piece, { kind: 'break' }>[];

/** The fields of the pieces. An empty unquoted field is dropped. */
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

/** The pieces of a value at its place: split at blanks, or only by line, unless it is quoted. */
export function piecesOf(value: Word, isQuoted: boolean, isByLine = false): readonly Piece[] {
  // Several lines in quotes are one text, not a name. Without a line, it is empty.
  if (value.kind === 'names' && value.count === 'many' && isQuoted) {
    const lines: Output = { kind: 'names', names: wholeNames(value), separator: '\n' };
    const all = unknown(writtenAs(value), { lines });
    return [{ kind: 'gap', gap: value.isOne === true ? orEmpty(value) : all, isQuoted }];
  }
  if (value.kind === 'unknown' && value.mayBeLines === true && !isQuoted)
    return [{ kind: 'gap', gap: linesOf(value, isByLine), isQuoted }];
  if (value.kind !== 'text') return [{ kind: 'gap', gap: isQuoted ? value : orNone(value), isQuoted }];
  if (isQuoted) return [{ kind: 'text', text: value.text, isQuoted: true }];
  const breaks = isByLine ? /(\n+)/ : /([ \t\n]+)/;
  return value.text
    .split(breaks)
    .filter((part) => part !== '')
    .map((part): Piece => (breaks.test(part) ? { kind: 'break' } : { kind: 'text', text: part, isQuoted }));
}

/** The words of a text that may have several lines. */
function linesOf(value: UnknownWord, isByLine: boolean): UnknownWord {
  const { mayBeLines: _, shape: __, ...line } = value;
  const isKept = isAnyNumber(value) || (value.isPlain === true && !value.afterId && !isByLine);
  return isKept ? { ...line, count: 'many' } : unknown(value.written, { count: 'many' });
}

/** The word that a field without a pattern expands to. */
export function wordOf(field: Field): Word {
  const known = wholeTextOf(field);
  if (known !== null) return { kind: 'text', text: known };
  const index = field.findIndex((piece) => piece.kind === 'gap');
  const piece = field[index];
  const before = wholeTextOf(field.slice(0, index));
  const after = wholeTextOf(field.slice(index + 1));
  if (piece?.kind !== 'gap' || before === null) return unknown('…');
  const { gap, isQuoted } = piece;
  const isBare = before === '' && after === '';
  if (gap.kind === 'names' && after !== null && (isQuoted || isWhole(gap))) {
    const whole = gap.isOne === true && !isBare ? orEmpty(gap) : gap;
    if (whole.count === 'one' || isBare)
      return { ...whole, before: before + gap.before, after: gap.after + after };
  }
  const joined = joinedNames(field);
  if (joined !== null) return namesWord(onlyNames(joined));
  const isSplit = field.some(
    (each) =>
      each.kind === 'gap' && !each.isQuoted && (!isPlain(each.gap) || (!isBare && areSeveral(each.gap))),
  );
  // Only the first of several words begins like this.
  if (isSplit) return unknown(writtenAs(gap), { count: 'many' });
  const start = before + (gap.kind === 'names' ? gap.before : gap.start);
  const areMany = isBare && !isQuoted && gap.count === 'many';
  const count: UnknownWord['count'] = areMany ? 'many' : 'one';
  const gaps = field.flatMap((each) => (each.kind === 'gap' && each.gap.kind === 'unknown' ? each.gap : []));
  const mayBeLines = !areMany && gaps.some((each) => each.count === 'many' || each.mayBeLines);
  const mayBeNegative = before === '' && gaps.some((each) => each.mayBeNegative);
  const shape = shapeOfField(field);
  const more = {
    count,
    ...(shape !== null && !(isBare && isAnyNumber(gap)) && { shape }),
    ...(areMany && gap.isOne === true && { isOne: gap.isOne }),
    ...(mayBeLines && { mayBeLines }),
    ...(mayBeNegative && { mayBeNegative }),
  };
  if (
    before === '' &&
    gap.kind === 'unknown' &&
    gap.isPlain === true &&
    /^[^\s*?[]*$/.test(after ?? ' ') &&
    // An empty gap leaves the text after it at the beginning of the word.
    !(mayBeLines && after?.startsWith('-'))
  )
    return unknown(writtenAs(gap), {
      ...more,
      isPlain: true,
      ...(gap.afterId !== undefined && { afterId: gap.afterId + after }),
      ...(gap.ids && { ids: gap.ids }),
    });
  return unknown(writtenAs(gap), {
    ...more,
    start,
    ...endOf(field),
    ...(isAnyNumber(gap) && isBare && { isNumber: true, ...(gap.isJob && { isJob: true }) }),
    ...(before + after === '' && gap.kind === 'unknown' && gap.lines !== undefined && { lines: gap.lines }),
  });
}

/** The text with which every possible word of the field ends. */
function endOf(field: Field): Pick<UnknownWord, 'end'> {
  const last = field.findLastIndex((piece) => piece.kind === 'gap');
  const gap = field[last]?.kind === 'gap' ? field[last].gap : null;
  const own = gap?.kind === 'names' ? gap.after : (gap?.end ?? '');
  const end = own + (wholeTextOf(field.slice(last + 1)) ?? '');
  return end === '' ? {} : { end };
}

/** The shape of the field; null if it has other unknown parts. */
function shapeOfField(field: Field): string | null {
  const shapes = field.map((each) => {
    if (each.kind === 'text') return marks.test(each.text) ? undefined : each.text;
    return each.gap.count === 'many' && !isAnyNumber(each.gap) ? undefined : shapeOf(each.gap);
  });
  return shapes.includes(undefined) ? null : shapes.join('');
}

/** The most texts that are kept of a word of several names. */
const mostJoined = 128;

/** All texts of a field of known names; null where they are not known, or are too many. */
function joinedNames(field: Field): readonly string[] | null {
  let texts: readonly string[] = [''];
  for (const piece of field) {
    const ends = piece.kind === 'text' ? [piece.text] : namesIn(piece.gap, piece.isQuoted);
    if (ends === null || texts.length * ends.length > mostJoined) return null;
    texts = texts.flatMap((text) => ends.map((end) => text + end));
  }
  return [...new Set(texts)];
}

/** The texts of one name within a longer word. */
export function namesIn(gap: NamesWord | UnknownWord, isQuoted: boolean): readonly string[] | null {
  if (gap.kind !== 'names' || gap.names.open || !(isQuoted || isWhole(gap))) return null;
  if (gap.count === 'many' && gap.isOne !== true) return null;
  return textsIn(gap.isOne === true ? orEmpty(gap) : gap);
}

/** The word without an empty text, which is not an argument without quotes. */
function orNone(value: NamesWord | UnknownWord): NamesWord | UnknownWord {
  if (value.kind !== 'names' || !textsIn(value).includes('')) return value;
  const texts = value.names.texts.filter((each) => each !== '');
  return {
    ...value,
    names: { ...value.names, texts },
    ...(value.count === 'one' && { count: 'many', isOne: true }),
  };
}

/** One of the names, or an empty text. */
function orEmpty({ kind, before, names, after }: NamesWord): NamesWord {
  return { kind, before, names: { ...names, texts: [...names.texts, ''] }, after, count: 'one' };
}

/** Whether names stay the same when the shell splits them at blanks and globs them. */
export function isWhole(word: NamesWord): boolean {
  const isPlainText = (text: string) => /^[^\s*?[\\]+$/.test(text);
  return !word.names.open && !/[\s*?[\\]/.test(word.before + word.after) && textsIn(word).every(isPlainText);
}

function wholeTextOf(field: Field): string | null {
  return field.every((piece) => piece.kind === 'text') ? field.map(({ text }) => text).join('') : null;
}
