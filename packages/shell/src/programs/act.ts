import { asMany } from '../alternatives.js';
import type { Login, PathEffect, RunEffect } from '../effect.js';
import {
  isAnyNumber,
  isPipe,
  mayMove,
  type NamesWord,
  type Output,
  startOf,
  text,
  textOf,
  textsIn,
  unknown,
  unknownOutput,
  type Word,
  writtenAs,
} from '../word.js';
import { actOnAddress, connect } from './address.js';
import { type Around, type Effects, together } from './effects.js';
import { type PathRole, type Role, subjectOf } from './entry/role.js';
import type { ProgramTable } from './entry/spec.js';
import { capability as capabilityEffect, file } from './language/make-effect.js';
import { code } from './languages.js';
import type { Program } from './program.js';
import { type GivenOption, optionsNamed, type Reading } from './reading.js';
import { append, beside, dropStart, inFolder, notRead } from './words.js';

/** A use of a program: its entry, and how its words are read. */
export interface Use extends Around {
  readonly program: Program;
  /** The program with its subcommand, for people. */
  readonly name: string;
  readonly reading: Reading;
  readonly home: string;
  readonly input: Output;
  readonly table: ProgramTable;
  /** Reads words by another entry of the table. */
  enter(name: string, words: readonly Word[], use: Use): Effects;
}

/** The most names in a word whose names are read one by one. */
const mostNames = 1_000;

/** What a word does by its role. A missing word counts as unknown. */
export function effectsOf(role: Role, words: readonly Word[], use: Use): Effects {
  const [first, ...more] = words;
  const pipe = words.find((word) => isPipe(word) && !takesPipe(role, word.takes === true));
  if (pipe !== undefined) return notRead(pipe);
  if (first?.kind !== 'names' || !isReadByItself(role, first)) return effectsOnOne(role, words, use);
  const { before, names } = first;
  if (names.texts.length > mostNames) return `\`${writtenAs(first)}\` stands for too many names`;
  const known = textsIn(first).map((each) => [text(each), ...more]);
  const others = names.open ? [[unknown(writtenAs(first), { start: before }), ...more]] : [];
  return together([...known, ...others].map((each) => effectsOnOne(role, each, use)));
}

/** Whether a pipe is read or written like a file there. The words of a command are described by that command. */
function takesPipe(role: Role, isWritten: boolean): boolean {
  if (role.kind === 'path')
    return isWritten ? role.access === 'write' && !role.deep && role.what === null : role.access === 'read';
  return (
    ['command', 'entry'].includes(role.kind) ||
    (role.kind === 'arguments' && !isWritten) ||
    (role.kind === 'code' && role.language === 'awk-operand' && !isWritten)
  );
}

/** Whether each name decides its own effect. */
function isReadByItself(role: Role, { before, names, after }: NamesWord): boolean {
  const holds = (sign: string) => [before, ...names.texts, after].some((each) => each.includes(sign));
  if (role.kind === 'remote' || role.kind === 'url') return names.open || holds(':');
  if (role.kind === 'code' && role.language === 'awk-operand') return names.open || holds('=');
  return ['code', 'entry', 'connect', 'capability', 'assignment', 'key'].includes(role.kind);
}

function effectsOnOne(role: Role, words: readonly Word[], use: Use): Effects {
  const effects = plainEffects(role, words, use);
  if (typeof effects === 'string' || use.program.spec.shares_input !== true) return effects;
  return effects.map((effect) =>
    effect.kind === 'run' || effect.kind === 'code' ? { sharesInput: true, ...effect } : effect,
  );
}

function plainEffects(role: Role, words: readonly Word[], use: Use): Effects {
  const [first = null] = words;
  const named = first ?? unknown('?');
  switch (role.kind) {
    case 'value':
    case 'rest':
    case 'folder':
    case 'placeholder':
    case 'batch':
    case 'delimiter':
      return [];
    case 'number':
      return isAnyNumber(named) || /^\d+$/.test(textOf(named) ?? '')
        ? []
        : `\`${writtenAs(named)}\` may be something other than a number here`;
    case 'path':
      return path(role, named, use);
    case 'remote':
    case 'url':
      return actOnAddress(role.kind, named, (local) => path(role.path, local, use));
    case 'code':
      return withParameters(code(role.language, first, use), first, use);
    case 'input':
      return fromInput(role.language, use);
    case 'load':
      return load(role.language, named, use);
    case 'run':
      // The program itself decides on the words.
      return [{ kind: 'run', words: [named, unknown('…', { count: 'many' })], ...inFolder(use.folder) }];
    case 'command':
      return command(role, words, use);
    case 'shell':
      return code('sh', shellText(words), use);
    case 'entry':
      return entry(role.name, words, use);
    case 'connect':
      return connect(role, first, use);
    case 'capability':
      return capability(role, first, use);
    case 'assignment':
      return first === null ? [] : assignment(first);
    case 'key':
      return first === null ? [] : key(first, use);
    case 'arguments':
      if (isPipe(named)) return [];
      return [file('read', named, use), { kind: 'opaque', why: 'the words of the command are in a file' }];
    case 'opaque':
      return [{ kind: 'opaque', why: role.why }];
  }
}

