import type { CommandNode } from 'unbash';
import { numberAmong } from '../alternatives.js';
import { areSeveral, isOpen, namesWord, onlyNames, textsIn, unknown, type Word } from '../word.js';
import type { Folder } from '../world.js';
import { type Elements, elementsOfBoth, isSameUnknown } from './arrays.js';
import { Outside } from './outside.js';

/** The state of the shell at one place in a command line. Never changed, only replaced. */
export interface State {
  /** The working folder is one of these; there is at least one. */
  readonly folders: readonly Folder[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** The elements of arrays, by name; null if they depend on executed commands. */
  readonly arrays?: ReadonlyMap<string, Elements | null>;
  /** The folder before the last `cd` of the line is one of these, for `cd -`. */
  readonly before?: readonly Folder[];
  /** Folders that `pushd` left, the last one first; each is one of several. What is below them is unknown. */
  readonly stack?: readonly (readonly Folder[])[];
  /** Whether another program starts the shell, so that the environment may have further variables. */
  readonly inherits?: true;
  /** `$0`, `$1` and so on, in a function or a text that a program hands to a shell. */
  readonly parameters?: readonly Word[];
  /** Whether there may be others, which are unknown. */
  readonly hasParameters?: true;
  /** The commands of functions, by name; null if they depend on executed commands. */
  readonly functions?: ReadonlyMap<string, CommandNode | null>;
  /** What the `local` variables of the function were before, null if unset: they are this again when it ends. */
  readonly locals?: ReadonlyMap<string, Variable | null>;
  /** The options of `shopt` that change what patterns match, by name; `unsure` where that depends on commands. */
  readonly globbing?: string;
  /** After `set -e`: a command that fails ends the shell, unless it is a condition. */
  readonly endsOnFailure?: true;
  /** After `exit`: the rest is not reached. */
  readonly isDead?: true;
}

/** The text of a variable: known, one of several, or unknown. Always one word. */
export type Value = Word;

export interface Variable {
  readonly value: Value;
  readonly isExported: boolean;
  /** After `readonly`: assigning it fails. */
  readonly isFixed?: true;
}

export const mostFolders = 20;

/** The state that holds after either of two branches. */
export function join(one: State, other: State): State {
  if (one === other || other.isDead === true) return one;
  if (one.isDead === true) return other;
  return {
    folders: joinedFolders(one.folders, other.folders),
    variables: joinedVariables(one, other),
    ...joinedArrays(one, other),
    ...(one.inherits === true && { inherits: true }),
    ...(one.before !== undefined &&
      other.before !== undefined && { before: joinedFolders(one.before, other.before) }),
    ...(one.stack !== undefined && areSameStacks(one.stack, other.stack) && { stack: one.stack }),
    ...joinedFunctions(one, other),
    ...(one.endsOnFailure && other.endsOnFailure && { endsOnFailure: true }),
    ...((one.globbing ?? '') !== (other.globbing ?? '')
      ? { globbing: 'unsure' }
      : one.globbing !== undefined && { globbing: one.globbing }),
  };
}

function joinedFunctions(one: State, other: State): Partial<State> {
  const has = one.hasParameters === true || other.hasParameters === true;
  const isSame = one.parameters === other.parameters;
  const functions = joinedMaps(one.functions, other.functions, () => null);
  // Which of two values it has again is unknown.
  const locals = joinedMaps(one.locals, other.locals, (name) => ({
    value: unknown(`$${name}`),
    isExported: false,
  }));
  return {
    ...(isSame && one.parameters !== undefined && { parameters: one.parameters }),
    ...((has || !isSame) && { hasParameters: true }),
    ...(functions && { functions }),
    ...(locals && { locals }),
  };
}

/** The members of both. `unsure`: for a name with different ones, or with one only. */
function joinedMaps<T>(
  one: ReadonlyMap<string, T> | undefined,
  other: ReadonlyMap<string, T> | undefined,
  unsure: (name: string) => T,
): ReadonlyMap<string, T> | undefined {
  if (one === other) return one;
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return new Map(
    [...names].map((name) => {
      const [first, second] = [one?.get(name), other?.get(name)];
      return [name, first !== undefined && first === second ? first : unsure(name)];
    }),
  );
}

export function joinedFolders(one: readonly Folder[], other: readonly Folder[]): readonly Folder[] {
  const more = other.filter(
    ({ named, real }) => !one.some((folder) => folder.named === named && folder.real === real),
  );
  return more.length === 0 ? one : [...one, ...more];
}

/** Whether another round of a loop would begin in the same state. */
export function isSameState(one: State, other: State): boolean {
  if (one === other) return true;
  if (joinedFolders(one.folders, other.folders) !== one.folders) return false;
  if (!isSameBefore(one.before, other.before) || !areSameStacks(one.stack, other.stack)) return false;
  if (one.parameters !== other.parameters || !areSameMaps(one.arrays, other.arrays)) return false;
  if ((one.globbing ?? '') !== (other.globbing ?? '')) return false;
  if (one.endsOnFailure !== other.endsOnFailure) return false;
  if (!areSameMaps(one.functions, other.functions) || one.locals?.size !== other.locals?.size) return false;
  if (one.folders.length !== other.folders.length || one.variables.size !== other.variables.size)
    return false;
  return [...one.variables].every(([name, variable]) => {
    const same = other.variables.get(name);
    return same !== undefined && isSameVariable(variable, same);
  });
}

function isSameBefore(one: State['before'], other: State['before']): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && joinedFolders(one, other) === one;
}

