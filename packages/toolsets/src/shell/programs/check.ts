import type { Condition, OptionEntry } from './entry.js';
import { operandEntry, statement } from './entry.js';
import { commandNames, keysOf, optionsOf, resolve } from './program.js';
import { type ProgramSpec, type ProgramTable, programSpec } from './spec.js';

/** What is wrong with a table of programs, each with where it is: `git.commands.log.flags: …`. Nothing where it is right. */
export function problemsOf(table: unknown, base: ProgramTable = {}): readonly string[] {
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    return ['not an object of programs'];
  const problems: string[] = [];
  for (const [name, written] of Object.entries(table)) {
    const parsed = programSpec.safeParse(written);
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues)
        problems.push(`${[name, ...path].join('.')}: ${message}`);
      continue;
    }
    const spec = attempt(name, () => resolve(parsed.data, { ...base, ...(table as ProgramTable) }), problems);
    if (spec !== null) checkSpec(spec, { path: name, known: new Set(), problems });
  }
  return problems;
}

interface Spot {
  readonly path: string;
  /** Names of options that may be given here. */
  readonly known: ReadonlySet<string>;
  readonly problems: string[];
}

function checkSpec(spec: ProgramSpec, { path, known, problems }: Spot): void {
  const options = attempt(path, () => optionsOf(spec), problems) ?? [];
  checkOptions(options, path, problems);
  const names = new Set([
    ...known,
    ...options.flatMap((option) => option.names.map((name) => name.replace(/(?<=.)\*$/, ''))),
    ...options.flatMap(({ names: all, isOptional }) => (isOptional ? all.map((name) => `${name}=`) : [])),
    '--help',
    '--version',
  ]);
  const operands = (spec.operands ?? []).flatMap((text, index) => {
    const entry = attempt(`${path}.operands.${index}`, () => operandEntry(text), problems);
    return entry === null ? [] : [entry];
  });
  const does = (spec.does ?? []).flatMap((text, index) => {
    const entry = attempt(`${path}.does.${index}`, () => statement(text), problems);
    return entry === null ? [] : [entry];
  });
  attempt(`${path}.keys`, () => keysOf(spec), problems);
  for (const { text } of does) {
    const option = /^\{(.+)\}$/.exec(text ?? '')?.[1];
    if (option === undefined || names.has(option)) continue;
    problems.push(`${path}.does: \`${option}\` is no option here`);
  }
  for (const { conditions } of [...operands, ...does])
    checkConditions(conditions, { path, known: names, problems });
  if (spec.commands !== undefined && (spec.operands?.length ?? 0) > 0) {
    problems.push(`${path}.operands: a program with commands has no operands besides`);
  }
  const seen = new Set<string>();
  for (const [key, command] of Object.entries(spec.commands ?? {})) {
    for (const name of commandNames(key)) {
      if (seen.has(name)) problems.push(`${path}.commands.${key}: \`${name}\` is there twice`);
      seen.add(name);
    }
    checkSpec(command, { path: `${path}.commands.${key}`, known: names, problems });
  }
}

function checkOptions(options: readonly OptionEntry[], path: string, problems: string[]): void {
  const seen = new Set<string>();
  for (const { names } of options) {
    for (const name of names) {
      if (seen.has(name)) problems.push(`${path}: the option \`${name}\` is there twice`);
      if (!/^[-+]/.test(name))
        problems.push(`${path}: the option \`${name}\` begins with neither \`-\` nor \`+\``);
      seen.add(name);
    }
  }
}

function checkConditions(conditions: readonly Condition[], { path, known, problems }: Spot): void {
  for (const { names } of conditions) {
    if (names.length === 0) problems.push(`${path}: a condition that names no option`);
    for (const name of names) {
      if (/^[a-z][\w-]*$/.test(name) || known.has(name)) continue;
      problems.push(`${path}: a condition names \`${name}\`, which is no option here`);
    }
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
