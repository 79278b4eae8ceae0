import type { Assignment } from 'unbash';
import { nameOf } from './builtins/builtin.js';
import { type Here, subshell } from './here.js';
import { plainVariable, unknownValue, type Value, type Variable } from './variable.js';
import { startOf, textOf, type Word, word } from './word.js';
import { compact } from './words/fields.js';
import { valueNamed } from './words/lookup.js';

/** The most variables that are kept apart. */
const mostVariables = 500;

export interface Setting {
  readonly is_exported?: boolean;
  readonly is_integer?: boolean;
}

/** The value that an assignment gives. Runs what is substituted in it, and in what it is an element of. */
export function assignedValue(
  assignment: Assignment,
  here: Here,
): { readonly name: string; readonly value: Value } {
  const { name, append, index, value } = assignment;
  if (value.type !== 'ArrayValue' && value.text.startsWith('(')) runList(value.text, here);
  const given: Value =
    value.type === 'ArrayValue'
      ? listValue(value.elements, here)
      : { kind: 'text', word: here.walk.word(value, here) };
  // By itself, before it is added to what was there.
  if (here.state.variables.get(name)?.is_integer === true) evaluateAll(given, name, here);
  if (index !== undefined) {
    here.walk.arithmeticOf(here.walk.word(index, here), here);
    return { name, value: unknownValue };
  }
  return { name, value: append === true ? appended(valueNamed(name, here), given) : given };
}

/** A list with more behind it, `a=($(…))b`, is text to the parser, and the shell expands it. */
function runList(text: string, here: Here): void {
  here.walk.report.opaque(text, 'a list with more behind it');
  const inner = text.slice(1, text.lastIndexOf(')'));
  here.walk.text(inner, subshell(here, { depth: here.depth + 1 }));
}

function listValue(elements: readonly { readonly text: string }[], here: Here): Value {
  // `[index]=value` is evaluated, and leaves gaps.
  const isPlain = elements.every(({ text }) => !text.startsWith('['));
  const words = elements.flatMap((element) => here.walk.words(element, here));
  if (!isPlain) {
    for (const each of elements) {
      const index = /^\[([\s\S]*)\]\+?=/.exec(each.text)?.[1];
      if (index !== undefined) here.walk.arithmeticOf(word(index), here);
    }
    return unknownValue;
  }
  const isKnown = words.every(({ parts }) =>
    parts.every((part) => typeof part === 'string' || part.kind === 'text'),
  );
  return isKnown ? { kind: 'list', words } : unknownValue;
}

function appended(old: Value, more: Value): Value {
  if (old.kind === 'list' && more.kind === 'list')
    return { kind: 'list', words: [...old.words, ...more.words] };
  if (old.kind === 'text' && more.kind === 'text')
    return { kind: 'text', word: compact([...old.word.parts, ...more.word.parts]) };
  return old.kind === 'unset' ? more : unknownValue;
}

/** Gives a variable a value, and reports it where programs that follow see it. */
export function setVariable(name: string, value: Value, here: Here, setting: Setting = {}): void {
  const { state, walk } = here;
  const old: Variable = state.variables.get(name) ?? plainVariable(value);
  const is_integer = setting.is_integer ?? old.is_integer;
  if (is_integer) evaluateAll(value, name, here);
  if (state.has_references && value.kind === 'text' && startOf(value.word).includes('['))
    nameOf(value.word, here);
  const is_exported =
    setting.is_exported ?? (old.is_exported || state.modes.exports_all || exportedAtFirst(name, here));
  if (state.variables.size > mostVariables && !state.variables.has(name)) {
    walk.report.opaque('', 'there are too many variables to follow');
    here.state = { ...here.state, variables: new Map(), is_lost: true };
    return;
  }
  const variables = new Map(here.state.variables);
  const kept: Value = is_integer ? { kind: 'unknown', is_number: true } : isBig(value) ? unknownValue : value;
  variables.set(name, { value: kept, is_exported, is_integer });
  if (/^PS[0-4]$|^PROMPT_COMMAND$/.test(name)) readAsPrompt(value, name, here);
  if (name === 'BASH_ALIASES') walk.report.opaque(name, 'aliases may stand for anything');
  if (name === 'BASH_CMDS') walk.report.opaque(name, 'it says which programs names stand for');
  const touchesPath = name === 'PATH' || name === 'BASH_CMDS';
  here.state = {
    ...here.state,
    variables,
    ...(touchesPath && { is_search_path_fixed: false }),
  };
  if (is_exported) reportVariable(name, value.kind === 'text' ? value.word : null, { here, program: null });
}

/** What is given to a number is evaluated. */
function evaluateAll(value: Value, name: string, here: Here): void {
  const words = value.kind === 'text' ? [value.word] : value.kind === 'list' ? value.words : [];
  for (const each of words) here.walk.arithmeticOf(each, here);
  if (value.kind === 'unknown' && !value.is_number)
    here.walk.report.opaque(name, 'text that is not known is evaluated as an expression');
}

/** Whether it takes too long to follow: a value that grows with each assignment. */
function isBig(value: Value): boolean {
  const words = value.kind === 'text' ? [value.word] : value.kind === 'list' ? value.words : [];
  const size = words.reduce(
    (sum, { parts }) =>
      sum + parts.reduce((all, part) => all + (typeof part === 'string' ? part.length : 1), 1),
    0,
  );
  return size > mostValue;
}

/** The most characters of a value that is followed. */
const mostValue = 20_000;

/** In what the shell shows before it reads or traces a command, commands run. */
function readAsPrompt(value: Value, name: string, here: Here): void {
  const text = value.kind === 'text' ? textOf(value.word) : null;
  if (text !== null && !/[$`]/.test(text)) return;
  if (text !== null) here.walk.text(`: "${text.replaceAll('"', '\\"')}"`, { ...here, depth: here.depth + 1 });
  here.walk.report.opaque(name, 'the value is read as a prompt, in which commands run');
}

function exportedAtFirst(name: string, { state }: Here): boolean {
  return !state.variables.has(name) && ['PATH', 'HOME', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name);
}

/** A variable that a later program sees, and what that makes it do. */
export function reportVariable(
  name: string,
  value: Word | null,
  { here, program }: { readonly here: Here; readonly program: string | null },
): void {
  const { report } = here.walk;
  const text = value === null ? null : textOf(value);
  report.add({
    name: 'env.set',
    variable: name,
    ...(text !== null && text.length < 4_000 && { value: text }),
  });
  here.walk.variable(name, value, program, here);
}
