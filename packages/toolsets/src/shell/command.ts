import { reportVariable } from './assign.js';
import { builtinTable as builtins } from './builtins/table.js';
import { callFunction } from './call.js';
import { apply, loseState, runningAmbit } from './effects.js';
import { type Here, type HowRun, type Result, subshell } from './here.js';
import { outputOf } from './outputs.js';
import { isOwnProgram } from './own-program.js';
import { placesOf } from './places.js';
import { ownVariable, withVariables } from './temporary.js';
import { startOf, textOf, type Word, word } from './word.js';

/** How deep commands may be that are run by others. */
const mostDepth = 40;

/** What a command of these words does, in the shell or beside it. */
export function command(words: readonly Word[], here: Here, how: HowRun = {}): Result {
  const [first, ...rest] = words;
  const { report } = here.walk;
  if (first === undefined || !report.spend(10)) return { output: null };
  const name = textOf(first);
  if (name === null) return unknownCommand(words, here, how);
  if (here.depth > mostDepth) {
    report.opaque(name, 'it is too deep');
    return { output: null };
  }
  if (name.startsWith('%')) report.opaque(name, 'it resumes a job');
  if (how.past === undefined) {
    if (here.state.aliases.has(name)) runAlias(name, rest, here);
    const meaning = here.state.functions.get(name);
    if (meaning !== undefined) {
      for (const [variable, value] of how.variables ?? [])
        reportVariable(variable, value, { here, program: null });
      const result = withVariables(how.variables, here, () => callFunction(meaning, rest, here));
      if (meaning.is_certain) return result;
    } else if (here.state.is_lost && here.state.functions.has('*')) loseState(here);
  }
  const builtin = how.past === 'builtins' ? undefined : builtins.get(name);
  if (builtin === undefined) return runProgram(words, here, how);
  // Without a command it only opens and closes what it is redirected to.
  if (name !== 'exec' || rest.length > 0) reportRun(words, here, how);
  for (const [variable, value] of how.variables ?? [])
    if (environmental.has(name)) reportVariable(variable, value, { here, program: name });
  return withVariables(how.variables, here, () => builtin(rest, here, { ...how, name }));
}

/** Runs a program: reports that it runs, with what it sees, and what it does by the table. */
export function runProgram(words: readonly Word[], here: Here, how: HowRun = {}): Result {
  const [first = word(''), ...given] = words;
  const { report, world } = here.walk;
  const path = textOf(first) ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  reportRun(words, here, how);
  if (isOwnProgram(path, here)) report.add(runningAmbit);
  for (const [variable, value] of how.variables ?? [])
    reportVariable(variable, value, { here, program: name });
  const rest = how.is_open === true ? [...given, ...(how.names ?? [unknownRest])] : given;
  const inner = how.variables === undefined ? here : withOwn(how.variables, here);
  apply(world.effectsOf({ program: name, words: rest }), { program: name, words: rest }, inner);
  // The system's loader runs the program that it is given.
  if (loader.test(name)) here.walk.command(given.slice(optionCount(given)), inner, { past: 'builtins' });
  if (!world.knows(name)) world.changes.is_open = true;
  const output = outputOf(name, rest, here.input.text);
  if (!passingOver.has(name)) here.input.text = null;
  return { output };
}

/** With the variables that a command alone sees. */
function withOwn(own: ReadonlyMap<string, Word | null>, here: Here): Here {
  if (own.size === 0) return here;
  const variables = new Map(here.state.variables);
  for (const [name, value] of own) variables.set(name, ownVariable(value));
  const is_search_path_fixed = here.state.is_search_path_fixed && !own.has('PATH');
  return subshell(here, { state: { ...here.state, variables, is_search_path_fixed } });
}

/** What is run by these sees the variables that are set for them. */
const environmental: ReadonlySet<string> = new Set([
  'eval',
  'source',
  '.',
  'exec',
  'export',
  'declare',
  'typeset',
  'readonly',
]);

const loader = /^ld(?:-linux[\w.-]*|-musl[\w.-]*)?\.so(?:\.\d+)*$/;

function optionCount(words: readonly Word[]): number {
  const first = words.findIndex((each) => !startOf(each).startsWith('-'));
  return first === -1 ? words.length : first;
}

/** Programs that leave the standard input to those that follow. */
const passingOver: ReadonlySet<string> = new Set([
  'ls',
  'rm',
  'mkdir',
  'touch',
  'cp',
  'mv',
  'ln',
  'chmod',
  'date',
  'sleep',
]);

const unknownRest: Word = { parts: [{ kind: 'words', text: '…' }] };

/** Reports `proc.exec`, as far as its facts are known. */
export function reportRun(words: readonly Word[], here: Here, how: HowRun = {}): void {
  const { report } = here.walk;
  const [first = word('')] = words;
  const texts = words.map(textOf);
  const size = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const isWhole = how.is_open !== true && size < 8_000 && texts.every((text) => text !== null);
  const [folder, ...others] = here.state.folders;
  const facts = {
    ...(isWhole && { argv: texts.filter((text) => text !== null) }),
    ...(folder?.real != null && others.length === 0 && { cwd: folder.real }),
  };
  const name = textOf(first) ?? '';
  for (const program of programsOf(name, here, how))
    report.add({ name: 'proc.exec', ...(program !== null && { program }), ...facts });
}

/** The names by which rules may know a program; null for one that is not known. */
function programsOf(name: string, here: Here, { variables, past }: HowRun): readonly (string | null)[] {
  if (!name.includes('/')) {
    const isBuiltin = past !== 'builtins' && builtins.has(name);
    const isFixed = here.state.is_search_path_fixed && variables?.has('PATH') !== true;
    return [isFixed || isBuiltin ? name : null];
  }
  const places = placesOf(name, here);
  if (places.length === 0 || places.some(({ real }) => real === null))
    here.walk.report.opaque(name, 'which program it is cannot be known');
  if (places.length === 0) return [null];
  return [...new Set(places.flatMap(({ named, real }) => [named, real]))];
}

function unknownCommand(words: readonly Word[], here: Here, how: HowRun): Result {
  const { report } = here.walk;
  const [first = word(''), ...rest] = words;
  const written = words.flatMap(({ parts }) => [
    ...parts.map((part) => (typeof part === 'string' ? part : part.text)),
    ' ',
  ]);
  report.opaque(written.join('').trim(), 'which program it is cannot be known');
  report.add({ name: 'proc.exec' });
  for (const [variable, value] of how.variables ?? [])
    reportVariable(variable, value, { here, program: null });
  // What stands for no word at all leaves the next one to be the command.
  const mayVanish =
    startOf(first) === '' && first.parts.every((part) => typeof part !== 'string' && part.kind === 'words');
  if (mayVanish && rest.length > 0) command(rest, subshell(here, { depth: here.depth + 1 }), how);
  here.walk.world.changes.is_open = true;
  if (how.past !== 'builtins') loseState(here);
  return { output: null };
}

function runAlias(name: string, rest: readonly Word[], here: Here): void {
  const text = here.state.aliases.get(name) ?? null;
  here.walk.report.opaque(name, 'it is an alias');
  if (text === null) {
    loseState(here);
    return;
  }
  const words = rest.map((each) => textOf(each) ?? '$0');
  here.walk.text([text, ...words].join(' '), { ...here, depth: here.depth + 1 });
}
