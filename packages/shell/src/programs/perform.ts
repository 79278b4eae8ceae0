import { ownMember } from '@ambit/core';
import { type Access, type Effect, walkedLanguages } from '../effect.js';
import { isPipe, text, textOf, unknown, unknownOutput, type Word, writtenAs } from '../word.js';
import { type Context, type DefinedBy, type Described, describedOf, type Perform } from '../world.js';
import { effectsOf, type Use, withOneScript } from './act.js';
import { type Effects, together } from './effects.js';
import { type Statement, standardFlags } from './entry/entry.js';
import type { Role } from './entry/role.js';
import type { ProgramTable } from './entry/spec.js';
import { type AssignedOperand, assign, holds, pathWords } from './operands.js';
import { outputOf, printsOfCommand } from './output.js';
import { joinedDefinitions, type Program, programOf } from './program.js';
import { type Lister, optionsNamed, type Reading, readWords } from './reading.js';
import { ofSettings } from './settings.js';
import { mayBeStream, notRead, pathBelow } from './words.js';

/** Describes the programs of a table. `listers` list the files for entries with `lists`. */
export function performBy(table: ProgramTable, listers: Readonly<Record<string, Lister>>): Perform {
  return (name, words, context) => {
    const program = programOf(table, name);
    if (program === null) return null;
    if (isQuestion(program, words)) return { ...unsaid, ...aboutItself(program, context) };
    const defining: DefinedBy[] = [];
    const start = { name, table, listers, context, defining };
    const described = run(program, words, { ...start, folder: null, given: new Set(), depth: 0 });
    const definedBy = joinedDefinitions(defining);
    const known =
      typeof described === 'string' ? { effects: [{ kind: 'opaque', why: described } as const] } : described;
    return { ...unsaid, ...known, ...(definedBy && { definedBy }) };
  };
}

const unsaid = { output: unknownOutput, leavesInput: false };

/** Whether only the version or the help is requested. */
function isQuestion(program: Program, words: readonly Word[]): boolean {
  const { spec } = program;
  const [first = null, second = null] = words.map(textOf);
  if (words.length === 2 && first !== null && second !== null && program.command(first) !== null)
    return spec.about_commands?.split(' ').includes(second) ?? false;
  const only = words.length === 1 ? first : null;
  if (only === null) return false;
  return (
    (spec.about?.split(' ').includes(only) ?? false) ||
    (spec.opaque === undefined && standardFlags.includes(only))
  );
}

function aboutItself({ spec }: Program, context: Context): Described {
  const effects = ofSettings(spec, context);
  const unknown = effects.filter(({ kind }) => kind === 'opaque');
  return { effects: unknown.length > 0 ? unknown : effects };
}

interface Above {
  /** The words so far, for people. */
  readonly name: string;
  readonly table: ProgramTable;
  readonly listers: Readonly<Record<string, Lister>>;
  readonly context: Context;
  /** What the entries so far are defined by. */
  readonly defining: DefinedBy[];
  readonly folder: Word | null;
  readonly given: ReadonlySet<string>;
  readonly depth: number;
}

const mostEntries = 20;

function run(program: Program, words: readonly Word[], above: Above): Described | string {
  const { name, table, context, depth } = above;
  if (depth > mostEntries) return 'its entries refer to one another in a circle';
  if (program.spec.defined_by !== undefined) above.defining.push(program.spec.defined_by);
  const own = readWords(program, words);
  if (typeof own === 'string') return own;
  const given = new Set([...above.given, ...own.given]);
  const folder = folderOf(own.options, above.folder, program.spec.joined_folders === true);
  if (typeof folder === 'string') return folder;
  const reading: Reading = { ...own, given, folder };
  const before = program.spec.moved_first === true ? folder : above.folder;
  const use: Use = {
    name,
    table,
    program,
    reading,
    folder,
    by: 'program',
    home: context.world.home,
    input: context.input,
    enter: (other, rest, { folder: from }) => enter(other, rest, { ...above, folder: from }),
  };
  // Most programs resolve names in options from their first folder, and operands from the new one.
  const inOption: Use = { ...use, folder: before, by: 'argument' };
  const isCommand = program.hasCommands && (own.operands.length > 0 || program.spec.lists === undefined);
  const main = isCommand ? ofCommand(use, above) : ofOperands(use, above);
  if (typeof main === 'string') return main;
  const { about = '' } = program.spec;
  const { opaque } = program;
  const isAboutItself = [...standardFlags, ...about.split(' ')].some((name) => own.given.has(name));
  const effects = together([
    ofOptions(inOption),
    ofOpen(inOption),
    ...program.does.filter(isReadFirst).map((each) => ofStatement(each, inOption)),
    main.effects,
    ...program.does.map((each) =>
      isReadFirst(each) ? [] : ofStatement(each, isOfOption(each) ? inOption : use),
    ),
    opaque === null || holds(opaque, reading) === 'no'
      ? ofSettings(program.spec, above.context, own.operands)
      : ofStatement(opaque, use),
  ]);
  if (typeof effects === 'string') return effects;
  const { output = unknownOutput, leavesInput = false } = main;
  const printing = effects.filter(printsMore);
  const mayPrint = main.printsOfCommand ?? printsOfCommand(program.prints, reading);
  const isOfCommand = printing.length === 1 && !isAboutItself && mayPrint !== null;
  return {
    effects: [...effects, ...ofLoaded(effects)],
    output: printing.length > 0 || isAboutItself ? unknownOutput : output,
    ...(isOfCommand && { printsOfCommand: mayPrint }),
    leavesInput: program.spec.leaves_input === true || leavesInput,
  };
}

