import type { Word as Node, ParameterExpansionPart } from 'unbash';
import { asMany } from '../../alternatives.js';
import type { Elements } from '../../state/arrays.js';
import { Outside } from '../../state/outside.js';
import type { Scope } from '../../state/scope.js';
import { keysName, type State, type Value } from '../../state/state.js';
import { elementAt, valueNamed } from '../../state/variables.js';
import { isAnyNumber, isMany, isOpen, mayMove, text, textOf, textsIn, unknown } from '../../word.js';
import type { Expansion, WrittenWord } from './atoms.js';
import { changeBy, changeValue, isOfEach } from './change.js';
import { type Piece, piecesOf } from './pieces.js';

/** All words of `$@`, `$*`, `${name[@]}`, `${!name[*]}` and `${name[@]%.txt}`; null for any other expansion. */
export function allWords(part: Expansion, scope: Scope, evaluate: Evaluate): Elements | null {
  if (part.type !== 'ParameterExpansion' || part.prefix !== undefined || scope.isPosix)
    return wordsIn(part, scope);
  const { operation } = part;
  if (operation === undefined || !isOfEach(operation)) return wordsIn(part, scope);
  const words = wordsIn({ ...part, operation: undefined }, scope);
  if (words === null) return null;
  const change = changeBy(operation, part, (node) => evaluate(node, scope));
  return words.map((word) =>
    isMany(word) ? unknown(part.text, { count: 'many' }) : changeValue(word, part.text, change),
  );
}

function wordsIn(part: Expansion, { state, isPosix }: Scope): Elements | null {
  if (part.type === 'SimpleExpansion') return /^\$[@*]$/.test(part.text) ? parametersOf(state) : null;
  if (part.type !== 'ParameterExpansion') return null;
  const { parameter, index, prefix, operation } = part;
  if (index === undefined) {
    if (!/^[@*]$/.test(parameter) || prefix !== undefined) return null;
    const words = parametersOf(state);
    return operation === undefined || words === null ? words : slice([unknown('$0'), ...words], part);
  }
  if (isPosix || !/^[@*]$/.test(index.text) || prefix === '#') return null;
  if (parameter === 'PIPESTATUS' && prefix === undefined)
    return [unknown(part.text, { isNumber: true, count: 'many' })];
  const elements = state.arrays?.get(parameter) ?? null;
  if (elements === null) return null;
  if (prefix === undefined) return operation === undefined ? elements : slice(elements, part);
  return operation === undefined ? keysOf(parameter, elements, state) : null;
}

function parametersOf({ parameters, hasParameters, inherits }: State): Elements | null {
  if (parameters !== undefined) return parameters.slice(1);
  return hasParameters === true || inherits === true ? null : [];
}

function keysOf(name: string, elements: Elements, { arrays }: State): Elements | null {
  const keys = arrays?.get(keysName(name));
  if (keys !== undefined) return keys;
  return elements.some(isMany)
    ? [unknown(`\${!${name}[@]}`, { isNumber: true, count: 'many' })]
    : elements.map((_, index) => text(String(index)));
}

/** A number that begins with 0 is of base eight. */
const isPlace = /^(?:0|[1-9]\d{0,2})$/;

/** `${name[@]:1:2}`, where each element is one word. */
function slice(elements: Elements, { operation }: ParameterExpansionPart): Elements | null {
  const [from, count] =
    operation?.type === 'Slice' ? [operation.offset.text, operation.length?.text ?? '999'] : ['', ''];
  if (!isPlace.test(from.replace(/^ -(?!0)|^ /, '')) || !isPlace.test(count)) return null;
  const hasMany = elements.some(mayMove);
  // Some of them, or all.
  if (hasMany && elements.length === 1) return elements;
  if (hasMany) return null;
  const start = Number(from) < 0 ? elements.length + Number(from) : Number(from);
  return start < 0 ? [] : elements.slice(start, start + Number(count));
}

/** How words are written in an expansion. */
interface Written {
  /** Whether they are joined in quotes, as by `*`. */
  readonly isStar: boolean;
  readonly isQuoted: boolean;
  /** Whether nothing is split, as in an assignment. */
  readonly isJoined: boolean;
}

/** The pieces of all these words beside others. */
export function piecesOfAll(
  words: Elements,
  { isStar, isQuoted, isJoined }: Written,
  written: string,
): readonly Piece[] {
  const [only, ...others] = words;
  const isUnsure = words.some(mayMove);
  if (isJoined || (isStar && isQuoted)) {
    if (only !== undefined && others.length === 0 && !isUnsure) return piecesOf(only, true);
    const texts = words.map(textOf);
    if (isUnsure || texts.includes(null)) return [{ kind: 'gap', gap: unknown(written), isQuoted: true }];
    return [{ kind: 'text', text: texts.join(' '), isQuoted: true }];
  }
  if (isUnsure && isQuoted) throw new Outside('this use of an array is not described', written);
  if (isUnsure) return piecesOf(asMany(words), false);
  return words.flatMap((word, index) => [
    ...(index === 0 ? [] : [{ kind: 'break' } as const]),
    ...piecesOf(word, isQuoted),
  ]);
}

type Evaluate = (node: WrittenWord, scope: Scope) => Value;

/** The value of `${name[index]}`; null for no element. */
export function elementValue(part: ParameterExpansionPart, scope: Scope, evaluate: Evaluate): Value | null {
  const { parameter, index, prefix, text: written } = part;
  const elements = scope.state.arrays?.get(parameter);
  const isStatus = /^(?:PIPESTATUS|BASH_REMATCH)$/.test(parameter) && elements === undefined;
  const isAll = index !== undefined && /^[@*]$/.test(index.text);
  const isOther = scope.isPosix || prefix === '!' || index === undefined;
  if (!isOther && isAll && prefix === '#' && part.operation === undefined)
    return unknown(written, { isNumber: true });
  if (isOther || isAll || (!elements && !isStatus))
    throw new Outside('this use of an array is not described', written);
  const at = indexOf(index, parameter, scope, evaluate);
  if (prefix === '#' || parameter === 'PIPESTATUS') return unknown(written, { isNumber: true });
  if (!elements) return unknown(written);
  return elementAt(at, elements);
}

/** The number of an element; null if it is unknown, or a key. Walks what a key expands. */
export function indexOf(index: Node, name: string, scope: Scope, evaluate: Evaluate): number | null {
  const { arrays } = scope.state;
  if (arrays?.has(keysName(name)) === true) {
    evaluate(index, scope);
    return null;
  }
  if (isPlace.test(index.text.replace(/^-/, ''))) return Number(index.text);
  const elements = arrays?.get(name) ?? [];
  if (index.text === `\${#${name}[@]}`) return elements.some(isMany) ? null : elements.length;
  const variable = /^\$?([A-Za-z]\w*)$|^\$\{([A-Za-z]\w*)\}$/.exec(index.text);
  const value = variable === null ? unknown('') : valueNamed(variable[1] ?? variable[2] ?? '', scope.state);
  // Bash evaluates any other text of the variable, and a subscript in it can run a command.
  const isKnown = value !== null && !isOpen(value) && textsIn(value).every((each) => isPlace.test(each));
  if (!isKnown && !isAnyNumber(value ?? undefined))
    throw new Outside('this index of an array is not described', `${name}[${index.text}]`);
  return isKnown && value.kind === 'text' ? Number(value.text) : null;
}
