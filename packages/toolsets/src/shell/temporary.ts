import type { Here, Result } from './here.js';
import { plainVariable, unknownValue, type Value, type Variable } from './variable.js';
import type { Word } from './word.js';

/** Runs something in the shell itself with variables that are set for it alone. */
export function withVariables(
  own: ReadonlyMap<string, Word | null> | undefined,
  here: Here,
  run: () => Result,
): Result {
  if (own === undefined || own.size === 0) return run();
  const before = here.state;
  const variables = new Map(before.variables);
  for (const [name, word] of own) variables.set(name, ownVariable(word));
  here.state = {
    ...before,
    variables,
    is_search_path_fixed: before.is_search_path_fixed && !own.has('PATH'),
  };
  const set = here.state.variables;
  const result = run();
  const after = new Map(here.state.variables);
  for (const name of own.keys()) {
    const isUntouched = after.get(name) === set.get(name);
    const old = before.variables.get(name);
    if (!isUntouched) after.set(name, plainVariable(unknownValue));
    else if (old === undefined) after.delete(name);
    else after.set(name, old);
  }
  const is_search_path_fixed =
    before.is_search_path_fixed && (own.has('PATH') || here.state.is_search_path_fixed);
  here.state = { ...here.state, variables: after, is_search_path_fixed };
  if (result.failed === undefined) return result;
  return { ...result, failed: { ...here.state, folders: result.failed.folders } };
}

/** A variable that is set for one command. */
export function ownVariable(word: Word | null): Variable {
  const value: Value = word === null ? unknownValue : { kind: 'text', word };
  return { value, is_exported: true, is_integer: false };
}