/** The words after a text for the shell that is the first operand. */
function withParameters(effects: Effects, first: Word | null, { reading }: Use): Effects {
  const [operand, ...words] = reading.operands;
  if (typeof effects === 'string' || reading.open !== null || operand !== first) return effects;
  // Of several words, only one is `$0`.
  const [own] = words;
  const parameters = own !== undefined && mayMove(own) ? [own, asMany(words)] : words;
  const isLogin = ['-l', '--login'].some((option) => reading.given.has(option));
  const settings = optionsNamed(reading, '-o').map(({ values: [value] }) => textOf(value) ?? '');
  if (isLogin && !settings.every((each) => /^(?:errexit|nounset|pipefail)$/.test(each)))
    return 'it prints its login files, too; write `bash` without -l';
  const login: Login = reading.given.has('-u') || settings.includes('nounset') ? 'nounset' : 'plain';
  return effects.map((effect) =>
    effect.kind === 'code'
      ? { ...effect, parameters, ...(isLogin && effect.language === 'bash' && { login }) }
      : effect,
  );
}

function path(role: PathRole, named: Word, use: Use): Effects {
  const known = textOf(named);
  if (known === '' && role.access === 'write' && role.deep)
    return 'an empty name may stand for the folder where it starts';
  // A name that only begins the names of files may be empty.
  if ((known === '' && role.what !== '*') || (role.hasDash && known === '-')) return [];
  const isChange = role.access === 'write' || role.access === 'delete';
  const ends = role.deep && role.what !== null && /^[./]/.test(role.what) ? role.what.split(',') : null;
  const hasEnd = isChange || role.access === 'read';
  const word = hasEnd && role.what !== null && ends === null ? withSuffix(named, role.what, use) : named;
  if (word === null) return `the suffix of a file beside \`${writtenAs(named)}\` is unknown`;
  const effect: PathEffect = {
    ...file(role.access, word, use),
    ...(role.deep && { deep: true }),
    ...(ends !== null && { ends }),
    ...(role.isLook === true && { isLook: true }),
    ...(role.deep && use.program.spec.follows === true && { follows: true }),
    ...(role.access === 'meta' && role.what !== null && { what: role.what }),
    // An output is a file that the program opens itself.
    ...(role.access === 'write' && !role.hasDash && use.program.spec.may_link === true && { mayLink: true }),
  };
  return [effect];
}

/** The path with a suffix, with any suffix for `*`, or with an option's value for `{-i}`; null if unknown. */
function withSuffix(named: Word, suffix: string, { reading }: Use): Word | null {
  const option = /^\{(.+)\}$/.exec(suffix)?.[1];
  if (suffix === '*') return beside(named);
  if (option === undefined) return append(named, suffix);
  const given = optionsNamed(reading, option).flatMap(({ values }) => values);
  // Of several values, one counts.
  const value = given.length > 1 ? null : textOf(given[0]);
  return value === null || /[*/]/.test(value) ? null : append(named, value);
}

/** A known text for Python is read as one behind `-c`. */
function fromInput(language: string, use: Use): Effects {
  const { input, folder } = use;
  if (language === 'python' && input.kind === 'text') return code('python-value', text(input.text), use);
  return [{ kind: 'code', language, text: null, from: 'input', ...inFolder(folder) }];
}

function load(language: string | null, named: Word, use: Use): Effects {
  const known = textOf(named);
  if (known === '') return [];
  if (language !== null && (known === '-' || known === '/dev/stdin')) return fromInput(language, use);
  return [{ kind: 'load', word: named, language, ...inFolder(use.folder) }];
}

