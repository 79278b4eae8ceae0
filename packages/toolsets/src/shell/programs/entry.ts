import { type Role, role } from './role.js';

/** One of these options is given, or none is; `none` stands for "no operand is given", `many` for more than one. */
export interface Condition {
  readonly names: readonly string[];
  readonly isPresent: boolean;
}

/** What a word is, and when. */
export interface Entry {
  readonly roles: readonly Role[];
  readonly conditions: readonly Condition[];
}

export interface OperandEntry extends Entry {
  /** One operand, any number of them, or as many as look like `NAME=value`. */
  readonly many: 'one' | 'rest' | 'assignments';
  /** What is meant where there is no such operand; null for nothing. */
  readonly otherwise: string | null;
}

export interface Statement extends Entry {
  /** Null where the text is not known. */
  readonly text: string | null;
}

export interface OptionEntry {
  readonly names: readonly string[];
  /** One for each word that belongs to it, each with its roles. */
  readonly values: readonly (readonly Role[])[];
  /** Whether it has a value only when that is glued to it. */
  readonly isOptional: boolean;
}

/** Throws where the text is not written as `ProgramSpec` says. */
export function operandEntry(text: string): OperandEntry {
  const { subject, conditions } = conditional(text);
  const [, marks = '', written = '', otherwise = null] =
    /^(\.\.\.|\*)?([^=]*)(?:=(.*))?$/s.exec(subject) ?? [];
  const many = marks === '...' ? 'rest' : marks === '*' ? 'assignments' : 'one';
  return { many, roles: roles(written), conditions, otherwise };
}

export function statement(text: string): Statement {
  const { subject, conditions } = conditional(text);
  if (subject.startsWith('opaque:')) return { roles: roles(subject), text: null, conditions };
  const space = subject.indexOf(' ');
  if (space === -1) return { roles: roles(subject), text: null, conditions };
  const written = subject.slice(space + 1);
  return { roles: roles(subject.slice(0, space)), text: written === '?' ? null : written, conditions };
}

export function optionEntry(names: string, text: string): OptionEntry {
  const isOptional = text.startsWith('?');
  const values = (isOptional ? text.slice(1) : text).split(', ').map(roles);
  return { names: names.split(' '), values, isOptional };
}

/** A flag, `-v`, or one that may have a value glued to it, `--color?`. */
export function flagEntry(text: string): OptionEntry {
  const isOptional = text.length > 2 && text.endsWith('?');
  return { names: [isOptional ? text.slice(0, -1) : text], values: isOptional ? [[value]] : [], isOptional };
}

const value: Role = { kind: 'value' };

function roles(text: string): readonly Role[] {
  if (text.startsWith('opaque:')) return [known(text)];
  return text.split('+').map(known);
}

function known(text: string): Role {
  const found = role(text);
  if (found === null) throw new Error(`\`${text}\` is not what a word can be`);
  return found;
}

function conditional(text: string): { subject: string; conditions: readonly Condition[] } {
  const [subject = '', ...rest] = text.split(/ (?=(?:if|unless) )/);
  const conditions = rest.map((clause) => {
    const [word, ...names] = clause.split(' ');
    return { names, isPresent: word === 'if' };
  });
  return { subject, conditions };
}