function areSameStacks(one: State['stack'] = [], other: State['stack'] = []): boolean {
  return one.length === other.length && one.every((folders, at) => isSameBefore(folders, other[at]));
}

function joinedArrays(one: State, other: State): Pick<State, 'arrays'> {
  if (one.arrays === undefined && other.arrays === undefined) return {};
  const names = [...(one.arrays?.keys() ?? []), ...(other.arrays?.keys() ?? [])];
  return { arrays: new Map(names.map((name) => [name, elementsInEither(name, one, other)])) };
}

function elementsInEither(name: string, one: State, other: State): Elements | null {
  const [first, second] = [one.arrays?.get(name), other.arrays?.get(name)];
  if (first === second) return first ?? null;
  if (first === null || second === null) return null;
  const without = first === undefined ? one : other;
  // A name that was not assigned has no elements.
  const areBoth = first !== undefined && second !== undefined;
  return areBoth || isUnset(name, without) ? elementsOfBoth(first ?? [], second ?? []) : null;
}

/** Whether a variable certainly has no value. */
export function isUnset(name: string, { arrays, inherits, variables }: State): boolean {
  const isAssigned = variables.has(name) || arrays?.has(name) === true;
  return inherits !== true && !isAssigned && /^[a-z]/.test(name);
}

function areSameMaps(
  one: ReadonlyMap<string, unknown> | undefined,
  other: ReadonlyMap<string, unknown> | undefined,
): boolean {
  if (one === other) return true;
  return one?.size === other?.size && [...(one ?? [])].every(([name, words]) => other?.get(name) === words);
}

/** Throws `Outside` for the name of an array: only `"${name[@]}"` and `${#name[@]}` are described. */
export function requireNoArray({ arrays }: State, name: string): void {
  if (arrays?.has(name) === true) throw new Outside('this use of an array is not described', name);
}

/** Throws `Outside` for a read-only variable, where a change of it fails. */
export function requireNotFixed({ variables }: State, name: string): void {
  if (variables.get(name)?.isFixed === true)
    throw new Outside('a change of a read-only variable is not described', name);
}

