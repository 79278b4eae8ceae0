import { reportVariable, setVariable } from '../assign.js';
import type { Here, HowRun } from '../here.js';
import { plainVariable, unknownNumber, unknownValue, type Value } from '../variable.js';
import { textOf, type Word, word } from '../word.js';
import { isListed } from '../words/listed.js';
import { valueNamed } from '../words/lookup.js';
import { type Builtin, nameOf, nothing, readOptions, unknownOutput } from './builtin.js';

/** `declare`, `export` and their like. */
export const declare: Builtin = (words, here, how) => {
  // Outside of a function it is an error.
  if (how.name === 'local' && here.locals === null) return nothing;
  const { options, operands, is_open } = readOptions(words, '', '-+');
  const has = (letter: string) => options.some((option) => option.letter === letter);
  if (is_open) here.walk.report.opaque(how.name, 'which variables it sets is not known');
  // `-n` makes one name stand for another, and the letters change what is assigned.
  if (has('n') && how.name !== 'export') here.state = { ...here.state, has_references: true };
  if (has('f')) return exportFunctions(operands, has('x') || how.name === 'export', here);
  const is_exported = how.name === 'export' ? !has('n') : has('x') ? true : undefined;
  const changes = ['u', 'l', 'c', 'n', 'A', 'a'].some(has);
  const setting = {
    ...(is_exported !== undefined && { is_exported }),
    ...(has('i') && { is_integer: true }),
  };
  for (const operand of operands) {
    const [name, value] = assigned(operand, here, how);
    if (has('n') && how.name !== 'export' && value?.kind === 'text') nameOf(value.word, here);
    if (name === null) continue;
    if (how.name !== 'export' && how.name !== 'readonly' && !has('g')) here.locals?.add(name);
    const isPlain = !changes || (value?.kind === 'list' && !has('A'));
    if (value !== null) setVariable(name, isPlain ? value : unknownValue, here, setting);
    else if (is_exported !== undefined) mark(name, is_exported, here);
    else if (how.name !== 'readonly' && !has('p')) setVariable(name, unknownValue, here, setting);
  }
  return operands.length === 0 || has('p') ? unknownOutput : nothing;
};

/** The name, and what it is set to; null where it is only named. */
function assigned(
  operand: Word,
  here: Here,
  { declared = [] }: HowRun,
): readonly [string | null, Value | null] {
  const [start] = operand.parts;
  const [whole, name = ''] = (typeof start === 'string' ? /^([A-Za-z_]\w*)=/.exec(start) : null) ?? [''];
  if (whole === '') {
    const subscript = typeof start === 'string' ? /^([^=]*\])\+?=/.exec(start)?.[1] : undefined;
    const named = nameOf(subscript === undefined ? appendable(operand) : word(subscript), here);
    return [named, textOf(operand) === named ? null : unknownValue];
  }
  const own = declared.find((each) => each.name === name);
  if (own !== undefined) return [name, own.value];
  const parts = [(start as string).slice(whole.length), ...operand.parts.slice(1)].filter(
    (part) => part !== '',
  );
  return [name, { kind: 'text', word: { parts } }];
}

function appendable(operand: Word): Word {
  const [start, ...rest] = operand.parts;
  return typeof start === 'string' && /^[A-Za-z_]\w*\+=/.test(start)
    ? word(start.slice(0, start.indexOf('+')))
    : { parts: start === undefined ? [] : [start, ...rest] };
}

function mark(name: string, is_exported: boolean, here: Here): void {
  const value = valueNamed(name, here);
  const variables = new Map(here.state.variables);
  variables.set(name, { ...(variables.get(name) ?? plainVariable(value)), is_exported });
  here.state = { ...here.state, variables };
  if (is_exported) reportVariable(name, value.kind === 'text' ? value.word : null, { here, program: null });
}

