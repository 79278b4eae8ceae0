import type { Assignment, Command } from 'unbash';
import { isOfLogin, isTrustedPath } from '../builtins/login-file.js';
import { reportRun } from '../facts/run-facts.js';
import { reportVariable, setVariable } from '../facts/variable.js';
import { elementsOfBoth, withElement } from '../state/arrays.js';
import { Outside } from '../state/outside.js';
import { mayEndLine, type Scope } from '../state/scope.js';
import {
  isUnset,
  keysName,
  type State,
  type Value,
  withArray,
  withKey,
  withoutVariable,
  withVariable,
} from '../state/state.js';
import { isAssignable, separators, valueNamed } from '../state/variables.js';
import { isMany, isOpen, noOutput, type Output, text, textOf, textsIn, unknown } from '../word.js';
import { indexOf } from './words/array.js';
import type { WrittenWord } from './words/atoms.js';
import { valueOfArgument, valueOfWord, wordsOf } from './words/expand.js';

/** The value of `NAME=value`. Throws `Outside` for arrays and their elements, and for an undescribed `+=`. */
export function assignedWord({ value, index, append, text }: Assignment, takesAppend = false): WrittenWord {
  if (index !== undefined || value.type === 'ArrayValue') throw new Outside('arrays are not described', text);
  if (append === true && !takesAppend) throw new Outside('this assignment is not described', text);
  return value;
}

/** Reads `name=value` of any kind. */
export function assign(assignment: Assignment, scope: Scope): void {
  const { value, index } = assignment;
  if (value.type === 'ArrayValue') assignArray(assignment, value.elements, scope);
  else if (index !== undefined) assignElement(assignment, index, value, scope);
  else assignValue(assignment, scope);
}

/** Assigns to a name that the line defines, or a variable without other effects. */
function assignValue(assignment: Assignment, scope: Scope): void {
  const { name, text } = assignment;
  // It stays a number, and counts from here.
  if (text === 'SECONDS=0' && !scope.isPosix) return;
  const given = valueOfWord(assignedWord(assignment, !scope.isPosix), scope);
  const before = scope.state.variables.get(name);
  const isOwn = assignment.append !== true && isOfLogin(name, textOf(given), scope);
  if (before?.isExported === true && !isOwn) {
    if (assignment.append === true) throw new Outside('this assignment is not described', text);
    if (isTrustedPath(name, textOf(given), scope)) return;
    setVariable(scope.walk.report, name, textOf(given), text);
  } else if (!isOwn && !isAssignable(name) && !isSeparators(name, textOf(given), assignment, scope))
    throw new Outside('this variable is not described', text);
  const value = assignment.append === true ? appendValue(valueNamed(name, scope.state), given) : given;
  if (value.kind === 'text' && value.text.length > mostValue)
    throw new Outside('the value is too long', name);
  scope.state = withVariable(scope.state, name, { value, isExported: before?.isExported ?? false });
}

function isSeparators(name: string, value: string | null, { append }: Assignment, scope: Scope): boolean {
  return name === 'IFS' && append !== true && !scope.isPosix && value !== null && separators.includes(value);
}

/** Reads `name=(words)` and `name+=(words)`. */
function assignArray(
  { name, text, index, append }: Assignment,
  elements: readonly WrittenWord[],
  scope: Scope,
): void {
  const isKeyed = hasKeys(name, scope.state);
  const before = append === true || isKeyed ? scope.state.arrays?.get(name) : [];
  // The parser may read comments differently, and `[n]=x` is the element `n`.
  const isOther = !isKeyed && (text.includes('#') || elements.some((each) => each.text.startsWith('[')));
  if (index !== undefined || scope.isPosix || !before || !isAssignable(name) || isOther)
    throw new Outside('this assignment is not described', text);
  if (isKeyed) {
    assignKeys(name, elements, scope);
    return;
  }
  const more = wordsOf(elements, scope);
  const words = before.some(isMany) ? elementsOfBoth(before, more) : [...before, ...more];
  if (words.length > mostElements) throw new Outside('the array is too long', name);
  scope.state = withArray(scope.state, name, words);
}

function hasKeys(name: string, { arrays }: State): boolean {
  return arrays?.has(keysName(name)) === true;
}

/** Reads `name=([key]=value …)`. What the array had before counts, too. */
function assignKeys(name: string, elements: readonly WrittenWord[], scope: Scope): void {
  for (const { text: written, parts } of elements) {
    const [, key, value] = /^\[([\w./-]+)\]=([\w./:@%+,-]*)$/.exec(written) ?? [];
    if (key === undefined || value === undefined || parts !== undefined)
      throw new Outside('this element of an array is not described', written);
    scope.state = withKey(scope.state, name, [text(key), text(value)]);
  }
}

