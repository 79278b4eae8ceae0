import { ownMember } from '@ambit/core';
import { isMany, startOf, textOf, type Word } from '../../word.js';

export type Expression =
  | { readonly kind: 'and' | 'or' | 'comma'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'test'; readonly name: string; readonly value: Word | null }
  | { readonly kind: 'action'; readonly name: string; readonly action: Action };

/** An action with files. Each occurs once in the expression, and is compared by identity. */
export interface Action {
  readonly name: string;
  readonly values: readonly Word[];
  /** The words of a command, and whether it gets many names at once. */
  readonly command: readonly Word[];
  readonly isMany: boolean;
}

const options = new Set(
  '-d -depth -daystart -follow -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn'.split(
    ' ',
  ),
);
const valuedOptions = new Set(['-maxdepth', '-mindepth', '-regextype']);
const tests = new Set('-true -false -empty -executable -readable -writable -nouser -nogroup'.split(' '));
const valuedTests = new Set(
  `-name -iname -lname -ilname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -amin -atime -cmin -ctime
   -mmin -mtime -anewer -cnewer -newer -samefile -size -perm -user -group -uid -gid -links -inum -fstype -used
   -context`.split(/\s+/),
);
const actions = new Set(['-print', '-print0', '-ls', '-delete', '-quit', '-prune']);
const valuedActions: Readonly<Record<string, number>> = {
  '-printf': 1,
  '-fprint': 1,
  '-fprint0': 1,
  '-fls': 1,
  '-fprintf': 2,
};
const commands = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** Reads the words as find does, or returns a text that says why they cannot be read. */
export function readFind(words: readonly Word[]): ReturnType<typeof readAll> | string {
  const reader: Reader = { words, at: 0, options: new Map() };
  try {
    return readAll(reader);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

class Unreadable extends Error {}

interface Reader {
  readonly words: readonly Word[];
  at: number;
  readonly options: Map<string, string>;
}

function readAll(reader: Reader) {
  const { words } = reader;
  let links: '-H' | '-L' | '-P' = '-P';
  for (; ; reader.at += 1) {
    const text = textOf(words[reader.at]);
    if (text === '-H' || text === '-L' || text === '-P') links = text;
    else if (text === '-D') reader.at += 1;
    else if (text === null || !/^-O\d$/.test(text)) break;
  }
  if (textOf(words[reader.at]) === '--') reader.at += 1;
  const first = reader.at;
  while (reader.at < words.length && !beginsExpression(words[reader.at])) reader.at += 1;
  const starts = words.slice(first, reader.at);
  // Null if there is no operand.
  const expression = reader.at < words.length ? readComma(reader) : null;
  if (reader.at < words.length) throw new Unreadable('its expression is not one that `find` knows');
  return { links, starts, expression, options: reader.options };
}

/** A first word that may be a path or a test makes it unreadable. */
function beginsExpression(word: Word | undefined): boolean {
  if (word === undefined) return true;
  const text = textOf(word);
  if (text !== null) return /^(?:-.|[!(]$)/s.test(text);
  const start = startOf(word);
  const names = word.kind === 'names' ? word.names : null;
  const isKnown = start !== '' || (names !== null && (!names.open || names.under !== null));
  const starts = [start, ...(names?.texts.map((name) => start + name) ?? []), start + (names?.under ?? '')];
  if (!isKnown || starts.some((each) => /^[-!(]/.test(each)))
    throw new Unreadable('an unknown word may begin its expression');
  return false;
}

/** Expressions with one of these signs between. */
const readJoined =
  (kind: 'or' | 'comma', signs: RegExp, readPart: (reader: Reader) => Expression) =>
  (reader: Reader): Expression => {
    let left = readPart(reader);
    while (signs.test(peek(reader) ?? '')) {
      reader.at += 1;
      left = { kind, left, right: readPart(reader) };
    }
    return left;
  };

const readComma = readJoined('comma', /^,$/, readJoined('or', /^-or?$/, readAnd));

function readAnd(reader: Reader): Expression {
  let left = readOne(reader);
  for (;;) {
    const next = peek(reader);
    if (next === null || ['-o', '-or', ',', ')'].includes(next)) return left;
    if (next === '-a' || next === '-and') reader.at += 1;
    left = { kind: 'and', left, right: readOne(reader) };
  }
}

/** Null at the end. */
function peek({ words, at }: Reader): string | null {
  const word = words[at];
  if (word === undefined) return null;
  const text = textOf(word);
  if (text === null) throw new Unreadable('a word of its expression is unknown');
  return text;
}

function readOne(reader: Reader): Expression {
  const name = peek(reader);
  reader.at += 1;
  if (name === null) throw new Unreadable('its expression is not complete');
  if (name === '!' || name === '-not') return { kind: 'not', of: readOne(reader) };
  if (name === '(') {
    const inner = readComma(reader);
    if (peek(reader) !== ')') throw new Unreadable('a parenthesis is not closed');
    reader.at += 1;
    return inner;
  }
  if (options.has(name) || valuedOptions.has(name)) {
    const value = options.has(name) ? '' : textOf(take(reader));
    if (value === null || (/^-(?:max|min)depth$/.test(name) && !/^\d+$/.test(value)))
      throw new Unreadable(`the value of \`${name}\` is unknown`);
    reader.options.set(name, value);
    return { kind: 'test', name: '-true', value: null };
  }
  if (tests.has(name)) return { kind: 'test', name, value: null };
  if (valuedTests.has(name) || /^-newer[aBcm][aBcmt]$/.test(name))
    return { kind: 'test', name, value: take(reader) };
  const count = actions.has(name) ? 0 : ownMember(valuedActions, name);
  if (count !== undefined) {
    const values = Array.from({ length: count }, () => take(reader));
    return { kind: 'action', name, action: { name, values, command: [], isMany: false } };
  }
  if (commands.has(name)) return { kind: 'action', name, action: readCommand(reader, name) };
  throw new Unreadable(`\`${name}\` is not known to \`find\``);
}

/** Exactly one word. */
function take(reader: Reader): Word {
  const word = reader.words[reader.at];
  reader.at += 1;
  if (word === undefined) throw new Unreadable('its expression is not complete');
  if (isMany(word)) throw new Unreadable('an unknown number of words');
  return word;
}

function readCommand(reader: Reader, name: string): Action {
  const command: Word[] = [];
  for (;;) {
    const word = reader.words[reader.at];
    const text = textOf(word);
    if (word === undefined) throw new Unreadable(`the command of \`${name}\` has no end`);
    reader.at += 1;
    const isMany = text === '+' && textOf(command.at(-1)) === '{}' && name.startsWith('-exec');
    if (text === ';' || isMany) return { name, values: [], command, isMany };
    command.push(word);
  }
}
