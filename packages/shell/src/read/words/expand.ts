import { readFileSync } from 'node:fs';
import { orNull } from '@ambit/core';
import type { CommandExpansionPart, Script } from 'unbash';
import { withFinalLineFeed } from '../../columns.js';
import { numberOutput, numberWord } from '../../number.js';
import { Outside } from '../../state/outside.js';
import { type Scope, subshell } from '../../state/scope.js';
import type { Value } from '../../state/state.js';
import { splitsLines, valueNamed } from '../../state/variables.js';
import {
  isAnyNumber,
  isMany,
  type NamesWord,
  namesWord,
  type Output,
  plainWord,
  text,
  unknown,
  type Word,
  wholeNames,
  writtenAs,
} from '../../word.js';
import { requirePlain } from './arithmetic.js';
import { allWords, piecesOfAll } from './array.js';
import { type Atom, atomsOf, atomsOfText, type Expansion, isBare, type WrittenWord } from './atoms.js';
import { areBraces, expandBraces, textOf as writtenIn } from './brace.js';
import { fileNames } from './glob.js';
import { parameterValue } from './parameter.js';
import { fieldsOf, type Piece, piecesOf, wordOf } from './pieces.js';

/** The words after expansion. Walks the substitutions in all of them, and then looks which files patterns match, as the shell does. */
export function wordsOf(nodes: readonly WrittenWord[], scope: Scope): readonly Word[] {
  const found = nodes.map((node) => expandWord(node, scope));
  return found.flatMap((each) => each());
}

/** Walks the substitutions of a word; call the result for the words, once those of all others are walked. */
export function expandWord(node: WrittenWord, scope: Scope): () => readonly Word[] {
  scope.walk.report.spend(1);
  requireShared(node, scope);
  if (isPlain(node)) return () => [text(node.text)];
  const elements = elementsIn(node, scope);
  if (elements !== null) return () => elements;
  const atoms = atomsOf(node);
  const words = isBare('{', atoms) ? bracesOf(node, atoms, scope) : [atoms];
  const found = words.map((word) => pieces(withHome(word, scope, false), scope, false));
  if (words.some(endsInDollar) && found.flat().some(mayBreak))
    throw new Outside('a `$` behind an expansion is not described', node.text);
  const fields = found.flatMap(fieldsOf);
  return () => fields.flatMap((field) => fileNames(field, scope));
}

/** Whether a plain `$` follows an expansion. Bash splits `$x`, but not `$x$`. */
function endsInDollar(atoms: readonly Atom[]): boolean {
  const first = atoms.findIndex(({ kind, isQuoted }) => kind === 'part' && !isQuoted);
  return first !== -1 && isBare('$', atoms.slice(first));
}

function mayBreak(piece: Piece): boolean {
  return piece.kind === 'break' || (piece.kind === 'gap' && !piece.isQuoted);
}

/** The words of `"$@"` and `"${name[@]}"`; null for any other word. */
function elementsIn({ parts }: WrittenWord, scope: Scope): readonly Word[] | null {
  const [quoted, ...more] = parts ?? [];
  if (quoted?.type !== 'DoubleQuoted' || more.length > 0) return null;
  const [part, ...others] = quoted.parts;
  const isOne = part !== undefined && part.type !== 'Literal' && others.length === 0;
  return isOne && !isStar(part) ? allWords(part, scope, valueOfWord) : null;
}

function isStar(part: Expansion): boolean {
  return (
    part.text === '$*' || (part.type === 'ParameterExpansion' && (part.index?.text ?? part.parameter) === '*')
  );
}

/** The value of a word that is not split: in assignments, in here-strings, and in `case`. */
export function valueOfWord(node: WrittenWord, scope: Scope): Value {
  scope.walk.report.spend(1);
  requireShared(node, scope);
  if (isPlain(node)) return text(node.text);
  const list = pieces(withHome(substitutionIn(atomsOf(node)), scope, true), scope, true);
  return oneValue(list, node);
}

/** `"$(…)"` without its quotes, which make no difference where nothing is split. */
function substitutionIn(atoms: readonly Atom[]): readonly Atom[] {
  const [only, ...others] = atoms.filter((atom) => atom.kind === 'part' || atom.text !== '');
  const isSubstitution = only?.kind === 'part' && only.part.text.startsWith('$(');
  return isSubstitution && others.length === 0 ? [{ ...only, isQuoted: false }] : atoms;
}

