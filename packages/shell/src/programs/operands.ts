import { isMany, startOf, textOf, text as textWord, type Word, writtenAs } from '../word.js';
import type { Condition, Conditional, OperandEntry } from './entry/entry.js';
import type { Role } from './entry/role.js';
import { type Reading, takesRest } from './reading.js';
import { isUnknownStart } from './words.js';

/** An operand with all its possible roles. The words of a command form one operand. */
export interface AssignedOperand {
  readonly roles: readonly Role[];
  readonly words: readonly Word[];
}

type Known = Omit<Reading, 'folder'>;

type Answer = 'yes' | 'maybe' | 'no';

/** Gives each operand its roles, after unknown words all possible ones. Returns a text if an operand has none. */
export function assign(
  entries: readonly OperandEntry[],
  reading: Known,
): readonly AssignedOperand[] | string {
  const active = entries.filter((entry) => holds(entry, reading) !== 'no');
  const isBlurred = active.some((entry) => holds(entry, reading) === 'maybe') || reading.open !== null;
  const start = active.findIndex((entry) => entry.roles.some(takesRest));
  const { operands, open } = reading;
  const chooser = open === null ? 'its options' : `\`${writtenAs(open)}\``;
  if (start !== -1)
    return isBlurred ? `what it runs depends on ${chooser}` : beforeCommand(active, start, operands);
  if (!isBlurred) return withDefaults(active, inOrder(active, operands), false);
  const roles = rolesOf(active);
  const misplaced = active.length === 0 ? operands.find((each) => !isUnknownStart(each)) : undefined;
  if (misplaced !== undefined) return hasNoPlace(misplaced);
  const isBounded = active.length > 0 && active.every(({ many }) => many === 'one');
  const beyond = isBounded ? (operands[active.length] ?? operands.find(isMany)) : undefined;
  if (beyond !== undefined) return hasNoPlace(beyond);
  // A known word that stands before all unknown ones is the first operand, and no other word is.
  const later = isFirstKnown(active, reading) ? rolesOf(active.slice(1)) : roles;
  return withDefaults(
    active,
    operands.map((each, index) => ({ roles: index === 0 ? roles : later, words: [each] })),
    true,
  );
}

function isFirstKnown(
  [entry]: readonly OperandEntry[],
  { open, operands: [first, ...others] }: Known,
): boolean {
  if (entry?.many !== 'one' || open === null) return false;
  return first !== undefined && textOf(first) !== null && others.includes(open);
}

function rolesOf(entries: readonly OperandEntry[]): readonly Role[] {
  return [...new Set(entries.flatMap((entry) => entry.roles))];
}

function hasNoPlace(word: Word): string {
  return `the argument \`${writtenAs(word)}\` is unknown`;
}

/** Adds the default of each operand that is missing or may be missing. */
function withDefaults(
  entries: readonly OperandEntry[],
  operands: readonly AssignedOperand[] | string,
  isBlurred: boolean,
): readonly AssignedOperand[] | string {
  if (typeof operands === 'string') return operands;
  const missing = entries.filter(
    ({ otherwise, roles }) =>
      otherwise !== null && (isBlurred || operands.every((each) => isOther(each, roles))),
  );
  const added = missing.map(({ roles, otherwise }) => ({ roles, words: [textWord(otherwise ?? '')] }));
  return [...operands, ...added];
}

/** Whether the operand may be several operands, or none. */
function isOther({ roles, words }: AssignedOperand, wanted: readonly Role[]): boolean {
  return words.every(isMany) || !wanted.every((role) => roles.includes(role));
}

/** The words of the operands that are paths. */
export function pathWords(operands: readonly AssignedOperand[]): readonly Word[] {
  return operands.flatMap(({ roles, words }) => (roles.some(({ kind }) => kind === 'path') ? words : []));
}

export function holds({ conditions }: Conditional, reading: Known): Answer {
  const answers = conditions.map((condition) => answer(condition, reading));
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}

