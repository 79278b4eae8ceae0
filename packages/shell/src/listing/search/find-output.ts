import { type Column, noOutput, type Output, type Table, textOf, unknownOutput } from '../../word.js';
import type { Collected } from '../collected.js';
import type { Member } from '../members.js';
import { printedNames } from '../names.js';
import type { Start } from '../start.js';
import type { Action } from './find-expression.js';

/** An action with the files that it is for. */
export interface Done {
  readonly action: Action;
  readonly members: { readonly member: Member; readonly start: Start }[];
  readonly files: Collected;
  /** The beginning of unknown names; null if unknown. */
  readonly starts: Set<string | null>;
}

const quiet = /^-(?:delete|quit|prune|f)/;

function printingIn(done: Iterable<Done>): readonly Done[] {
  return [...done].filter(({ action }) => !quiet.test(action.name));
}

/** Known if every name is printed in one form, and nothing else is printed, except in columns before the name. */
export function outputOfFind(done: Iterable<Done>): Output {
  const printing = printingIn(done);
  if (printing.length === 0) return noOutput;
  const formats = printing.map(({ action }) => formatOf(action));
  const [format = null] = formats;
  if (format === null || formats.some((each) => each?.written !== format.written)) return unknownOutput;
  const texts = printing.flatMap(({ members }) =>
    members.map(({ member, start }) => printedName(member, start, format.letter)),
  );
  const open = printing.some(({ files }) => files.open);
  const { columns, end } = format;
  if (columns !== null) {
    const isSplit = end === '\0' || texts.some((text) => text.includes('\n'));
    return isSplit ? unknownOutput : { ...columns, rest: { texts: [...new Set(texts)], open, under: null } };
  }
  const starts = new Set(printing.flatMap((each) => [...each.starts]));
  const isPath = format.letter === 'p' && starts.size === 1;
  return printedNames(texts, open, { separator: end, under: isPath ? ([...starts][0] ?? null) : null });
}

/** Whether all that is printed is what one command prints, which is started for the files. */
export function printsOfCommand(done: Iterable<Done>): boolean {
  const [only, ...others] = printingIn(done);
  return only?.action.name === '-exec' && others.length === 0;
}

interface Format {
  readonly written: string;
  /** The letter for the printed form of a name. */
  readonly letter: string;
  readonly end: '\n' | '\0';
  /** What stands before the name. */
  readonly columns: Pick<Table, 'kind' | 'columns' | 'separator'> | null;
}

/** Null if other text may be printed. */
function formatOf({ name, values }: Action): Format | null {
  if (name === '-print') return { written: 'p', letter: 'p', end: '\n', columns: null };
  if (name === '-print0') return { written: 'p0', letter: 'p', end: '\0', columns: null };
  const written = textOf(values[0]) ?? '';
  if (name !== '-printf') return null;
  const [, before = '', letter = '', end] = /^(.*)%([pfhP])\\(n|0)$/.exec(written) ?? [];
  const columns = before === '' ? null : columnsIn(before);
  if (end === undefined || columns === undefined) return null;
  return { written, letter, end: end === 'n' ? '\n' : '\0', columns };
}

/** Directives that print no blanks, each before the same separator; undefined for others. */
function columnsIn(written: string): Format['columns'] | undefined {
  const separator = written.endsWith(' ') ? ' ' : '\\t';
  const parts = written.split(separator);
  const isKnown =
    parts.pop() === '' &&
    parts.every((part) => /^(?:%(?:[sdinkbmyMUG]|[TAC]@|[TAC][YmdHM])[-.:]?)+$/.test(part));
  if (!isKnown) return undefined;
  const columns = parts.map((part): Column => (part === '%s' ? 'number' : 'text'));
  return { kind: 'table', columns, separator: separator === ' ' ? ' ' : '\t' };
}

function printedName({ text: whole }: Member, start: Start, letter: string): string {
  const plain = whole.replace(/(?<=.)\/+$/, '');
  const slash = plain.lastIndexOf('/');
  if (letter === 'f') return plain.slice(slash + 1) || plain;
  if (letter === 'h') return slash === -1 ? '.' : plain.slice(0, slash);
  if (letter === 'P') return whole.slice(start.text.length).replace(/^\/+/, '');
  return whole;
}