/** The text of a here-document with expansions. */
export function valueOfText(node: WrittenWord, scope: Scope): Value {
  const inner = { ...scope, source: '' };
  const value = oneValue(pieces(atomsOfText(node.text, node.parts), inner, true), node);
  scope.state = inner.state;
  return value;
}

/** Other shells read the quotes of `$'…'` as plain ones. */
function requireShared({ text: written }: WrittenWord, { isPosix }: Scope): void {
  if (isPosix && written.includes("$'"))
    throw new Outside('these quotes mean something else to other shells', written);
}

/** Literal text of a word. */
function isPlain({ text: written, parts }: WrittenWord): boolean {
  return parts === undefined && /^[A-Za-z0-9_./,:=@%+-]+$/.test(written);
}

/** The value of `name=value` behind a builtin. With braces it is several words, which are no assignments. */
export function valueOfArgument(node: WrittenWord, scope: Scope): Value {
  if (areBraces(atomsOf(node))) throw new Outside('braces in a declaration are not described', node.text);
  return valueOfWord(node, scope);
}

function bracesOf(
  node: WrittenWord,
  atoms: readonly Atom[],
  { isPosix }: Scope,
): readonly (readonly Atom[])[] {
  if (isPosix) throw new Outside('braces mean something else to other shells', node.text);
  return expandBraces(atoms);
}

/** `isWhole` if nothing is split: everything counts as quoted, except a pattern for `case`. */
function pieces(atoms: readonly Atom[], scope: Scope, isWhole: boolean): readonly Piece[] {
  return atoms.flatMap((atom): readonly Piece[] => {
    const isQuoted = isWhole || atom.isQuoted;
    if (atom.kind === 'text') return [{ kind: 'text', text: atom.text, isQuoted }];
    return piecesOfPart(
      atom.part,
      { isQuoted, isWhole: isWhole && !atom.isQuoted && atoms.length === 1, isJoined: isWhole },
      scope,
    );
  });
}

/** The value of an expansion in a word. */
function piecesOfPart(
  part: Expansion,
  { isQuoted, isWhole, isJoined }: Record<'isQuoted' | 'isWhole' | 'isJoined', boolean>,
  scope: Scope,
): readonly Piece[] {
  const isByLine = splitsLines(scope.state);
  const words = allWords(part, scope, valueOfWord);
  if (words !== null && isByLine && !(isQuoted && !isJoined && !isStar(part)))
    throw new Outside('this use of several words after `IFS` is not described', part.text);
  if (words !== null) return piecesOfAll(words, { isStar: isStar(part), isQuoted, isJoined }, part.text);
  const put = (value: Word) =>
    // `x=$(find .)` keeps the lines, which a later `$x` splits.
    isWhole && value.kind === 'names'
      ? [{ kind: 'gap', gap: value, isQuoted: false } as const]
      : piecesOf(value, isQuoted, isByLine);
  switch (part.type) {
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const value = parameterValue(part, scope, valueOfWord);
      return value === null ? [] : put(value);
    }
    case 'CommandExpansion':
      return put(substitutedOutput(part, scope));
    case 'ArithmeticExpansion':
      requirePlain(part.expression, part.text, scope);
      return piecesOf(unknown(part.text, { isNumber: true, mayBeNegative: true }), isQuoted);
  }
}

/** The output of a command, without trailing line feeds. */
function substitutedOutput(part: CommandExpansionPart, scope: Scope): Word {
  const { script, text: written } = part;
  if (script === undefined) throw new Outside('the substituted command cannot be read', written);
  if (written.startsWith('${')) throw new Outside('this form of substitution is not described', written);
  const inner = subshell(scope, { isRead: true, depth: scope.depth + 1 });
  const output = scope.walk.script(script, written.startsWith('`') ? { ...inner, source: '' } : inner);
  const hasLine = (output.kind === 'names' || output.kind === 'words') && output.isOne === true;
  if (!hasLine || !alwaysPrints(script, scope)) return outputAsWord(output, written);
  return output.kind === 'words' ? plainWord(output, written) : namesWord(output.names);
}