/** The state with this array. Throws `Outside` if programs see the variable. */
export function withArray(state: State, name: string, words: Elements): State {
  if (state.variables.get(name)?.isExported === true)
    throw new Outside('a variable that programs see becomes an array', name);
  requireNotFixed(state, name);
  const variables = new Map(state.variables);
  variables.delete(name);
  return { ...state, variables, arrays: new Map([...(state.arrays ?? []), [name, words]]) };
}

/** The name under which the keys of an associative array are kept, in no order. */
export function keysName(name: string): string {
  return `${name}[]`;
}

/** Adds to an associative array. */
export function withKey(state: State, name: string, [key, value]: readonly [Value, Value]): State {
  const elementsOf = (each: string) => state.arrays?.get(each) ?? [];
  const values = withArray(state, name, elementsOfBoth(elementsOf(name), [value]));
  return withArray(values, keysName(name), elementsOfBoth(elementsOf(keysName(name)), [key]));
}

export function withVariable(state: State, name: string, variable: Variable): State {
  requireNoArray(state, name);
  requireNotFixed(state, name);
  const variables = new Map(state.variables);
  variables.set(name, variable);
  return { ...state, variables };
}

export function withoutVariable(state: State, name: string): State {
  const variables = new Map(state.variables);
  variables.delete(name);
  return { ...state, variables };
}

function joinedVariables(one: State, other: State): State['variables'] {
  if (one.variables === other.variables) return one.variables;
  const joined = new Map(one.variables);
  for (const name of new Set([...one.variables.keys(), ...other.variables.keys()])) {
    const [first, second] = [one, other].map(({ variables }) => variables.get(name));
    if (first !== undefined && second !== undefined && isSameVariable(first, second)) continue;
    const isExported = first?.isExported === true || second?.isExported === true;
    const isFixed = first?.isFixed ?? second?.isFixed;
    const mayBeUnset = isUnset(name, one) || isUnset(name, other);
    const values = [first, second].flatMap((each) => (each === undefined && mayBeUnset ? [] : [each?.value]));
    const number = numberAmong(values);
    const isMany = mayBeUnset || values.some((each) => each?.kind !== 'text' && each?.count === 'many');
    const isOne = mayBeUnset && !values.some((each) => each !== undefined && areSeveral(each));
    const value = number
      ? unknown(`$${name}`, { ...number, count: isMany ? 'many' : 'one', ...(isOne && { isOne }) })
      : (either(first?.value, second?.value) ?? unknown(`$${name}`));
    if (
      first === undefined ||
      value !== first.value ||
      isExported !== first.isExported ||
      isFixed !== first.isFixed
    )
      joined.set(name, { value, isExported, ...(isFixed && { isFixed }) });
  }
  return joined;
}

/** The most possible texts of a variable. A loop that changes it soon makes it unknown. */
const mostTexts = 4;

/** One of the texts of both; null if these are unknown, too many, or may be options. */
function either(one: Value | undefined, other: Value | undefined): Value | null {
  const [first, second] = [textsOf(one), textsOf(other)];
  if (one === undefined || first === null || second === null) return null;
  const texts = [...new Set([...first, ...second])];
  if (texts.length === first.length) return one;
  if (texts.length > mostTexts || !texts.every((each) => /^(?!-)\S*$/.test(each))) return null;
  return namesWord(onlyNames(texts));
}

function textsOf(value: Value | undefined): readonly string[] | null {
  const isOne = value !== undefined && !isOpen(value) && !(value.kind === 'names' && value.count === 'many');
  return isOne ? textsIn(value) : null;
}

function isSameVariable(one: Variable, other: Variable): boolean {
  const areAlike = one.isExported === other.isExported && one.isFixed === other.isFixed;
  return one === other || (areAlike && isSameValue(one.value, other.value));
}

function isSameValue(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (one.kind === 'text') return other.kind === 'text' && one.text === other.text;
  if (one.kind === 'names')
    return (
      other.kind === 'names' &&
      one.names === other.names &&
      one.before === other.before &&
      one.after === other.after
    );
  return other.kind === 'unknown' && isSameUnknown(one, other);
}
