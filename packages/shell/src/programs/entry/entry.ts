import { matchesWildcards, nearest } from '@ambit/core';
import { type Role, role, roleNames } from './role.js';
import type { ProgramSpec } from './spec.js';

/** Flags of all programs, which print something about the program itself. */
export const standardFlags: readonly string[] = ['--help', '--version'];

/** One of these options is given, or none of them, or no other; `none` means without operands, `many` with several. */
export interface Condition {
  readonly names: readonly string[];
  readonly kind: 'if' | 'unless' | 'only';
}

export interface Conditional {
  readonly conditions: readonly Condition[];
}

export interface OperandEntry extends Conditional {
  readonly roles: readonly Role[];
  /** One operand, any number of them, or as many as look like `NAME=value`. */
  readonly many: 'one' | 'rest' | 'assignments';
  /** The default if there is no such operand; null for nothing. */
  readonly otherwise: string | null;
}

/** Further effects of a program, with conditions. */
export interface Statement extends Conditional {
  readonly roles: readonly Role[];
  /** Null if the text is unknown. */
  readonly text: string | null;
}

export interface OptionEntry {
  readonly names: readonly string[];
  /** One list of roles for each word of the option. */
  readonly values: readonly (readonly Role[])[];
  /** Whether its value must be glued to it. */
  readonly isOptional: boolean;
  /** Whether its values are all words up to the next option. */
  readonly isList?: true;
}

export interface Print extends Conditional {
  readonly what: string;
  /** Options whose values say what: those of `fields {-d} {-f}`. */
  readonly options: readonly string[];
}

export interface KeyEntry {
  readonly matches: (key: string) => boolean;
  readonly roles: readonly Role[];
}

/** Throws if the text does not follow `ProgramSpec`. */
export function operandEntry(text: string): OperandEntry {
  const { subject, conditions } = conditional(text);
  const [, marks = '', written = '', otherwise = null] =
    /^(\.\.\.|\*)?([^=]*)(?:=(.*))?$/s.exec(subject) ?? [];
  const many = marks === '...' ? 'rest' : marks === '*' ? 'assignments' : 'one';
  return { many, roles: roles(written), conditions, otherwise };
}

export function statement(text: string): Statement {
  const { subject, conditions } = conditional(text);
  const space = subject.startsWith('opaque:') ? -1 : subject.indexOf(' ');
  if (space === -1) return { roles: roles(subject), text: null, conditions };
  const written = subject.slice(space + 1);
  return { roles: roles(subject.slice(0, space)), text: written === '?' ? null : written, conditions };
}

function optionEntry(names: string, text: string): OptionEntry {
  const isOptional = text.startsWith('?');
  const isList = text.startsWith('...');
  const values = text
    .replace(/^(?:\?|\.\.\.)/, '')
    .split(', ')
    .map(roles);
  return { names: names.split(' '), values, isOptional, ...(isList && { isList }) };
}

/** A flag, `-v`, or one that may have a value glued to it, `--color?`. */
export function flagEntry(text: string): OptionEntry {
  const isOptional = text.length > 2 && text.endsWith('?');
  return {
    names: [isOptional ? text.slice(0, -1) : text],
    values: isOptional ? [[{ kind: 'value' }]] : [],
    isOptional,
  };
}

function print(text: string): Print {
  const { subject, conditions } = conditional(text);
  const [name = '', ...options] = subject.split(' ').map((part) => part.replace(/^\{(.+)\}$/, '$1'));
  const count = name === 'fields' ? 2 : /^(?:format|columns|characters)$/.test(name) ? 1 : 0;
  if (!outputKinds.has(name) || options.length !== count)
    throw new Error(`\`${subject}\` is nothing that a program prints`);
  return { what: name, options, conditions };
}

const outputKinds = new Set(
  (
    'nothing number word time names content command beginning all input end edited translated fields format numbered ' +
    'common counts counted columns characters located sums sequence unknown'
  ).split(' '),
);

/** Several roles are joined by `+`. */
function roles(text: string): readonly Role[] {
  const parts = text.startsWith('opaque:') ? [text] : text.split('+');
  return parts.map((part) => {
    const found = known.get(part) ?? role(part);
    const near = found === null ? nearest(part, roleNames) : null;
    const help = near === null ? '' : `; did you mean \`${near}\`?`;
    if (found === null) throw new Error(`\`${part}\` is not a role of a word${help}`);
    known.set(part, found);
    return found;
  });
}

/** Equal texts give the same role object, so a set holds it once. */
const known = new Map<string, Role>();

function conditional(text: string): { subject: string; conditions: readonly Condition[] } {
  const [subject = '', ...rest] = text.split(/ (?=(?:if|unless|only) )/);
  const conditions = rest.map((clause): Condition => {
    const [word, ...names] = clause.split(' ');
    return { names, kind: word === 'if' || word === 'only' ? word : 'unless' };
  });
  return { subject, conditions };
}

/** Several names of a subcommand are joined by `|`. */
export function commandNames(key: string): readonly string[] {
  return key.split('|');
}

/** All options of an entry, without inherited ones. */
export function optionsOf({ flags, values, options }: ProgramSpec): readonly OptionEntry[] {
  return [
    ...(flags?.split(' ') ?? []).map(flagEntry),
    ...(values?.split(' ') ?? []).map((name) => optionEntry(name, 'value')),
    ...Object.entries(options ?? {}).map(([names, text]) => optionEntry(names, text)),
  ];
}

export function printsOf({ prints = [] }: ProgramSpec): readonly Print[] {
  return (typeof prints === 'string' ? [prints] : prints).map(print);
}

export function keysOf({ keys = {} }: ProgramSpec): readonly KeyEntry[] {
  return Object.entries(keys).map(([name, text]) => ({
    matches: (key: string) => matchesWildcards(name.toLowerCase(), key.toLowerCase()),
    roles: roles(text),
  }));
}
