import type { Assignment, Command } from 'unbash';
import { isBuiltinName } from '../builtins/names.js';
import { builtins } from '../builtins/table.js';
import { runProgram } from '../facts/program.js';
import { reportRun } from '../facts/run-facts.js';
import { allowedVariable } from '../facts/variable.js';
import { Outside } from '../state/outside.js';
import { leftOf, type Scope, skipped, subshell } from '../state/scope.js';
import { type Value, withArray, withVariable } from '../state/state.js';
import { isAssignable, valueNamed } from '../state/variables.js';
import { isPipe, noOutput, type Output, text, textOf, unknownOutput, type Word } from '../word.js';
import { call } from './functions.js';
import { mayFail, redirect, redirected } from './redirect.js';
import type { WrittenWord } from './words/atoms.js';
import { expanded, valueOfWord, wordsOf } from './words/expand.js';
import { pipeWord, processIn, walkProcess } from './words/process.js';

/** Walks a simple command: words, redirections, assignments, and then the program. */
export function simpleCommand(node: Command, scope: Scope): Output {
  if (node.name?.text === 'local' && scope.state.locals !== undefined) return declareLocals(node, scope);
  const written = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  const words = written.map((each) => argument(each, node, scope)).flatMap((found) => found());
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
    redirect(node.redirects, scope);
    if (mayFail(node.redirects)) skipped(before, scope);
    // `$(<file)` is the content of the file.
    return node.redirects.length === 0 ? noOutput : unknownOutput;
  }
  const streams = redirect(node.redirects, scope);
  const inner: Scope = { ...scope, input: streams.input };
  const output = run(words, assignments, inner);
  scope.state = inner.state;
  scope.failed = inner.failed;
  if (mayFail(node.redirects)) skipped(before, scope);
  return redirected(output, streams, node.redirects);
}

/** `local name=value`: a variable that is what it was before when the function ends. */
function declareLocals({ args, redirects, prefix }: Command, scope: Scope): Output {
  if (redirects.length + prefix.length > 0) throw new Outside('this `local` is not described', 'local');
  const given = args.map((each) =>
    isAssignment(each)
      ? ([each.name, valueOfWord(plainValue(each), scope)] as const)
      : ([each.text, null] as const),
  );
  reportRun([text('local'), ...given.map(([name]) => text(name))], scope);
  for (const [name, value] of given) {
    const before = scope.state.variables.get(name) ?? null;
    if (!isAssignable(name) || before?.isExported === true || scope.isPosix)
      throw new Outside('this variable of a function is not described', name);
    const set = withVariable(scope.state, name, { value: value ?? text(''), isExported: false });
    const variables = new Map(set.variables);
    if (value === null) variables.delete(name);
    scope.state = { ...set, variables, locals: new Map([[name, before], ...(set.locals ?? [])]) };
  }
  return noOutput;
}

/** `export NAME=value` is the only command whose arguments are assignments here. */
function argument(each: WrittenWord | Assignment, node: Command, scope: Scope): () => readonly Word[] {
  if (!isAssignment(each)) {
    const process = processIn(each);
    if (process === null) return expanded(each, scope);
    walkProcess(process, scope);
    return () => [pipeWord(process)];
  }
  if (node.name?.text !== 'export') throw new Outside('this assignment is not described', each.text);
  const value = valueOfWord(plainValue(each), scope);
  if (value.kind !== 'text')
    throw new Outside('a variable that programs see has an unknown value', each.text);
  if (scope.isPosix && /\s/.test(value.text))
    throw new Outside('other shells may split this value', each.text);
  return () => [{ kind: 'text', text: `${each.name}=${value.text}` }];
}

function isAssignment(each: WrittenWord | Assignment): each is Assignment {
  return 'type' in each && each.type === 'Assignment';
}