function exportFunctions(operands: readonly Word[], isExported: boolean, here: Here) {
  const functions = new Map(here.state.functions);
  for (const operand of operands) {
    const meaning = functions.get(textOf(operand) ?? '');
    if (meaning !== undefined && isExported)
      functions.set(textOf(operand) ?? '', { ...meaning, is_exported: true });
  }
  here.state = { ...here.state, functions };
  return unknownOutput;
}

export const unset: Builtin = (words, here) => {
  const { options, operands } = readOptions(words, '');
  const isFunction = options.some(({ letter }) => letter === 'f');
  const variables = new Map(here.state.variables);
  const functions = new Map(here.state.functions);
  for (const operand of operands) {
    const name = nameOf(operand, here);
    if (name === null) {
      here.state = { ...here.state, is_lost: true };
      continue;
    }
    if (!isFunction) variables.set(name, plainVariable({ kind: 'unset' }));
    const meaning = functions.get(name);
    if (meaning !== undefined) functions.set(name, { ...meaning, is_certain: false });
    if (name === 'PATH') here.state = { ...here.state, is_search_path_fixed: false };
  }
  here.state = { ...here.state, variables, functions };
  return nothing;
};

/** `read`: what it reads is not known, but for names of files that a program lists. */
export const read: Builtin = (words, here) => {
  const { options, operands } = readOptions(words, 'adinNptu');
  const names = [
    ...operands,
    ...options.filter(({ letter }) => letter === 'a').map(({ value }) => value ?? word('')),
  ];
  const listed = names.length <= 1 && isByLine(options) ? listedOf(here) : null;
  for (const named of names.length === 0 ? [word('REPLY')] : names) {
    const name = nameOf(named, here);
    if (name === null) here.state = { ...here.state, is_lost: true };
    else setVariable(name, listed === null ? unknownValue : { kind: 'text', word: listed }, here);
  }
  // What is left of a list is a list.
  if (listed === null) here.input.text = null;
  return nothing;
};

/** Whether a line is read as it is. */
function isByLine(options: ReturnType<typeof readOptions>['options']): boolean {
  const isRaw = options.some(({ letter }) => letter === 'r');
  return isRaw && options.every(({ letter, value }) => letter === 'r' || (letter === 'd' && isEmpty(value)));
}

function isEmpty(value: Word | null): boolean {
  return value !== null && textOf(value) === '';
}

function listedOf(here: Here): Word | null {
  const { text } = here.input;
  if (text === null || !isListed(text, here)) return null;
  return { parts: text.parts.filter((part) => part !== '\n') };
}

export const mapfile: Builtin = (words, here) => {
  const { options, operands } = readOptions(words, 'CcdnOsu');
  for (const { letter, value } of options)
    if (letter === 'C' && value !== null) {
      const text = textOf(value);
      if (text === null) here.walk.report.opaque('mapfile -C', 'what it runs is not known');
      else here.walk.text(`${text} 0 ''`, here);
    }
  const name = nameOf(operands[0] ?? word('MAPFILE'), here);
  if (name !== null) setVariable(name, unknownValue, here);
  here.input.text = null;
  return unknownOutput;
};

export const getopts: Builtin = ([, named], here) => {
  const name = named === undefined ? null : nameOf(named, here);
  if (name !== null) setVariable(name, unknownValue, here);
  setVariable('OPTARG', unknownValue, here);
  setVariable('OPTIND', unknownNumber, here);
  return nothing;
};

/** `wait -p`: names a variable. */
export const wait: Builtin = (words, here) => {
  const { options } = readOptions(words, 'p');
  for (const { value } of options) {
    const name = value === null ? null : nameOf(value, here);
    if (name !== null) setVariable(name, unknownNumber, here);
  }
  return unknownOutput;
};

/** `let`: each word is an expression. */
export const letExpression: Builtin = (words, here) => {
  for (const each of words) here.walk.arithmeticOf(each, here);
  return nothing;
};