/** Whether it is a program alone that prints a line whatever it is given, if it prints one at all. */
function alwaysPrints({ commands: [only, ...others] }: Script, { state: { functions } }: Scope): boolean {
  if (only?.command.type !== 'Command' || others.length > 0) return false;
  const { name, prefix, redirects } = only.command;
  const text = name?.text ?? '';
  const isPart = /^(?:(?:base|dir|host|u)name|arch|date|printf)$/.test(text) && functions?.has(text) !== true;
  return isPart && prefix.length + redirects.length === 0;
}

function outputAsWord(output: Output, written: string): Word {
  if (output.kind === 'text') return text(output.text.replace(/\n+$/, ''));
  if (output.kind === 'number') return numberWord(output, written);
  if (output.kind === 'words') {
    const isOne = output.isOne === true && output.areSeveral !== true;
    return { ...plainWord(output, written), count: 'many', ...(isOne && { isOne }) };
  }
  if (output.kind === 'names' && output.separator === '\n')
    return {
      ...namesWord(output.names, 'many'),
      ...(output.isOne && { isOne: true }),
      ...(output.isSure && { isSure: true }),
    };
  return unknown(written, output.kind === 'table' ? { lines: output } : {});
}

function oneValue(list: readonly Piece[], node: WrittenWord): Value {
  if (list.length === 0) return text('');
  const field = list.flatMap((piece) => (piece.kind === 'break' ? [] : [piece]));
  if (field.length !== list.length) return unknown(node.text);
  const [only] = field;
  if (only !== undefined && field.length === 1 && only.kind === 'gap') return only.gap;
  const word = wordOf(field.map((piece) => ({ ...piece, isQuoted: true })));
  return word.kind === 'names' && word.count === 'many' ? unknown(writtenAs(word)) : word;
}

function linesOf(value: NamesWord): Output {
  const lines: Output = { kind: 'names', names: wholeNames(value), separator: '\n' };
  return isMany(value) ? withFinalLineFeed(lines) : lines;
}

/** A value as the text of a standard input. */
export function asInput(value: Value, end: string): Output {
  if (value.kind === 'text') return { kind: 'text', text: value.text + end };
  if (value.kind === 'names' && !/\n/.test(value.before + value.after)) return linesOf(value);
  if (value.kind === 'unknown' && value.lines !== undefined) return withFinalLineFeed(value.lines);
  return isAnyNumber(value) ? numberOutput(value) : { kind: 'unknown' };
}

/** Replaces a leading `~` by the home folder. */
function withHome(atoms: readonly Atom[], scope: Scope, isValue: boolean): readonly Atom[] {
  const [first, ...rest] = atoms;
  if (!isBare('~', atoms) || first === undefined) return atoms;
  const written = writtenIn(atoms);
  // In a value, and in a word like an assignment, it may be replaced after a colon too.
  const isElsewhere =
    (isValue || written.includes('=')) &&
    atoms.some((atom) => atom.kind === 'text' && !atom.isQuoted && /[:=]~/.test(atom.text));
  if (isElsewhere) throw new Outside('a `~` within a word is not described', written);
  if (first.kind !== 'text' || first.isQuoted || !first.text.startsWith('~')) return atoms;
  const [, name = '', more = ''] = /^~([^/]*)([\s\S]*)$/.exec(first.text) ?? [];
  // A name that continues in quotes or in an expansion does not count.
  if (more === '' && rest.length > 0)
    throw new Outside('a `~` beside an expansion is not described', written);
  const home = homeOf(name, scope);
  if (home === null) throw new Outside('which folder this `~` means is unknown', written);
  return [
    { kind: 'text', text: home, isQuoted: true },
    ...(more === '' ? [] : [{ kind: 'text', text: more, isQuoted: false } as const]),
    ...rest,
  ];
}

function homeOf(name: string, { state }: Scope): string | null {
  if (name === '') {
    const home = valueNamed('HOME', state);
    return home?.kind === 'text' ? home.text : null;
  }
  return /^[A-Za-z_][\w.-]*$/.test(name) ? (users().get(name) ?? null) : null;
}

function users(): ReadonlyMap<string, string> {
  const rows = orNull(() => readFileSync('/etc/passwd', 'utf8'))?.split('\n') ?? [];
  return new Map(rows.map((row) => row.split(':')).map(([name = '', , , , , home = '']) => [name, home]));
}
