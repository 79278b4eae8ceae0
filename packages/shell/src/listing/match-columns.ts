import type { Column, Table } from '../word.js';
import { type Choices, type Part, readPattern, type Syntax } from './match-pattern.js';

/** The columns of each match of a pattern. */
export interface Match extends Pick<Table, 'columns' | 'separator' | 'isWhole' | 'last'> {
  /** Whether blanks may stand before the first column. */
  readonly isIndented?: true;
}

/** Null if it is unknown what a match begins with. */
export function columnsOfMatch(pattern: string, syntax: Syntax): Match | null {
  const [first = null, ...others] = readPattern(pattern, syntax)?.map(columnsIn) ?? [];
  return others.reduce((one, other) => one && other && common(one, other), first);
}

/** What is true of the matches of both. */
function common(one: Match, other: Match): Match {
  const count = Math.min(one.columns.length, other.columns.length);
  const columns = one.columns.slice(0, count).map((each, at) => (each === other.columns[at] ? each : 'text'));
  const areWhole = one.isWhole && other.isWhole && one.columns.length === other.columns.length;
  return {
    columns,
    separator: one.separator === other.separator ? one.separator : null,
    ...(areWhole && { isWhole: true }),
    ...(one.last && other.last && { last: one.last }),
    ...((one.isIndented || other.isIndented) && { isIndented: true }),
  };
}

function columnsIn(all: readonly Part[]): Match | null {
  const parts = all.slice(all.findLastIndex(({ kind }) => kind === 'reset') + 1);
  const first = parts.findIndex(({ kind }) => kind !== 'blank');
  if (first === -1) return null;
  const columns: Column[] = [];
  let separator: Table['separator'] = first > 0 ? null : ' ';
  let word: Part[] = [];
  /** False for a word that may be missing, which moves what follows. */
  const end = () => {
    if (!word.some(isSure)) return false;
    const { isPlain, isStarted } = follow(word, false);
    columns.push(isPlain && isStarted ? 'plain' : 'text');
    word = [];
    return true;
  };
  const isRead = [...parts.slice(first), null].every((part) => {
    if (part === null) return end();
    if (part.kind !== 'blank') {
      word.push(part);
      return !mayHoldBlank(part);
    }
    if (word.length === 0 || !part.isSingle) separator = null;
    return word.length === 0 || (!part.isOptional && end());
  });
  const tail = parts.findLastIndex(mayHoldBlank) + 1;
  const { isPlain, isStarted } = follow(parts.slice(tail), false);
  const isLast = isPlain && isStarted && endsInBlank(parts.slice(0, tail), () => true);
  if (columns.length === 0 && !isLast) return null;
  return {
    columns,
    separator,
    ...(isRead && { isWhole: true }),
    ...(isLast && { last: 'plain' }),
    ...(mayBeginInBlank(parts) && { isIndented: true }),
  };
}

/** Whether these parts end in a blank, or are empty where `before` says so. */
function endsInBlank(parts: Choices[number], before: () => boolean): boolean {
  const [last] = parts.slice(-1);
  if (last === undefined) return before();
  const rest = () => endsInBlank(parts.slice(0, -1), before);
  const isOwn =
    last.kind === 'choice'
      ? last.choices.every((choice) => endsInBlank(choice, rest))
      : last.kind === 'blank';
  return isOwn && (!last.isOptional || rest());
}

/** Whether the part is never empty. */
function isSure(part: Part): boolean {
  if (part.isOptional) return false;
  return part.kind !== 'choice' || part.choices.every((choice) => choice.some(isSure));
}

function mayBeginInBlank(parts: Choices[number]): boolean {
  const sure = parts.findIndex(isSure);
  return parts
    .slice(0, sure === -1 ? parts.length : sure + 1)
    .some((part) =>
      part.kind === 'choice'
        ? part.choices.some(mayBeginInBlank)
        : part.kind === 'any' || part.kind === 'blank',
    );
}

function mayHoldBlank(part: Part): boolean {
  if (part.kind !== 'choice') return part.kind === 'any' || part.kind === 'blank';
  return part.choices.some((choice) => choice.some(mayHoldBlank));
}

/** Whether these parts keep a word plain, and whether they certainly begin it. `isBegun`: others did already. */
function follow(parts: Choices[number], isBegun: boolean): { isPlain: boolean; isStarted: boolean } {
  let [isPlain, isStarted] = [true, isBegun];
  for (const part of parts) {
    if (part.kind === 'choice') {
      const all = part.choices.map((choice) => follow(choice, isStarted));
      isPlain &&= all.every((each) => each.isPlain);
      isStarted ||= !part.isOptional && all.every((each) => each.isStarted);
    } else if (part.kind === 'start') isStarted ||= !part.isOptional;
    else isPlain &&= part.kind === 'inner' && isStarted;
  }
  return { isPlain, isStarted };
}
