import { ownMember } from '@ambit/core';
import type { Assignment, Command, Redirection } from 'unbash';
import { oneOf } from '../alternatives.js';
import { isOfLogin } from '../builtins/login-file.js';
import { isBuiltinName } from '../builtins/names.js';
import { readBy } from '../builtins/read.js';
import { builtins } from '../builtins/table.js';
import { runProgram } from '../facts/program.js';
import { reportRun } from '../facts/run-facts.js';
import { changeBy, reportVariable, setVariable } from '../facts/variable.js';
import { Outside } from '../state/outside.js';
import { noteSkipped, type Scope, type Shell, subshell } from '../state/scope.js';
import { withVariable } from '../state/state.js';
import {
  isPipe,
  namesWord,
  noOutput,
  type Output,
  onlyNames,
  text,
  textOf,
  unknownOutput,
  type Word,
} from '../word.js';
import { assign, assignedWord, declare, isAssignment, isDeclaration } from './assign.js';
import { call } from './functions.js';
import { mayFail, outputBetween, redirect, type Streams } from './redirect.js';
import type { WrittenWord } from './words/atoms.js';
import { expandWord, valueOfArgument, valueOfWord } from './words/expand.js';
import { pipeWord, processIn, walkProcess } from './words/process.js';

/** Walks a simple command: words, redirections, assignments, and then the program. */
export function simpleCommand(node: Command, scope: Scope): Output {
  if (isDeclaration(node.name?.text, scope)) {
    const declared = declare(node, scope);
    scope.last = null;
    return declared;
  }
  const written = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  const words = written.map((each) => argument(each, node, scope)).flatMap((found) => found());
  scope.last = null;
  const before = scope.state;
  const assignments = node.prefix.flatMap((each) => (each.type === 'Assignment' ? [each] : []));
  if (words.length === 0) {
    if (node.name !== undefined)
      throw new Outside('whether this runs a command depends on a value', node.name.text);
    if (scope.isPosix && assignments.length > 0 && node.redirects.length > 0)
      throw new Outside(
        'other shells redirect before they assign',
        assignments.map(({ text }) => text).join(' '),
      );
    for (const assignment of assignments) assign(assignment, scope);
    const [only, ...others] = assignments;
    if (only !== undefined && others.length === 0) assignResult(only, scope);
    redirect(node.redirects, scope);
    if (mayFail(node.redirects)) noteSkipped(before, scope);
    // `$(<file)` is the content of the file.
    return node.redirects.length === 0 ? noOutput : unknownOutput;
  }
  const streams = redirect(node.redirects, scope);
  if (textOf(words[0]) === 'exec' && words.length === 1 && assignments.length === 0 && scope.shell !== null) {
    const isToCommands = (each: Redirection) =>
      each.type === 'Redirect' && each.target !== undefined && processIn(each.target)?.operator === '>';
    if (node.redirects.some(isToCommands))
      throw new Outside('commands for all that the shell prints are not described', 'exec');
    return redirectShell(streams, scope, scope.shell);
  }
  const output = outputBetween(node.redirects, { streams, scope, before }, (inner) =>
    run(words, assignments, inner),
  );
  scope.last = scope.shell?.traps.length === 0 ? textOf(words.at(-1)) : null;
  // What the commands of `>(…)` print comes between.
  const isMixed = words.some((word) => isPipe(word) && word.takes === true);
  return isMixed ? unknownOutput : output;
}

/** `name=$(command)` fails with the command. */
function assignResult({ name, value: node }: Assignment, scope: Scope): void {
  const [part, ...others] = node.type === 'Word' ? (node.parts ?? []) : [];
  const [inner, ...more] = part?.type === 'DoubleQuoted' ? part.parts : [part];
  const variable = scope.state.variables.get(name);
  const { value } = variable ?? {};
  const isResult = inner?.type === 'CommandExpansion' && others.length + more.length === 0;
  if (!isResult || variable === undefined || value?.kind !== 'names' || value.isSure !== true) return;
  const stateWith = (other: Word) => withVariable(scope.state, name, { ...variable, value: other });
  scope.failed = stateWith(namesWord(onlyNames([...value.names.texts, ''])));
  scope.state = stateWith(oneOf([namesWord(value.names)]));
}