/** Code in an unsupported language may do anything, unless the entry already says so. */
function ofLoaded(effects: readonly Effect[]): readonly Effect[] {
  if (effects.some(({ kind }) => kind === 'opaque')) return [];
  if (effects.some(({ kind }) => kind === 'load'))
    return [{ kind: 'opaque', why: 'it does what a file says' }];
  const isRun = effects.some((effect) => effect.kind === 'code' && !walkedLanguages.has(effect.language));
  return isRun ? [{ kind: 'opaque', why: 'it does what its text says' }] : [];
}

/** Whether the effect starts another program, which may print too. */
function printsMore({ kind }: Effect): boolean {
  return kind === 'run' || kind === 'code' || kind === 'load' || kind === 'opaque';
}

/** The words after a name, read by another entry of the table. */
function enter(name: string, words: readonly Word[], above: Above): Effects {
  const program = programOf(above.table, name);
  if (program === null) return `\`${name}\` is unknown`;
  const described = run(program, words, { ...above, name, given: new Set(), depth: above.depth + 1 });
  return typeof described === 'string' ? described : described.effects;
}

function folderOf(options: Reading['options'], from: Word | null, areJoined: boolean): Word | null | string {
  let folder = from;
  for (const { entry, values } of options) {
    for (const [index, value] of values.entries()) {
      if (entry.values[index]?.some(({ kind }) => kind === 'folder') !== true) continue;
      folder = pathBelow(areJoined ? folder : null, value);
      if (folder === null) return `the folder \`${writtenAs(value)}\` is relative to another one`;
    }
  }
  return folder;
}

function ofOptions(use: Use): Effects {
  return together(
    withOneScript(use.reading.options).flatMap(({ entry, values, command }) => [
      ...values.flatMap((value, index) =>
        (entry.values[entry.isList === true ? 0 : index] ?? []).map((role) => effectsOf(role, [value], use)),
      ),
      ...(command.length === 0 ? [] : (entry.values.at(-1) ?? [])).map((role) =>
        effectsOf(role, command, use),
      ),
    ]),
  );
}

/**
 * The effects of a word that may be any option. Whether it names a file as an option's value is unknown; the program is
 * then opaque, besides its known effects.
 */
function ofOpen(use: Use): Effects {
  const { open } = use.reading;
  if (open === null) return [];
  const { options, prefixes, spec } = use.program;
  const roles = [...new Set([...options.values(), ...prefixes].flatMap(({ values }) => values.flat()))];
  const why = `\`${writtenAs(open)}\` may be any option`;
  if (roles.some(isUnbounded)) return why;
  const isGit = spec.lists?.startsWith('git-') === true;
  const isFile = (role: Role) => role.kind === 'path' && role.access !== 'list';
  const files = roles.filter(isFile);
  const onlyReads = !isGit && files.every((role) => role.kind === 'path' && !changing.has(role.access));
  return together([
    ...roles.filter((role) => !isFile(role)).map((role) => effectsOf(role, [unknown(writtenAs(open))], use)),
    files.length === 0 && !isGit ? [] : [{ kind: 'opaque', why, ...(onlyReads && { onlyReads }) }],
  ]);
}

const changing: ReadonlySet<Access> = new Set(['write', 'delete', 'meta']);

