import {
  type Conditional,
  commandNames,
  keysOf,
  type OptionEntry,
  operandEntry,
  optionsOf,
  printsOf,
  standardFlags,
  statement,
} from './entry.js';
import { resolve } from './like.js';
import { type ProgramSpec, type ProgramTable, programSpec } from './spec.js';

/** The errors of a table of programs, each with its place: `git.commands.log.flags: …`. */
export function problemsOf(table: unknown, base: ProgramTable = {}): readonly string[] {
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    return ['the table is not an object of programs'];
  const problems: string[] = [];
  const whole = { ...base, ...(table as ProgramTable) };
  for (const [name, written] of Object.entries(table)) {
    const parsed = programSpec.safeParse(written);
    if (parsed.success) checkSpec(parsed.data, { path: name, known: new Set(), table: whole, problems });
    else
      for (const { path, message } of parsed.error.issues)
        problems.push(`${[name, ...path].join('.')}: ${message}`);
  }
  return problems;
}

interface Checking {
  readonly path: string;
  /** Names of options that are allowed here. */
  readonly known: ReadonlySet<string>;
  readonly table: ProgramTable;
  readonly problems: string[];
}

function checkSpec(written: ProgramSpec, checking: Checking): void {
  const { path, problems } = checking;
  const spec = attempt(path, () => resolve(written, checking.table), problems);
  if (spec === null) return;
  const options = attempt(path, () => optionsOf(spec), problems) ?? [];
  checkOptions(options, path, problems);
  const known = new Set([...checking.known, ...options.flatMap(spellings), ...standardFlags]);
  const operands = all(spec.operands, `${path}.operands`, operandEntry);
  const does = all(spec.does, `${path}.does`, statement);
  attempt(`${path}.keys`, () => keysOf(spec), problems);
  const prints = attempt(`${path}.prints`, () => printsOf(spec), problems) ?? [];
  for (const { text } of does) {
    const option = /^\{(.+)\}$/.exec(text ?? '')?.[1];
    if (option !== undefined && !known.has(option))
      problems.push(`${path}.does: \`${option}\` is not an option here`);
  }
  for (const option of prints.flatMap((each) => each.options))
    if (!known.has(option)) problems.push(`${path}.prints: \`${option}\` is not an option here`);
  for (const entry of [...operands, ...does, ...prints]) checkConditions(entry, { ...checking, known });
  if (spec.commands !== undefined && operands.length > 0)
    problems.push(`${path}.operands: a program with commands cannot have operands too`);
  checkCommands(spec, { ...checking, known });

  function all<Result>(texts: readonly string[] = [], at: string, read: (text: string) => Result) {
    return texts.flatMap((text, index) => attempt(`${at}.${index}`, () => read(text), problems) ?? []);
  }
}

/** Its names, as in conditions and statements. */
function spellings({ names, isOptional }: OptionEntry): readonly string[] {
  const plain = names.map((name) => name.replace(/(?<=.)\*$/, ''));
  return isOptional ? [...plain, ...plain.map((name) => `${name}=`)] : plain;
}

function checkOptions(options: readonly OptionEntry[], path: string, problems: string[]): void {
  const seen = new Set<string>();
  for (const name of options.flatMap(({ names }) => names)) {
    if (seen.has(name)) problems.push(`${path}: the option \`${name}\` is a duplicate`);
    if (!/^[-+]/.test(name))
      problems.push(`${path}: the option \`${name}\` begins with neither \`-\` nor \`+\``);
    seen.add(name);
  }
}

function checkConditions({ conditions }: Conditional, { path, known, problems }: Checking): void {
  for (const { names } of conditions) {
    if (names.length === 0) problems.push(`${path}: a condition that names no option`);
    for (const name of names) {
      if (/^(?:[a-z]|\+%)[\w-]*$/.test(name) || known.has(name)) continue;
      problems.push(`${path}: a condition names \`${name}\`, which is not an option here`);
    }
  }
}

function checkCommands({ commands = {} }: ProgramSpec, checking: Checking): void {
  const seen = new Set<string>();
  for (const [key, command] of Object.entries(commands)) {
    const path = `${checking.path}.commands.${key}`;
    for (const name of commandNames(key)) {
      if (seen.has(name)) checking.problems.push(`${path}: \`${name}\` is a duplicate`);
      seen.add(name);
    }
    checkSpec(command, { ...checking, path });
  }
}

function attempt<Result>(path: string, read: () => Result, problems: string[]): Result | null {
  try {
    return read();
  } catch (error) {
    problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}
