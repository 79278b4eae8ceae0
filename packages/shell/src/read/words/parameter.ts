import { orNull } from '@ambit/core';
import { type ParameterExpansionPart, parse, type SimpleExpansionPart } from 'unbash';
import { oneOf } from '../../alternatives.js';
import { isPrivate } from '../../run/environment.js';
import { Outside } from '../../state/outside.js';
import { mayEndLine, type Scope } from '../../state/scope.js';
import { type Value, withVariable } from '../../state/state.js';
import { isAssignable, valueNamed } from '../../state/variables.js';
import { isAnyNumber, isMany, isOpen, namesWord, onlyNames, text, textsIn, unknown } from '../../word.js';
import { elementValue } from './array.js';
import type { WrittenWord } from './atoms.js';
import { type Change, changeBy, changeValue, type Operation } from './change.js';
import { isWide } from './pattern.js';

type Evaluate = (node: WrittenWord, scope: Scope) => Value;

/** The value of `$name` or `${name…}`; null for no word at all (`$@` without parameters). */
export function parameterValue(
  part: SimpleExpansionPart | ParameterExpansionPart,
  scope: Scope,
  evaluate: Evaluate,
): Value | null {
  if (part.type === 'SimpleExpansion') return plainParameter(part.text.slice(1), scope);
  const { parameter, prefix, index, operation, text: written } = part;
  if (index === undefined && prefix === '#') return unknown(written, { isNumber: true });
  if (index === undefined && prefix === '!') return namedBy(plainParameter(parameter, scope), part, scope);
  const value = index === undefined ? plainParameter(parameter, scope) : elementValue(part, scope, evaluate);
  if (operation === undefined) return value;
  if (scope.isPosix && !inEveryShell(operation))
    throw new Outside('other shells read this operation differently', written);
  const change = (by: Change | null) => changeValue(value ?? text(''), written, by);
  switch (operation.type) {
    case 'Default':
      if (operation.operand.text.startsWith('~'))
        throw new Outside('a `~` in an expansion is not described', written);
      if (!isPlainOperand(operation.operand) && !isQuotedText(operation))
        throw new Outside('quotes within an expansion are not described', written);
      return valueOrDefault(value, part, { operator: operation.operator, scope }, () =>
        isPlainOperand(operation.operand) ? evaluate(operation.operand, scope) : unknown(written),
      );
    case 'Remove':
    case 'Replace':
    case 'CaseModification':
      return change(changeBy(operation, part, (node) => evaluate(node, scope)));
    case 'Slice':
      // It fails where the end lies before the start.
      if (!isPlace.test(operation.length?.text ?? '0')) mayEndLine(scope);
      return change(
        slice(operation.offset, operation.length, (node) => evaluate(node, { ...scope, source: '' })),
      );
    case 'Transform':
      // Others may run what is in the value.
      if (/^[QULu]$/.test(operation.operand?.text ?? '')) return value === null ? value : unknown(written);
      throw new Outside('this operation on a variable is not described', written);
    case 'Names':
    case 'Unknown':
      throw new Outside('this operation on a variable is not described', written);
  }
}

/** `${!name}`: the value of the variable that `name` names. */
function namedBy(
  name: Value | null,
  { operation, text: written }: ParameterExpansionPart,
  scope: Scope,
): Value | null {
  const text = name?.kind === 'text' && operation === undefined && !scope.isPosix ? name.text : '';
  if (!/^[A-Za-z_]\w*$/.test(text)) throw new Outside('an indirect expansion is not described', written);
  return plainParameter(text, scope);
}

/** Whether POSIX has it. Only the brackets of Bash begin with `^`. */
function inEveryShell(operation: Operation): boolean {
  return (
    operation.type === 'Default' || (operation.type === 'Remove' && !operation.operand.text.includes('['))
  );
}