function answer({ names, kind }: Condition, reading: Known): Answer {
  if (kind === 'only') return hasOnly(names, reading);
  const answers = names.map((name) => {
    if (name === 'none') return hasNone(reading);
    if (name === 'many') return hasMany(reading);
    if (name === 'bare') return isBare(reading);
    if (name === 'dash') return isFirst('-', reading);
    return /^[-+](?!%)/.test(name) ? isGiven(name, reading) : isFirst(name, reading);
  });
  const isPresent = kind === 'if';
  if (answers.includes('yes')) return isPresent ? 'yes' : 'no';
  if (answers.includes('maybe')) return 'maybe';
  return isPresent ? 'no' : 'yes';
}

function hasOnly(names: readonly string[], { options, open }: Known): Answer {
  if (!options.every(({ entry }) => names.some((name) => entry.names.includes(name)))) return 'no';
  return open === null ? 'yes' : 'maybe';
}

/** Whether only variables are named, and no command. */
function isBare({ operands, open }: Known): Answer {
  const others = operands.filter((word) => !/^[^=]*=/.test(startOf(word)));
  if (others.length === 0) return 'yes';
  return open !== null || others.every((word) => isMany(word) || startOf(word) === '') ? 'maybe' : 'no';
}

function hasNone({ operands, open }: Known): Answer {
  if (operands.length === 0) return 'yes';
  return open !== null || operands.every(isMany) ? 'maybe' : 'no';
}

function hasMany({ operands, open }: Known): Answer {
  if (operands.length < 2 && !operands.some(isMany)) return 'no';
  return open === null && operands.filter((each) => !isMany(each)).length > 1 ? 'yes' : 'maybe';
}

function isFirst(name: string, { operands: [first], open }: Known): Answer {
  if (first === undefined) return 'no';
  const text = textOf(first);
  if (open !== null || text === null) return 'maybe';
  return text === name ? 'yes' : 'no';
}

function isGiven(name: string, { given, open }: Known): Answer {
  if (open !== null) return 'maybe';
  return given.has(name) ? 'yes' : 'no';
}

/** Each operand in its place: the first from the start, the last from the end, the others between. */
function inOrder(
  entries: readonly OperandEntry[],
  words: readonly Word[],
): readonly AssignedOperand[] | string {
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
    else operands.push({ roles: [...new Set(possible.flatMap(({ roles }) => roles))], words: [each] });
  });
  const [misplaced] = extra;
  return misplaced === undefined ? operands : hasNoPlace(misplaced);
}

function either(known: OperandEntry | undefined, others: readonly OperandEntry[]): readonly OperandEntry[] {
  return known === undefined ? others : [known];
}

/** Operands in their places, and from the command on all words together. */
function beforeCommand(
  entries: readonly OperandEntry[],
  start: number,
  words: readonly Word[],
): readonly AssignedOperand[] | string {
  const operands: AssignedOperand[] = [];
  let index = 0;
  for (const { many, roles } of entries.slice(0, start)) {
    const count =
      many === 'assignments' ? assignments(words.slice(index)) : Math.min(1, words.length - index);
    for (const word of words.slice(index, index + count)) operands.push({ roles, words: [word] });
    index += count;
  }
  const unsure = words.slice(0, index).find(isMany);
  if (unsure !== undefined) return `\`${writtenAs(unsure)}\` may be several words`;
  const { roles = [], otherwise = null } = entries[start] ?? {};
  if (index < words.length) operands.push({ roles, words: words.slice(index) });
  else if (otherwise !== null) operands.push({ roles, words: otherwise.split(' ').map(textWord) });
  return operands;
}

/** The number of leading words that look like `NAME=value`. */
function assignments(words: readonly Word[]): number {
  const end = words.findIndex((word) => !/^[^=]*=/.test(startOf(word)));
  return end === -1 ? words.length : end;
}