/** `exec` with only redirections changes the streams of the shell itself. */
function redirectShell({ input, output }: Streams, scope: Scope, shell: Shell): Output {
  scope.input.output = input.list === undefined ? input.output : unknownOutput;
  shell.isRedirected ||= output !== 'kept';
  return noOutput;
}

/** Arguments of `export` and `alias` may be assignments. */
function argument(each: WrittenWord | Assignment, node: Command, scope: Scope): () => readonly Word[] {
  if (!isAssignment(each)) {
    const process = processIn(each);
    if (process === null) return expandWord(each, scope);
    const output = walkProcess(process, scope);
    return () => [pipeWord(process, output)];
  }
  const isAlias = node.name?.text === 'alias';
  if (node.name?.text !== 'export' && !isAlias)
    throw new Outside('this assignment is not described', each.text);
  const value = valueOfArgument(assignedWord(each), scope);
  if (isAlias) return () => [text(each.text)];
  const isPlain = !scope.isPosix && (changeBy(each.name, null) === null || isOfLogin(each.name, null, scope));
  if (value.kind !== 'text' && isPlain && scope.state.functions?.has('export') !== true)
    return () => {
      scope.state = withVariable(scope.state, each.name, { value, isExported: false });
      return [text(each.name)];
    };
  if (value.kind !== 'text') {
    // Behind an option it may be the opposite: `export -n NAME`.
    if (!node.args.some((other) => other.text.startsWith('-')))
      reportVariable(scope.walk.report, each.name, null);
    throw new Outside('a variable that programs see has an unknown value', each.text);
  }
  if (scope.isPosix && /\s/.test(value.text))
    throw new Outside('other shells may split this value', each.text);
  return () => [{ kind: 'text', text: `${each.name}=${value.text}` }];
}

function run(words: readonly Word[], assignments: readonly Assignment[], scope: Scope): Output {
  const [first, ...rest] = words;
  const name = textOf(first);
  const line = words.map(written).join(' ');
  if (name === null) throw new Outside('which program this is depends on a value', line);
  const body = scope.state.functions?.get(name);
  if (body !== undefined && assignments.length === 0 && !words.some(isPipe))
    return call([name, body], rest, scope);
  if (body !== undefined) throw new Outside('this call of a function is not described', line);
  const builtin = ownMember(builtins, name);
  if (builtin === undefined && isBuiltinName(name)) throw new Outside(`\`${name}\` is not described`, line);
  if (builtin !== undefined) {
    if (words.some(isPipe)) throw new Outside('a process substitution for a builtin is not described', line);
    if (assignments.length > 0 && !(name === 'read' && assignments.every(isSeparator)))
      throw new Outside('variables for a builtin are not described', name);
    reportRun(words, scope);
    const separator = assignments.at(-1);
    if (separator !== undefined) return readBy(separatorIn(separator), rest, scope);
    return builtin(rest, scope);
  }
  if (assignments.length === 0) return runProgram(words, scope);
  const inner = subshell(scope);
  for (const assignment of assignments) exportTo(assignment, inner);
  return runProgram(words, inner);
}

/** `IFS=`, or a plain character at which `read` splits. */
function isSeparator({ name, text }: Assignment): boolean {
  return name === 'IFS' && /^IFS=(?:|[:,/.@_=+-]|'[^']'|"[:,;|= ]"|\$'\\t')$/.test(text);
}

function separatorIn({ text }: Assignment): string {
  const written = text.slice('IFS='.length);
  return written === "$'\\t'" ? '\t' : written.replaceAll(/^['"]|['"]$/g, '');
}

/** Sets a variable that only one program sees. */
function exportTo(assignment: Assignment, scope: Scope): void {
  const { name, text } = assignment;
  const before = scope.state;
  const value = valueOfWord(assignedWord(assignment), scope);
  if (scope.state !== before) throw new Outside('an assignment within another is not described', text);
  setVariable(scope.walk.report, name, textOf(value), text);
  scope.state = withVariable(scope.state, name, { value, isExported: true });
}

function written(word: Word): string {
  return textOf(word) ?? '…';
}