function command(
  role: Extract<Role, { kind: 'command' }>,
  words: readonly Word[],
  { reading, folder, program }: Use,
): Effects {
  if (words.length === 0) return [];
  // A lister names the files for which it runs.
  if (role.until !== 'end')
    return program.spec.lists === undefined ? 'the files for which it runs a command are unknown' : [];
  const effect: RunEffect = { kind: 'run', words, ...inFolder(folder) };
  if (role.adds === 'nothing') return [effect];
  const last = (...kinds: readonly Role['kind'][]) =>
    reading.options.findLast(({ entry: { values } }) => kinds.includes(values[0]?.[0]?.kind ?? 'value'));
  const option = last('placeholder');
  const placeholder = option === undefined ? null : textOf(option.values[0] ?? text('{}'));
  if (option !== undefined && placeholder === null) return 'the placeholder of its arguments is unknown';
  if (option !== undefined && last('placeholder', 'batch') !== option)
    return 'the order of its options decides whether words or lines are put in';
  const delimiter = last('delimiter');
  const undelimited = role.adds === 'blanks' && placeholder !== null ? 'lines' : role.adds;
  const more = delimiter === undefined ? undelimited : separator(delimiter, role.adds);
  if (more === null) return 'the separator of its input is unknown';
  const file = last('arguments')?.values[0];
  const from =
    file !== undefined && isPipe(file) ? { from: file.gives ?? unknownOutput, sharesInput: true } : {};
  const isSplit = (program.spec.splits?.split(' ') ?? []).some((name) => reading.given.has(name));
  return [
    { ...effect, more, ...from, ...(placeholder !== null && { placeholder }), ...(isSplit && { isSplit }) },
  ];
}

type Separator = NonNullable<RunEffect['more']>;

/** Null also if another option asks for zero bytes. */
function separator({ values: [value] }: GivenOption, adds: 'blanks' | 'nul'): Separator | null {
  const delimiter = textOf(value);
  if (delimiter === '\\0') return 'nul';
  return adds === 'blanks' && (delimiter === '\n' || delimiter === '\\n') ? 'lines' : null;
}

/** The words of `watch`, which a shell runs as one text; null if unknown. */
function shellText(words: readonly Word[]): Word | null {
  const texts = words.map(textOf);
  return texts.includes(null) ? null : text(texts.join(' '));
}

function entry(name: string, words: readonly Word[], use: Use): Effects {
  const [first, ...rest] = words;
  const known = textOf(first);
  if (first !== undefined && known === null) return `\`${writtenAs(first)}\` decides what is run`;
  const own = `${name} ${known}`;
  return Object.hasOwn(use.table, own) ? use.enter(own, rest, use) : use.enter(`${name} *`, words, use);
}

function capability(role: Extract<Role, { kind: 'capability' }>, named: Word | null, { name }: Use): Effects {
  const subject = subjectOf(role.name);
  const fact = role.fact ?? (named === null ? null : textOf(named));
  if (role.name === 'priv.escalate')
    return [capabilityEffect(role.name, { program: name.split(' ')[0] ?? name })];
  if (subject === null || fact === null) return [capabilityEffect(role.name)];
  if (subject !== 'port') return [capabilityEffect(role.name, { [subject]: fact })];
  const port = Number(/(\d+)$/.exec(fact)?.[1]);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return [capabilityEffect(role.name, isPort ? { port } : {})];
}

/** Reads `NAME=value`; any other text is not a variable. */
function assignment(named: Word): Effects {
  const name = /^([^=]*)=/.exec(startOf(named))?.[1];
  if (name !== undefined)
    return [{ kind: 'variable', name, value: textOf(dropStart(named, name.length + 1)) }];
  return textOf(named) === null ? `\`${writtenAs(named)}\` may set any variable` : [];
}

/** `name=value` or `name value`, as the entry's `keys` say. */
function key(named: Word, use: Use): Effects {
  const start = startOf(named);
  const end = /[=\s]/.exec(start)?.index ?? null;
  if (end === null && textOf(named) === null) return `\`${writtenAs(named)}\` may be any setting`;
  const name = end === null ? start : start.slice(0, end);
  const found = use.program.keys.find(({ matches }) => matches(name));
  if (found === undefined) return `the setting \`${name}\` is unknown`;
  const words = end === null ? [] : [dropStart(named, end + 1)];
  return together(found.roles.map((role) => effectsOf(role, words, use)));
}

/** The texts of several options for `sed` are one script. */
export function withOneScript(options: readonly GivenOption[]): readonly GivenOption[] {
  const isScript = ({ entry: { values } }: GivenOption) =>
    values[0]?.some((role) => role.kind === 'code' && role.language === 'sed') === true;
  const [first, ...others] = options.filter(isScript);
  const texts = [first, ...others].map((option) => textOf(option?.values[0]));
  if (first === undefined || others.length === 0 || texts.includes(null)) return options;
  return [...options.filter((each) => !isScript(each)), { ...first, values: [text(texts.join('\n'))] }];
}
