import type { Column, Names, Output, Table } from './word.js';

/**
 * What the field with this number, from 1, is in each line that is split at this character, or at blanks for null.
 * Null if it is unknown.
 */
export function columnOf(lines: Output, by: string | null, at: number | 'last'): Column | null {
  const { columns, rest, separator } = tableOf(lines) ?? unknownTable;
  if (separator !== undefined && by !== separator && (by !== null || separator === ':')) return null;
  const column = at === 'last' ? undefined : columns[at - 1];
  return column ?? (rest === null ? null : partsOf(rest, by, at === 'last' ? at : at - columns.length));
}

/** What is left of each line behind this number of fields; null if it is unknown. */
export function restBehind(lines: Output, by: string | null, count: number): Names | null {
  const { columns, rest, separator } = tableOf(lines) ?? unknownTable;
  const isSplit = by === separator || (by === null && separator !== ':');
  const isRest =
    isSplit && columns.length === count && rest?.texts.some((each) => each.includes('\t')) === false;
  return isRest ? rest : null;
}

const unknownTable: Shape = { columns: [], rest: null, separator: ':' };

/** A list of names has one column, which any character may split. */
interface Shape extends Pick<Table, 'columns' | 'rest'> {
  readonly separator: Table['separator'] | undefined;
}

function tableOf(lines: Output): Shape | null {
  if (lines.kind === 'table') return lines;
  const isList = lines.kind === 'names' && lines.separator === '\n' && lines.mayRunOn !== true;
  return isList ? { columns: [], rest: lines.names, separator: undefined } : null;
}

function partsOf({ texts, open }: Names, by: string | null, at: number | 'last'): Names {
  const parts = texts.map((text) => {
    const all = by === null ? text.trim().split(/[ \t]+/) : text.split(by);
    return (at === 'last' ? all.at(-1) : all[at - 1]) ?? '';
  });
  return { texts: [...new Set(parts)], open, under: null };
}