/** Whether the program is opaque if a word with this role is unknown. */
function isUnbounded({ kind }: Role): boolean {
  return !['value', 'rest', 'path', 'remote', 'url', 'connect', 'capability'].includes(kind);
}

function ofCommand({ reading, program, folder }: Use, above: Above): Described | string {
  const [first] = reading.operands;
  if (first === undefined) return { effects: [] };
  const known = textOf(first);
  const unsure = known === null ? first : reading.open;
  if (known === null || unsure !== null)
    return `which command it is depends on \`${writtenAs(unsure ?? first)}\``;
  const command = program.command(known);
  if (command === null) return `the command \`${known}\` is unknown`;
  const { given, rest } = reading;
  return run(command, rest, { ...above, name: `${above.name} ${known}`, given, folder });
}

function ofOperands(use: Use, above: Above): Described | string {
  const { program, reading } = use;
  const { input, folder } = above.context;
  const given = { reading, input, folder: folder.real };
  const lists = listerOf(program, reading);
  // A lister reads all operands itself if the entry describes none.
  const readsAll = lists !== undefined && program.operands.length === 0;
  const operands = readsAll ? [] : assign(program.operands, reading);
  if (typeof operands === 'string') return operands;
  if (lists !== undefined) {
    const pipe = program.spec.reads_pipes === true ? undefined : reading.words.find(isPipe);
    if (pipe !== undefined) return notRead(pipe);
    const lister = ownMember(above.listers, lists);
    const act = lister === undefined ? 'its files are not listed' : lister(reading, above.context);
    const described = act === null ? null : describedOf(act);
    if (
      typeof described === 'string' ||
      (described !== null && (described.output ?? unknownOutput).kind !== 'unknown')
    )
      return described;
    if (described !== null)
      return {
        ...described,
        output: outputOf(program.prints, { ...given, operands: [], effects: described.effects }),
      };
  }
  const effects = together(
    operands.flatMap(({ roles, words }) => roles.map((role) => effectsOf(role, words, use))),
  );
  if (typeof effects === 'string') return effects;
  const output = outputOf(program.prints, { ...given, operands, effects });
  return {
    effects,
    output,
    leavesInput:
      program.spec.leaves_input === 'files' && reading.open === null && readFiles(operands, above.context),
  };
}

/** `NAME if OPTIONS` lists the files with one of these options only. */
function listerOf({ spec: { lists } }: Program, { given }: Reading): string | undefined {
  const [name, options] = lists?.split(' if ') ?? [];
  return options?.split(' ').some((option) => given.has(option)) === false ? undefined : name;
}

/** Whether files are read, and none of them may be an alias of the standard input. */
function readFiles(operands: readonly AssignedOperand[], context: Context): boolean {
  return operands.some(readsFile) && !pathWords(operands).some((word) => mayBeStream(word, context));
}

/** Whether an operand names a file to read instead of the standard input. */
function readsFile({ roles, words }: AssignedOperand): boolean {
  const isRead = roles.some((role) => role.kind === 'path' && role.access === 'read');
  const isFile = (word: Word) =>
    word.kind === 'text' ? word.text !== '-' : word.kind === 'names' && word.count === 'one';
  return isRead && words.length > 0 && words.every(isFile);
}

/** Whether the statement concerns the value of an option. */
function isOfOption({ text: written }: Statement): boolean {
  return written?.startsWith('{') === true;
}

/** An archive is read before what is in it is written. */
function isReadFirst(each: Statement): boolean {
  return (
    isOfOption(each) && each.roles.every((role) => role.kind === 'remote' && role.path.access === 'read')
  );
}

function ofStatement(statement: Statement, use: Use): Effects {
  if (holds(statement, use.reading) === 'no') return [];
  const subjects = subjectsOf(statement.text, use);
  return together(subjects.flatMap((words) => statement.roles.map((role) => effectsOf(role, words, use))));
}

/** The words of a statement: a text, or each value of an option. A missing word counts as unknown. */
function subjectsOf(written: string | null, { reading, home }: Use): readonly (readonly Word[])[] {
  if (written === null) return [[]];
  const option = /^\{(.+)\}$/.exec(written)?.[1];
  if (option === undefined) return [[text(written.replace(/^~(?=\/|$)/, home))]];
  const values = optionsNamed(reading, option).map(({ values: all }) => all.slice(0, 1));
  return reading.open === null ? values : [...values, []];
}
