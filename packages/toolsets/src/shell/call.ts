import type { Here, Result } from './here.js';
import { type FunctionMeaning, join, type State } from './state.js';
import { joinedVariable, plainVariable, unknownValue } from './variable.js';
import type { Word } from './word.js';

/** How deep functions are followed that call functions. */
const mostCalls = 20;

/** Walks the bodies that a function may have, with these words as its parameters. */
export function callFunction(meaning: FunctionMeaning, words: readonly Word[], here: Here): Result {
  const { report } = here.walk;
  const before = here.state;
  if (here.depth > mostCalls) {
    report.opaque('', 'functions call each other too deeply');
    return { output: null };
  }
  const exits: State[] = [];
  const locals = new Set<string>();
  let after: State | null = meaning.is_certain ? null : before;
  for (const body of meaning.bodies) {
    const inner: Here = {
      ...here,
      state: { ...before, parameters: words },
      depth: here.depth + 1,
      exits,
      locals,
    };
    const { failed } = here.walk.body(body, inner);
    if (failed !== undefined) inner.state = join(inner.state, failed);
    after = after === null ? inner.state : join(after, inner.state);
  }
  const end = exits.reduce((all, each) => join(all, each), after ?? before);
  const variables = new Map(end.variables);
  for (const name of locals)
    variables.set(
      name,
      joinedVariable(before.variables.get(name) ?? plainVariable(unknownValue), end.variables.get(name)),
    );
  here.state = { ...end, variables, parameters: before.parameters, is_dead: before.is_dead };
  return { output: null };
}