/** Whether quotes have no meaning in it: splitting and matching depend on the quotes around it. */
function isPlainOperand({ text: written, parts }: WrittenWord): boolean {
  if (parts === undefined) return !/[\\'"]/.test(written);
  return parts.every((part) => {
    if (part.type === 'DoubleQuoted') return /^"[\w./:@%+-]+"$/.test(part.text);
    if (part.type === 'Literal') return !/[\\'"]/.test(part.text);
    return (
      part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion' || part.type.endsWith('Expansion')
    );
  });
}

/** Whether it is plain text in quotes: around it depends whether they are kept, and whether it is split. */
function isQuotedText({ operator, operand }: { readonly operator: string; readonly operand: WrittenWord }) {
  return !operator.endsWith('=') && /^(?:"[\w ./:@%+,=-]*"|'[\w ./:@%+,=-]*')$/.test(operand.text);
}

/** Variables with the address of a service, which often holds a password. */
const withPassword =
  /(?:^|_)(?:(?:DATABASE|DB|POSTGRES|MYSQL|MONGO(?:DB)?|REDIS|AMQP|BROKER)_UR[IL]|DSN|CONNECTION_STRING|WEBHOOK_URL|JWT)$/;

/** Whether a variable of this name may hold a secret. */
export function isSecretName(name: string): boolean {
  return (isPrivate(name) || withPassword.test(name)) && !/^(?:OLD)?PWD$/.test(name);
}

/** A variable of the environment that looks like a secret is read from it, as `printenv` would. */
function plainParameter(name: string, { state, walk, last, isPosix }: Scope): Value | null {
  if (name === '_') return typeof last === 'string' && !isPosix ? text(last) : unknown('$_');
  if (!/^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])$/.test(name))
    throw new Outside('this parameter is not described', `$${name}`);
  // Other shells take these from the environment.
  const isOfBash = isPosix && /^(?:E?UID|SECONDS|EPOCHSECONDS|S?RANDOM|BASHPID|SHLVL)$/.test(name);
  const value = isOfBash ? unknown(`$${name}`) : valueNamed(name, state);
  const isFromOutside = value?.kind === 'unknown' && !state.variables.has(name);
  if (isFromOutside && isSecretName(name)) walk.report.add({ name: 'env.read', variable: name });
  return value;
}

function valueOrDefault(
  value: Value | null,
  part: ParameterExpansionPart,
  { operator, scope }: { readonly operator: string; readonly scope: Scope },
  operand: () => Value,
): Value {
  const { parameter, index, text: written } = part;
  if (operator.endsWith('=')) {
    if (
      index !== undefined ||
      !isAssignable(parameter) ||
      scope.state.variables.get(parameter)?.isExported === true
    )
      throw new Outside('an assignment in an expansion is not described', written);
    const set = valueOrDefault(value, part, { operator: operator.replace('=', '-'), scope }, operand);
    scope.state = withVariable(scope.state, parameter, { value: set, isExported: false });
    return set;
  }
  const isUnset = value === null || (operator.startsWith(':') && value.kind === 'text' && value.text === '');
  const isSet = value !== null && value.kind === 'text' && (!operator.startsWith(':') || value.text !== '');
  // The operand is walked in both cases, because a command in it may run.
  const other = operand();
  if (operator.endsWith('+') && !isUnset && !isSet)
    return isOpen(other) || isMany(other) ? unknown(written) : oneOf([other, text('')]);
  if (operator.endsWith('+')) return isUnset ? text('') : other;
  if (isSet) return value;
  const areOne = [value, other].every((each) => each?.kind === 'text' || each?.count === 'one');
  const isDefault = value !== null && /^:?-$/.test(operator);
  // It may hold several lines.
  if (isDefault && isAnyNumber(value) && isMany(value) && isDigits(other)) return { ...value, written };
  if (isDefault && areOne && (isAnyNumber(value) || !isOpen(value))) {
    const texts = textsIn(value).filter((each) => operator === '-' || each !== '');
    return oneOf([isOpen(value) ? value : namesWord(onlyNames(texts)), other]);
  }
  return isUnset && !operator.endsWith('?') ? other : unknown(written);
}

const isDigits = (value: Value) => value.kind === 'text' && /^(?:0|[1-9]\d{0,8})$/.test(value.text);

/** The part that begins at an offset. Evaluates numbers that are not written out, which makes the part unknown. */
function slice(
  offset: WrittenWord,
  length: WrittenWord | undefined,
  evaluate: (node: WrittenWord) => Value,
): Change | null {
  const numbers = [offset, ...(length === undefined ? [] : [length])].map((each) => each.text.trim());
  const others = numbers.filter((each) => !isPlace.test(each.replace(/^-/, '')));
  for (const each of others) evaluate(arithmeticOf(each));
  if (others.length > 0) return null;
  const [given = 0, count] = numbers.map(Number);
  return (value) => {
    if (isWide(value)) return null;
    const from = given < 0 ? value.length + given : given;
    const end = count === undefined ? value.length : count < 0 ? value.length + count : from + count;
    return from < 0 ? '' : value.slice(from, end);
  };
}

const isPlace = /^(?:0|[1-9]\d{0,5})$/;

/** The word `$((…))` with this expression, which assigns nothing. */
function arithmeticOf(expression: string): WrittenWord {
  const written = `$((${expression}))`;
  const isQuiet = !/^-?\d+$|[`;&|<>='"\\]|\+\+|--|\$\((?!\()/.test(expression);
  const [only, ...others] = (isQuiet && orNull(() => parse(`: ${written}`))?.commands) || [];
  const [word] = only?.command.type === 'Command' && others.length === 0 ? only.command.suffix : [];
  if (word === undefined || !('text' in word) || word.text !== written)
    throw new Outside('an expression in an expansion is not described', expression);
  return word;
}
