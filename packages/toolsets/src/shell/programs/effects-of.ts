import type { Effect } from '../effect.js';
import { homeStart, textOf, type Word, word } from '../word.js';
import { act } from './act.js';
import type { Statement } from './entry.js';
import { type Assignment, assign, holds } from './operands.js';
import type { Place } from './place.js';
import { type Program, programOf } from './program.js';
import { type Reading, readWords } from './reading.js';
import type { Role } from './role.js';
import type { ProgramTable } from './spec.js';
import { unknown, within, written } from './words.js';

/** A program's name, without folders, and the words after it. */
export interface Invocation {
  readonly program: string;
  readonly words: readonly Word[];
}

/** What the program does with its arguments. Nothing where the table does not know it: the walker reports that it is run. */
export function effectsOf({ program, words }: Invocation, table: ProgramTable): readonly Effect[] {
  const name = program.slice(program.lastIndexOf('/') + 1);
  const entry = programOf(table, name);
  if (entry === null || isQuestion(entry, words)) return [];
  return effects(entry, words, { name, table, folder: null, given: new Set() });
}

/** Only asks the program who it is. One that takes any command may hand even that to what the project brings (`yarn`). */
function isQuestion({ spec }: Program, [only, ...others]: readonly Word[]): boolean {
  const text = only === undefined ? null : textOf(only);
  const isHandedOn = spec.isLoose === true && spec.commands !== undefined;
  return others.length === 0 && (text === '--version' || text === '--help') && !isHandedOn;
}

interface Above {
  /** The words up to here, for people. */
  readonly name: string;
  readonly table: ProgramTable;
  readonly folder: Word | null;
  readonly given: ReadonlySet<string>;
}

function effects(program: Program, words: readonly Word[], above: Above): readonly Effect[] {
  const own = readWords(program, words);
  const reading: Reading = { ...own, given: new Set([...above.given, ...own.given]) };
  const folder = folderOf(reading, above.folder);
  // What an option names is relative to where most programs were started; what follows is relative to where they go.
  const assignment = assign(program.operands, reading);
  const below = assignment.operands
    .filter(({ roles }) => roles.some((role) => role.kind === 'path' && role.access === 'list'))
    .flatMap((each) => each.words);
  const start = program.spec.isMovedFirst === true ? folder : above.folder;
  const options: Place = { ...above, folder: start, program, reading, below, enter };
  const rest: Place = { ...options, folder };
  return [
    ...ofOptions(reading, options),
    ...ofOpen(program, reading, options),
    ...ofUnknown(program, reading, above.name),
    ...(program.hasCommands ? ofCommand(reading, rest) : ofOperands(assignment, rest)),
    ...program.does.flatMap((each) => ofStatement(each, isOfOption(each) ? options : rest)),
  ];
}

/** The words after a name, read by another entry of the table. */
function enter(name: string, words: readonly Word[], place: Place): readonly Effect[] {
  const entry = programOf(place.table, name);
  return entry === null ? [] : effects(entry, words, { ...place, name, given: new Set() });
}

function folderOf({ options }: Reading, folder: Word | null): Word | null {
  let current = folder;
  for (const { entry, values } of options) {
    values.forEach((value, index) => {
      if (entry.values[index]?.some(({ kind }) => kind === 'folder') === true)
        current = within(current, value);
    });
  }
  return current;
}

function ofOptions({ options }: Reading, place: Place): readonly Effect[] {
  return options.flatMap(({ entry, values, command }) => [
    ...values.flatMap((value, index) =>
      (entry.values[index] ?? []).flatMap((role) => act(role, [value], place)),
    ),
    ...(entry.values.at(-1) ?? [])
      .filter(({ kind }) => ['command', 'entry', 'split', 'shell'].includes(kind))
      .flatMap((role) => act(role, command, place)),
  ]);
}

/** What each option could do, where a word may be any of them; what is worst of it, where a file's name may be one. */
function ofOpen({ options, spec }: Program, { open, pattern }: Reading, place: Place): readonly Effect[] {
  const word = open ?? (spec.isClosed === true ? null : pattern);
  if (word === null) return [];
  const roles = new Set([...options.values()].flatMap(({ values }) => values.flat()));
  return [...roles]
    .filter((role) => open !== null || isWorst(role))
    .flatMap((role) => act(role, [unknown(written(word))], place));
}

function isWorst(role: Role): boolean {
  if (role.kind === 'path') return role.access === 'write' || role.access === 'delete';
  return ['code', 'run', 'load', 'command', 'key', 'opaque', 'entry', 'split'].includes(role.kind);
}

function ofUnknown({ spec }: Program, reading: Reading, name: string): readonly Effect[] {
  const effects: Effect[] = [];
  if (spec.isLoose !== true) {
    for (const text of reading.unknown) {
      effects.push({ kind: 'opaque', text, why: `\`${name}\` has an option that is not known` });
    }
  }
  return effects;
}

function ofCommand(reading: Reading, place: Place): readonly Effect[] {
  const [first] = reading.operands;
  const text = first === undefined ? null : textOf(first);
  if (first === undefined) return [];
  if (text === null) {
    const why = `which of the commands of \`${place.name}\` it is depends on a value`;
    return [{ kind: 'opaque', text: written(first), why }];
  }
  const command = place.program.command(text);
  if (command === null) {
    const why = `\`${place.name}\` has a command that is not known`;
    return place.program.spec.isLoose === true ? [] : [{ kind: 'opaque', text, why }];
  }
  return effects(command, reading.rest, {
    ...place,
    name: `${place.name} ${text}`,
    given: reading.given,
  });
}

function ofOperands({ operands, extra }: Assignment, place: Place): readonly Effect[] {
  const effects = operands.flatMap(({ roles, words }) => roles.flatMap((role) => act(role, words, place)));
  const { open } = place.reading;
  if (open !== null && place.program.operands.some(({ roles }) => roles.some(runsWords))) {
    effects.push({
      kind: 'opaque',
      text: written(open),
      why: `what \`${place.name}\` runs depends on a value`,
    });
  }
  if (place.program.spec.isLoose === true) return effects;
  const why = `\`${place.name}\` has an argument that is not known`;
  return [...effects, ...extra.map((each): Effect => ({ kind: 'opaque', text: written(each), why }))];
}

function runsWords({ kind }: Role): boolean {
  return kind === 'command' || kind === 'shell' || kind === 'entry';
}

/** What a statement is about: a text as it is written, or each value of an option. No word is one that is not known. */
function subjectsOf(text: string | null, { reading }: Place): readonly (readonly Word[])[] {
  if (text === null) return [[]];
  const option = /^\{(.+)\}$/.exec(text)?.[1];
  if (option === undefined) return [[word(text.replace(/^~(?=\/|$)/, homeStart))]];
  const given = reading.options.filter(({ entry }) => entry.names.includes(option));
  return given.map(({ values }) => values.slice(0, 1));
}

/** Whether it is about what an option was given. */
function isOfOption({ text }: Statement): boolean {
  return text?.startsWith('{') === true;
}

function ofStatement(statement: Statement, place: Place): readonly Effect[] {
  if (holds(statement, place.reading) === 'no') return [];
  const { text, roles } = statement;
  return subjectsOf(text, place).flatMap((words) => roles.flatMap((role) => act(role, words, place)));
}
