import type { CompoundCommand, CompoundList, Redirected } from 'unbash';
import { equalVariable, joinedVariable, type Variable } from './variable.js';
import type { Word } from './word.js';

/** What a command line has made of the shell at one place in it, as far as that is known. Never changed, only replaced. */
export interface State {
  /** The working folder is one of these; it is not known where there are none. */
  readonly folders: readonly Folder[];
  /** What `popd` goes back to, the last first; null where it is not known. */
  readonly stack: readonly (readonly Folder[])[] | null;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Whether any variable, function or alias may be anything. */
  readonly is_lost: boolean;
  /** Whether names may stand for other names, so that what any of them holds is not known. */
  readonly has_references: boolean;
  readonly functions: ReadonlyMap<string, FunctionMeaning>;
  readonly aliases: ReadonlyMap<string, string | null>;
  /** `$1` and so on; null where they are not known. */
  readonly parameters: readonly Word[] | null;
  /** Whether bare names are found through the search path that the shell began with. */
  readonly is_search_path_fixed: boolean;
  readonly modes: Modes;
  /** Whether nothing that follows is reached. */
  readonly is_dead: boolean;
}

/** A folder with the name that the shell has for it. */
export interface Folder {
  readonly named: string;
  /** Null where it cannot be known. */
  readonly real: string | null;
}

export interface FunctionMeaning {
  readonly bodies: readonly FunctionBody[];
  /** Whether the name may also be that of no function. */
  readonly is_certain: boolean;
  readonly is_exported: boolean;
}

export type FunctionBody = CompoundCommand | Redirected | CompoundList;

export interface Modes {
  /** `set -f`. */
  readonly has_no_globs: boolean;
  /** Whether patterns may match otherwise than usual (`dotglob`, `nullglob`). */
  readonly has_other_globs: boolean;
  readonly has_no_braces: boolean;
  readonly has_aliases: boolean;
  /** `set -a`. */
  readonly exports_all: boolean;
}

/** The most folders that the working folder may be, before it counts as not known. */
const mostFolders = 6;

/** What holds whichever of two ways was taken. */
export function join(one: State, other: State): State {
  if (one === other) return one;
  if (one.is_dead !== other.is_dead) return one.is_dead ? other : one;
  return {
    folders: joinedFolders(one.folders, other.folders),
    stack: one.stack === other.stack ? one.stack : null,
    variables: joinedVariables(one, other),
    is_lost: one.is_lost || other.is_lost,
    has_references: one.has_references || other.has_references,
    functions: joinedFunctions(one.functions, other.functions),
    aliases: new Map([...one.aliases, ...other.aliases]),
    parameters: isSameList(one.parameters, other.parameters) ? one.parameters : null,
    is_search_path_fixed: one.is_search_path_fixed && other.is_search_path_fixed,
    modes: joinedModes(one.modes, other.modes),
    is_dead: one.is_dead,
  };
}

/** What is left to know after something ran in the shell that may have done anything to it. */
export function lost(state: State): State {
  return {
    ...state,
    folders: [],
    stack: null,
    variables: new Map(),
    is_lost: true,
    parameters: null,
    is_search_path_fixed: false,
    modes: { ...state.modes, has_other_globs: true, has_aliases: true },
  };
}

export function joinedFolders(one: readonly Folder[], other: readonly Folder[]): readonly Folder[] {
  if (one === other || one.length === 0) return one;
  if (other.length === 0) return other;
  const more = other.filter(
    ({ named, real }) => !one.some((folder) => folder.named === named && folder.real === real),
  );
  const all = more.length === 0 ? one : [...one, ...more];
  return all.length > mostFolders ? [] : all;
}

/** Whether two states say the same, as far as loops have to know. */
export function isSameState(one: State, other: State): boolean {
  if (one === other) return true;
  return (
    one.folders.length === other.folders.length &&
    joinedFolders(one.folders, other.folders).length === one.folders.length &&
    one.is_lost === other.is_lost &&
    one.has_references === other.has_references &&
    one.is_search_path_fixed === other.is_search_path_fixed &&
    one.parameters === other.parameters &&
    one.variables.size === other.variables.size &&
    [...one.variables].every(([name, variable]) => {
      const same = other.variables.get(name);
      return same !== undefined && equalVariable(variable, same);
    })
  );
}

function joinedVariables(one: State, other: State): ReadonlyMap<string, Variable> {
  if (one.variables === other.variables) return one.variables;
  const variables = new Map(one.variables);
  for (const [name, variable] of other.variables)
    variables.set(name, joinedVariable(one.variables.get(name), variable));
  for (const [name, variable] of one.variables)
    if (!other.variables.has(name)) variables.set(name, joinedVariable(undefined, variable));
  return variables;
}

function joinedFunctions(
  one: State['functions'],
  other: State['functions'],
): ReadonlyMap<string, FunctionMeaning> {
  if (one === other) return one;
  const functions = new Map<string, FunctionMeaning>();
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [first, second] = [one.get(name), other.get(name)];
    functions.set(name, {
      bodies: [...new Set([...(first?.bodies ?? []), ...(second?.bodies ?? [])])],
      is_certain: first?.is_certain === true && second?.is_certain === true,
      is_exported: first?.is_exported === true || second?.is_exported === true,
    });
  }
  return functions;
}

function joinedModes(one: Modes, other: Modes): Modes {
  if (one === other) return one;
  const has_no_globs = one.has_no_globs && other.has_no_globs;
  return {
    has_no_globs,
    has_other_globs: one.has_other_globs || other.has_other_globs || one.has_no_globs !== other.has_no_globs,
    has_no_braces: one.has_no_braces && other.has_no_braces,
    has_aliases: one.has_aliases || other.has_aliases,
    exports_all: one.exports_all || other.exports_all,
  };
}

function isSameList(one: readonly Word[] | null, other: readonly Word[] | null): boolean {
  return one === other || (one?.length === 0 && other?.length === 0);
}
