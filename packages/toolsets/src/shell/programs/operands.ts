import { startOf, textOf, type Word, word } from '../word.js';
import type { Condition, Entry, OperandEntry } from './entry.js';
import type { Reading } from './reading.js';
import type { Role } from './role.js';
import { isMany, isUnknownStart } from './words.js';

/** An operand with all that it may be. From a command on, the words are one operand together. */
export interface AssignedOperand {
  readonly roles: readonly Role[];
  readonly words: readonly Word[];
}

export interface Assignment {
  readonly operands: readonly AssignedOperand[];
  /** Operands that the entry has no place for. */
  readonly extra: readonly Word[];
}

/** Which operand is what. Where words before it are not known, an operand is all that it may be. */
export function assign(entries: readonly OperandEntry[], reading: Reading): Assignment {
  const active = entries.filter((entry) => holds(entry, reading) !== 'no');
  const isBlurred = active.some((entry) => holds(entry, reading) === 'maybe') || reading.open !== null;
  const start = active.findIndex((entry) => entry.roles.some(takesRest));
  const { operands } = reading;
  if (start !== -1) return beforeCommand(active, start, operands);
  if (isBlurred) {
    const roles = active.flatMap((entry) => entry.roles);
    return withDefaults(active, { operands: operands.map((each) => ({ roles, words: [each] })), extra: [] });
  }
  return withDefaults(active, inOrder(active, operands));
}

/** What is meant where an operand is missing, or may be. */
function withDefaults(entries: readonly OperandEntry[], { operands, extra }: Assignment): Assignment {
  const missing = entries.filter(
    ({ otherwise, roles }) => otherwise !== null && operands.every((each) => isOther(each, roles)),
  );
  const added = missing.map(({ roles, otherwise }) => ({ roles, words: [word(otherwise ?? '')] }));
  return { operands: [...operands, ...added], extra };
}

function isOther({ roles, words }: AssignedOperand, wanted: readonly Role[]): boolean {
  return words.every(isUnknownStart) || !wanted.every((role) => roles.includes(role));
}

export function holds({ conditions }: Entry, reading: Reading): 'yes' | 'maybe' | 'no' {
  const answers = conditions.map((condition) => answer(condition, reading));
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}

function answer({ names, isPresent }: Condition, reading: Reading): 'yes' | 'maybe' | 'no' {
  const answers = names.map((name) => {
    if (name === 'none') return hasNone(reading);
    if (name === 'many') return hasMany(reading);
    return /^[-+]/.test(name) ? isGiven(name, reading) : isFirst(name, reading);
  });
  if (answers.includes('yes')) return isPresent ? 'yes' : 'no';
  if (answers.includes('maybe')) return 'maybe';
  return isPresent ? 'no' : 'yes';
}

function hasNone({ operands }: Reading): 'yes' | 'maybe' | 'no' {
  if (operands.length === 0) return 'yes';
  return operands.every(isUnknownStart) ? 'maybe' : 'no';
}

function hasMany({ operands }: Reading): 'yes' | 'maybe' | 'no' {
  if (operands.length > 1) return 'yes';
  return operands.some(isMany) ? 'maybe' : 'no';
}

/** Behind a word that is not known, and that may be `--`, an option may be an operand. */
function isFirst(name: string, { operands: [first] }: Reading): 'yes' | 'maybe' | 'no' {
  if (first === undefined) return 'no';
  const text = textOf(first);
  if (text !== null) return text === name ? 'yes' : 'no';
  return 'maybe';
}

function isGiven(name: string, { given, open }: Reading): 'yes' | 'maybe' | 'no' {
  if (open !== null) return 'maybe';
  return given.has(name) ? 'yes' : 'no';
}

function takesRest(role: Role): boolean {
  return ['command', 'entry', 'rest', 'shell'].includes(role.kind);
}

function inOrder(entries: readonly OperandEntry[], words: readonly Word[]): Assignment {
  const at = entries.findIndex(({ many }) => many !== 'one');
  const first = at === -1 ? entries : entries.slice(0, at);
  const rest = entries.slice(at === -1 ? entries.length : at, at === -1 ? entries.length : at + 1);
  const last = at === -1 ? [] : entries.slice(at + 1);
  const many = words.findIndex(isMany);
  const lastMany = words.findLastIndex(isMany);
  const operands: AssignedOperand[] = [];
  const extra: Word[] = [];
  words.forEach((each, index) => {
    const fromEnd = last[last.length - (words.length - index)];
    const isLastOpen = many !== -1 && words.length - 1 - lastMany < last.length;
    let possible: readonly OperandEntry[];
    if (many === -1) possible = either(first[index] ?? fromEnd, rest);
    else if (index < many) possible = either(first[index], [...rest, ...(isLastOpen ? last : [])]);
    else if (index > lastMany) possible = either(fromEnd, [...first.slice(many), ...rest]);
    else possible = [...first.slice(many), ...rest, ...(isLastOpen ? last : [])];
    if (possible.length === 0) extra.push(each);
    else operands.push({ roles: possible.flatMap(({ roles }) => roles), words: [each] });
  });
  return { operands, extra };
}

function either(known: OperandEntry | undefined, others: readonly OperandEntry[]): readonly OperandEntry[] {
  return known === undefined ? others : [known];
}

function beforeCommand(entries: readonly OperandEntry[], start: number, words: readonly Word[]): Assignment {
  const operands: AssignedOperand[] = [];
  let index = 0;
  for (const entry of entries.slice(0, start)) {
    if (entry.many === 'assignments') {
      while (isAssignment(words[index])) {
        operands.push({ roles: entry.roles, words: words.slice(index, index + 1) });
        index += 1;
      }
    } else if (index < words.length) {
      operands.push({ roles: entry.roles, words: words.slice(index, index + 1) });
      index += 1;
    }
  }
  if (index < words.length) operands.push({ roles: entries[start]?.roles ?? [], words: words.slice(index) });
  return { operands, extra: [] };
}

function isAssignment(each: Word | undefined): boolean {
  return each !== undefined && /^[^=]+=/.test(startOf(each));
}
