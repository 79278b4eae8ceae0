import type { CommandNode, Function as Definition } from 'unbash';
import { isBuiltinName } from '../builtins/names.js';
import { withoutResult } from '../outputs.js';
import { Outside } from '../state/outside.js';
import { type Scope, settle } from '../state/scope.js';
import { join, type State } from '../state/state.js';
import { noOutput, type Output, unknown, type Word } from '../word.js';

/** `NAME() { …; }`: from now on, the name runs these commands. */
export function define({ name: { text: name }, body }: Definition, scope: Scope): Output {
  if (scope.isPosix || body.type === 'CompoundList' || !/^[A-Za-z_][\w-]*$/.test(name) || isBuiltinName(name))
    throw new Outside('this function is not described', name);
  scope.state = { ...scope.state, functions: new Map([...(scope.state.functions ?? []), [name, body]]) };
  return noOutput;
}

/** Walks the commands of a function in this shell, with the words as its parameters. */
export function call(
  [name, body]: readonly [name: string, body: CommandNode | null],
  words: readonly Word[],
  scope: Scope,
): Output {
  if (body === null) throw new Outside('which function this is depends on earlier commands', name);
  if (scope.depth > mostDepth) throw new Outside('it is nested too deeply', name);
  const { parameters, locals, hasParameters } = scope.state;
  const returns: State[] = [];
  const state: State = { ...scope.state, parameters: [unknown('$0'), ...words], locals: new Map() };
  const inner: Scope = { ...scope, state, returns, failed: null, exits: null, depth: scope.depth + 1 };
  const failures = scope.failures ?? [];
  const known = failures.length;
  const output = withoutResult(scope.walk.command(body, inner));
  settle(inner);
  const left = (inside: State): State => ({
    ...withoutLocals(inside),
    ...(parameters && { parameters }),
    ...(hasParameters && { hasParameters }),
    ...(locals && { locals }),
  });
  failures.push(...failures.splice(known).map(left));
  scope.state = left(returns.reduce(join, inner.state));
  return output;
}

/** The state behind a function. */
function withoutLocals(inside: State): State {
  const { parameters: _, hasParameters: __, locals, ...end } = inside;
  const [variables, arrays] = [new Map(end.variables), new Map(end.arrays)];
  for (const [each, before] of locals ?? []) {
    if (arrays.has(each)) arrays.set(each, null);
    if (before === null) variables.delete(each);
    else variables.set(each, before);
  }
  return { ...end, variables, ...(arrays.size > 0 && { arrays }) };
}

/** How deeply functions may call others. */
const mostDepth = 20;