/** The value of `NAME=value`. Throws `Outside` for arrays and their elements, and for an undescribed `+=`. */
function plainValue({ value, index, append, text }: Assignment, takesAppend = false): WrittenWord {
  if (index !== undefined || value.type === 'ArrayValue') throw new Outside('arrays are not described', text);
  if (append === true && !takesAppend) throw new Outside('this assignment is not described', text);
  return value;
}

/** Reads `name=value`, for a name that the line defines, or a variable without other effects. */
function assign(assignment: Assignment, scope: Scope): void {
  const { name, text, value: assigned } = assignment;
  if (assigned.type === 'ArrayValue') {
    assignArray(assignment, assigned.elements, scope);
    return;
  }
  const given = valueOfWord(plainValue(assignment, !scope.isPosix), scope);
  const before = scope.state.variables.get(name);
  if (before?.isExported === true) {
    if (assignment.append === true) throw new Outside('this assignment is not described', text);
    scope.walk.report.add(allowedVariable(name, textOf(given), text));
  } else if (!isAssignable(name)) throw new Outside('this variable is not described', text);
  const value = assignment.append === true ? appended(valueNamed(name, scope.state), given) : given;
  if (value.kind === 'text' && value.text.length > mostValue)
    throw new Outside('the value is too long', name);
  scope.state = withVariable(scope.state, name, { value, isExported: before?.isExported ?? false });
}

/** Reads `name=(words)` and `name+=(words)`. */
function assignArray(
  { name, text, index, append }: Assignment,
  elements: readonly WrittenWord[],
  scope: Scope,
): void {
  const { state } = scope;
  const before = append === true ? state.arrays?.get(name) : [];
  // The parser may read comments differently, and `[n]=x` is the element `n`.
  const isOther = /[#\n]/.test(text) || elements.some((each) => each.text.startsWith('['));
  if (index !== undefined || scope.isPosix || isOther || !before || !isAssignable(name))
    throw new Outside('this assignment is not described', text);
  const words = [...before, ...wordsOf(elements, scope)];
  if (words.length > mostElements) throw new Outside('the array is too long', name);
  scope.state = withArray(scope.state, name, words);
}

const mostElements = 1_000;

/** The longest value that is tracked, in characters. */
const mostValue = 20_000;

function appended(before: Value | null, more: Value): Value {
  if (before === null) return more;
  if (before.kind === 'text' && more.kind === 'text') return { kind: 'text', text: before.text + more.text };
  return { kind: 'unknown', start: '', count: 'one', written: '…' };
}

function run(words: readonly Word[], assignments: readonly Assignment[], scope: Scope): Output {
  const [first, ...rest] = words;
  const name = textOf(first);
  if (name === null)
    throw new Outside('which program this is depends on a value', words.map(written).join(' '));
  const body = scope.state.functions?.get(name);
  if (body !== undefined && assignments.length === 0 && !words.some(isPipe))
    return call([name, body], rest, scope);
  if (body !== undefined)
    throw new Outside('this call of a function is not described', words.map(written).join(' '));
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (builtin === undefined && isBuiltinName(name))
    throw new Outside(`\`${name}\` is not described`, words.map(written).join(' '));
  if (builtin !== undefined) {
    if (words.some(isPipe))
      throw new Outside(
        'a process substitution for a builtin is not described',
        words.map(written).join(' '),
      );
    if (assignments.length > 0 && !(name === 'read' && assignments.every(isSeparator)))
      throw new Outside('variables for a builtin are not described', name);
    // Without separators, `read` keeps the blanks at both ends of a line. With others, its values are unknown.
    if (assignments.some(({ text }) => text !== 'IFS=')) scope.input.output = leftOf(scope.input.output);
    reportRun(words, scope);
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

/** Sets a variable that only one program sees. */
function exportTo(assignment: Assignment, scope: Scope): void {
  const { name, text } = assignment;
  const value = valueOfWord(plainValue(assignment), scope);
  scope.walk.report.add(allowedVariable(name, textOf(value), text));
  scope.state = withVariable(scope.state, name, { value, isExported: true });
}

function written(word: Word): string {
  return textOf(word) ?? '…';
}
