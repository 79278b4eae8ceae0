import type { ParameterExpansionPart } from 'unbash';
import type { Here } from '../here.js';
import { numberGap, unknownValue, type Value } from '../variable.js';
import { textOf, type Word, word } from '../word.js';
import { asPieces, type Piece } from './fields.js';
import { valueNamed } from './lookup.js';
import { operated } from './operate.js';

export interface Parameter {
  readonly name: string;
  /** With braces around it. */
  readonly part: ParameterExpansionPart | null;
  readonly text: string;
}

/** What `$name` or `${name…}` stands for. */
export function piecesOfParameter(parameter: Parameter, isQuoted: boolean, here: Here): readonly Piece[] {
  const { name, part, text } = parameter;
  if (part?.index !== undefined && !isWhole(part.index.text)) evaluateIndex(part, here);
  const isList = name === '@' || name === '*' || isWhole(part?.index?.text ?? '');
  const joins = name === '*' || part?.index?.text === '*';
  if (isList && part?.prefix === undefined && part?.operation === undefined) {
    const words = listOf(name, here);
    // They are joined by what `IFS` begins with.
    const isJoined = joins && isQuoted && (here.state.variables.has('IFS') || here.state.is_lost);
    if (words === null || isJoined) return [{ gap: { kind: 'words', text }, is_quoted: isQuoted && joins }];
    return words.flatMap((each, index): readonly Piece[] => [
      ...(index > 0 ? [isQuoted && joins ? space : ('break' as const)] : []),
      ...asPieces(each, isQuoted, here),
    ]);
  }
  const value = read(parameter, isList, here);
  if (value.kind === 'unset') return isQuoted ? [{ text: '', is_quoted: true }] : [];
  if (value.kind === 'text') return asPieces(value.word, isQuoted, here);
  if (value.kind === 'unknown' && value.is_number) return [{ gap: numberGap(text), is_quoted: isQuoted }];
  return [{ gap: { kind: isQuoted && !isList ? 'text' : 'words', text }, is_quoted: isQuoted }];
}

const space: Piece = { text: ' ', is_quoted: true };

function isWhole(index: string): boolean {
  return index === '@' || index === '*';
}

function evaluateIndex(part: ParameterExpansionPart, here: Here): void {
  if (part.index !== undefined) here.walk.arithmeticOf(here.walk.word(part.index, here), here);
}

function listOf(name: string, here: Here): readonly Word[] | null {
  if (name === '@' || name === '*') return here.state.parameters;
  const value = valueNamed(name, here);
  if (value.kind === 'list') return value.words;
  return value.kind === 'text' ? [value.word] : null;
}

function read({ name, part, text }: Parameter, isList: boolean, here: Here): Value {
  const plain = element(valueNamed(name, here), part);
  if (part === null) return plain;
  const { prefix, operation } = part;
  if (operation !== undefined && operation.type === 'Unknown')
    here.walk.report.opaque(text, 'the expansion is not known');
  if (prefix === '!' && !isList && operation?.type !== 'Names') return indirect(plain, part, here);
  if (prefix === '#') return lengthOf(plain, isList);
  if (isList || prefix === '!') {
    operated({ kind: 'unknown', is_number: false }, part, here);
    return unknownValue;
  }
  return operation === undefined ? plain : operated(plain, part, here);
}

function element(value: Value, part: ParameterExpansionPart | null): Value {
  const index = part?.index?.text;
  if (value.kind === 'list') {
    const found = value.words[index === undefined ? 0 : /^\d{1,6}$/.test(index) ? Number(index) : -1];
    return found === undefined ? unknownValue : { kind: 'text', word: found };
  }
  return index === undefined || index === '0' ? value : unknownValue;
}

function lengthOf(value: Value, isList: boolean): Value {
  const text = value.kind === 'text' && !isList ? textOf(value.word) : null;
  if (text === null) return { kind: 'unknown', is_number: true };
  return { kind: 'text', word: word(String([...text].length)) };
}

/** The value is the name of another variable, or an expression in brackets behind one. */
function indirect(value: Value, part: ParameterExpansionPart, here: Here): Value {
  const name = value.kind === 'text' ? textOf(value.word) : null;
  if (name !== null && /^[A-Za-z_]\w*$/.test(name)) {
    const target = valueNamed(name, here);
    return part.operation === undefined ? target : operated(target, part, here);
  }
  const subscript = name === null ? null : /^[A-Za-z_]\w*\[([\s\S]*)\]$/.exec(name)?.[1];
  if (typeof subscript === 'string') here.walk.arithmeticOf(word(subscript), here);
  else if (name === null) here.walk.report.opaque(part.text, 'the name of the variable is not known');
  if (part.operation !== undefined) operated(unknownValue, part, here);
  return unknownValue;
}
