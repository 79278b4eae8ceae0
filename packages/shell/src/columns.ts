import { type Column, type Names, type Output, type Table, unknownOutput } from './word.js';

/**
 * What the field with this number, from 1, is in each line that is split at this character, or at blanks for null.
 * Null if it is unknown.
 */
export function columnOf(lines: Output, by: string | null, at: number | 'last'): Column | null {
  const { columns, rest, separator, last } = tableOf(lines) ?? unknownTable;
  if (separator !== undefined && !isSplit(separator, by)) return null;
  const column = at === 'last' ? undefined : columns[at - 1];
  const mayBeBlank = rest?.texts.some((text) => /^[ \t]*$/.test(text)) === true;
  if (at === 'last' && by === null && columns.length > 0 && mayBeBlank) return null;
  if (at === 'last' && last !== undefined) return last;
  return column ?? (rest === null ? null : partsOf(rest, by, at === 'last' ? at : at - columns.length));
}

/** What is left of each line behind this number of fields; null if it is unknown. */
export function restBehind(lines: Output, by: string | null, count: number): Names | null {
  const { columns, rest, separator } = tableOf(lines) ?? unknownTable;
  const isRest =
    (separator === undefined || isSplit(separator, by)) &&
    columns.length === count &&
    rest?.texts.some((each) => each.includes('\t')) === false;
  // A name with a line feed would become two names.
  return isRest && rest !== null ? { ...rest, under: null } : null;
}

/** Whether fields that end at this character, or at blanks, are the columns. */
function isSplit(separator: string | null, by: string | null): boolean {
  return by === separator || (by === null && (separator === ' ' || separator === '\t'));
}

/** The lines that have one field of each of these lines. */
export function linesWith(column: Column | null, lines?: Output): Output {
  const isOne = lines !== undefined && 'isOne' in lines && lines.isOne === true;
  if (column === 'number') return { kind: 'number', ...(isOne ? { mayBeMissing: true } : { areMany: true }) };
  if (column === 'id') return { kind: 'words', areIds: true, ...(isOne && { isOne }) };
  if (column === 'plain') return { kind: 'words', ...(isOne && { isOne }) };
  if (column === 'words') return { kind: 'words', areSeveral: true, ...(isOne && { isOne }) };
  return column === null || typeof column === 'string' || column.texts.some((text) => text.includes('\n'))
    ? unknownOutput
    : { kind: 'names', names: column, separator: '\n' };
}

/** Lines that begin with one of these names and a colon, and perhaps with the number of the line behind it. */
export function namedLines(names: Names, number?: 'number' | 'perhaps-number'): Output {
  if (names.texts.some((name) => /[:\n]/.test(name))) return unknownOutput;
  const columns = number !== undefined && !names.open ? [names, number] : [names];
  return { kind: 'table', columns, rest: null, separator: ':' };
}

/** These lines, each behind a number: `uniq -c`. */
export function countedLines(lines: Output): Output {
  if (lines.kind === 'words') {
    const last = lines.areIds ? 'id' : 'plain';
    return { kind: 'table', columns: ['number', last], rest: null, separator: null, isWhole: true, last };
  }
  const rest = restBehind(lines, null, 0);
  return rest === null ? unknownOutput : { kind: 'table', columns: ['number'], rest, separator: null };
}

/**
 * The output for each item by a format like `%h %s`, with one separator between its parts. A part is a column; a `word`,
 * which is unknown but has text without blanks; a `line`, which has no line feed; or null, which may be anything.
 */
export function linesByFormat(
  format: string,
  partOf: (part: string) => Column | 'word' | 'line' | null,
): Output {
  const [, separator = ' '] = /^%(?:\([^)]*\)|\w{1,2})([ \t:|,;])/.exec(format) ?? [];
  const parts = format.split(separator).map(partOf);
  // Behind a line feed, anything may begin a line.
  if (format.includes('\n') || parts.includes(null)) return unknownOutput;
  const [only = null] = parts;
  if (parts.length === 1) return linesWith(only === 'line' || only === 'word' ? null : only);
  const columns: Column[] = [];
  for (const part of parts) {
    // A text may be empty: blanks on both sides of it would be one separator.
    if (part === null || part === 'line' || (part === 'text' && /\s/.test(separator))) break;
    columns.push(part === 'word' ? 'text' : part);
  }
  const isWhole = columns.length === parts.length;
  const last = isWhole ? columns.at(-1) : undefined;
  const rest = typeof last === 'object' ? last : null;
  if (rest !== null) columns.pop();
  const holdsSeparator = (column: Column) =>
    typeof column === 'object' &&
    (column.open || column.texts.some((text) => text.includes(separator) || /\s/.test(text)));
  if (
    (rest === null && columns.length === 0) ||
    columns.some(holdsSeparator) ||
    rest?.texts.some((text) => text.includes('\n'))
  )
    return unknownOutput;
  return { kind: 'table', columns, rest, separator };
}

/** Adds a final line feed; without lines, the result is one empty line. */
export function withFinalLineFeed(lines: Output): Output {
  const orNothing = (names: Names) => ({ ...names, texts: [...new Set([...names.texts, ''])] });
  const column = (each: Column): Column =>
    typeof each === 'object' ? orNothing(each) : each === 'number' ? 'perhaps-number' : 'text';
  if (lines.kind === 'names')
    return { kind: 'names', names: orNothing(lines.names), separator: lines.separator };
  if (lines.kind !== 'table') return unknownOutput;
  const { columns, rest, separator, mayEscape } = lines;
  const more = mayEscape === true && { mayEscape };
  return { kind: 'table', columns: columns.map(column), rest: rest && orNothing(rest), separator, ...more };
}

const unknownTable: Shape = { columns: [], rest: null, separator: ':' };

/** A list of names has one column, which any character may split. */
interface Shape extends Pick<Table, 'columns' | 'rest' | 'last'> {
  readonly separator: Table['separator'] | undefined;
}

function tableOf(lines: Output): Shape | null {
  if (lines.kind === 'table') return lines;
  if (lines.kind === 'words')
    return { columns: [lines.areIds ? 'id' : 'plain'], rest: null, separator: null };
  const isList = lines.kind === 'names' && lines.separator === '\n' && lines.mayRunOn !== true;
  return isList ? { columns: [], rest: lines.names, separator: undefined } : null;
}

/** Null where programs do not agree on what is a blank. */
function partsOf({ texts, open }: Names, by: string | null, at: number | 'last'): Names | null {
  if (by === null && texts.some((text) => /[\n\v\f\r]/.test(text))) return null;
  const parts = texts.map((text) => {
    const all = by === null ? text.replace(/^[ \t]+|[ \t]+$/g, '').split(/[ \t]+/) : text.split(by);
    // Of a line without a field, the last one is the line itself.
    return (at === 'last' ? all.at(-1) || (by === null && text) : all[at - 1]) || '';
  });
  return { texts: [...new Set(parts)], open, under: null };
}
