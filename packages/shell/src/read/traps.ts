import { Outside } from '../state/outside.js';
import { type Scope, subshell, unknownInput } from '../state/scope.js';
import { isSameState, join } from '../state/state.js';

/** Adds the states after a command to those in which the traps of its shell may run. */
export function noteForTraps({ shell, state, failed }: Scope): void {
  for (const trap of shell?.traps ?? []) {
    const { isDead: _, ...alive } = state;
    const both = [alive, ...(failed === null ? [] : [failed])];
    trap.state = both.reduce(join, trap.state);
  }
}

/** Walks what the traps of a shell run. Whether there are any. */
export function runTraps(scope: Scope): boolean {
  const traps = scope.shell?.traps ?? [];
  for (const { text, isAtEnd, state } of traps) {
    const input = { output: unknownInput };
    const inner = {
      ...subshell(scope, { state, input, depth: scope.depth + 1 }),
      failures: [],
      source: text,
    };
    scope.walk.here(text, inner);
    // The commands after it would begin in another state.
    if (!isAtEnd && !isSameState(state, inner.state))
      throw new Outside('a trap that changes the shell is not described', text);
  }
  return traps.length > 0;
}