/** Reads `name[index]=value`. */
function assignElement(
  { name, text: written, append }: Assignment,
  index: NonNullable<Assignment['index']>,
  assigned: WrittenWord,
  scope: Scope,
): void {
  const elements = isUnset(name, scope.state) ? [] : (scope.state.arrays?.get(name) ?? null);
  if (elements === null || append === true || scope.isPosix || !isAssignable(name))
    throw new Outside('this assignment is not described', written);
  const one = (value: Value) => (isMany(value) ? unknown(written) : value);
  const isKey = hasKeys(name, scope.state);
  const at = isKey ? valueOfWord(index, scope) : indexOf(index, name, scope, valueOfWord);
  const value = one(valueOfWord(assigned, scope));
  // There may be no such place, and no element has an empty key.
  const isPlace = typeof at === 'number' ? at >= 0 : at !== null && !isOpen(at) && !textsIn(at).includes('');
  if (!isPlace) mayEndLine(scope);
  if (at !== null && typeof at === 'object') scope.state = withKey(scope.state, name, [one(at), value]);
  else scope.state = withArray(scope.state, name, withElement(elements, at, value));
}

const mostElements = 1_000;

/** The longest value that is tracked, in characters. */
const mostValue = 20_000;

function appendValue(before: Value | null, more: Value): Value {
  if (before === null) return more;
  if (before.kind === 'text' && more.kind === 'text') return { kind: 'text', text: before.text + more.text };
  return { kind: 'unknown', start: '', count: 'one', written: '…' };
}

/** Whether it is `declare`, or `local` in a function, where both make a variable of the function; or `readonly`. */
export function isDeclaration(name: string | undefined, { state }: Scope): boolean {
  return isPlainDeclaration.test(name ?? '') || (name === 'local' && state.locals !== undefined);
}

const isPlainDeclaration = /^(?:declare|typeset|readonly)$/;

/** A declaration with its options. */
const isDescribed = /^(?:readonly |(?:declare|typeset|local) (?:-[aAr])?)$/;

/** `declare name=value`, `declare -A name`. A variable of a function is what it was before when that ends. */
export function declare({ name: command, args, redirects, prefix }: Command, scope: Scope): Output {
  const start = args.findIndex((each) => isAssignment(each) || !each.text.startsWith('-'));
  const [options, names] = [args.slice(0, start), args.slice(start)];
  const option = options.map((each) => each.text).join(' ');
  const word = command?.text ?? '';
  const isPlain = redirects.length + prefix.length === 0 && isDescribed.test(`${word} ${option}`);
  if (start === -1 || !isPlain || scope.isPosix) {
    if (options.some((each) => /^-\w*x/.test(each.text))) reportExports(names, scope);
    throw new Outside('this declaration is not described', word);
  }
  const isFixed = option === '-r' || word === 'readonly';
  const [only] = names;
  const isArray =
    /a/i.test(option) || (only !== undefined && isAssignment(only) && only.value.type === 'ArrayValue');
  if (isArray && (isFixed || names.length > 1))
    throw new Outside('this declaration is not described', option);
  const given = names.map((each) => {
    const value = isAssignment(each) && !isArray ? valueOfArgument(assignedWord(each), scope) : null;
    return { each, name: isAssignment(each) ? each.name : each.text, value };
  });
  reportRun([word, option, ...given.map(({ name }) => name)].filter(Boolean).map(text), scope);
  for (const { each, name, value } of given) {
    const { locals, variables } = scope.state;
    const before = variables.get(name) ?? null;
    if (!isAssignable(name) || before?.isExported === true || (isFixed && value === null))
      throw new Outside('this declared variable is not described', name);
    if (isArray) declareArray(name, option === '-A', scope);
    if (isArray && isAssignment(each)) assign(each, scope);
    if (!isArray && (value !== null || locals !== undefined)) declareVariable(name, value, isFixed, scope);
    if (locals !== undefined && word !== 'readonly')
      scope.state = { ...scope.state, locals: new Map([[name, before], ...locals]) };
  }
  return noOutput;
}

/** Names the variables of `declare -x`, which makes the line opaque. */
function reportExports(names: Command['args'], scope: Scope): void {
  for (const each of names) {
    const isPlain = isAssignment(each) && each.index === undefined && each.value.type !== 'ArrayValue';
    const name = isAssignment(each) ? each.name : each.text;
    if (!/^[A-Za-z_]\w*$/.test(name)) continue;
    const value = isPlain && each.append !== true ? valueOfArgument(assignedWord(each), scope) : null;
    reportVariable(scope.walk.report, name, value && textOf(value));
  }
}

/** Declares a variable; without a value, it is unset. */
function declareVariable(name: string, value: Value | null, isFixed: boolean, scope: Scope): void {
  const variable = { value: value ?? text(''), isExported: false, ...(isFixed && { isFixed }) };
  const set = withVariable(scope.state, name, variable);
  scope.state = value === null ? withoutVariable(set, name) : set;
}

function declareArray(name: string, isKeyed: boolean, scope: Scope): void {
  const { arrays, locals } = scope.state;
  const isNew = isUnset(name, scope.state);
  const isSame = arrays?.get(name) && hasKeys(name, scope.state) === isKeyed && locals === undefined;
  if (!isNew && !isSame) throw new Outside('this declared array is not described', name);
  if (!isNew) return;
  scope.state = withArray(scope.state, name, []);
  if (isKeyed) scope.state = withArray(scope.state, keysName(name), []);
}

export function isAssignment(each: WrittenWord | Assignment): each is Assignment {
  return 'type' in each && each.type === 'Assignment';
}
