import type { ArithmeticFor, CompoundList, For, While } from 'unbash';
import { oneOf } from '../alternatives.js';
import { isNothing, repeatedOutput } from '../outputs.js';
import { Outside } from '../state/outside.js';
import { type Scope, settle } from '../state/scope.js';
import { isSameState, join, mostFolders, type State, withVariable } from '../state/state.js';
import { isAssignable } from '../state/variables.js';
import { type Output, unknownOutput } from '../word.js';
import { stampOf } from '../world.js';
import { requirePlain } from './words/arithmetic.js';
import { wordsOf } from './words/expand.js';

/** The most rounds of a loop until its state is stable. */
const mostRounds = 6;

type List = (list: CompoundList, scope: Scope) => Output;

export function whileLoop({ kind, clause, body }: While, scope: Scope, list: List): Output {
  return repeat(scope, (inner) => {
    const asked = list(clause, inner);
    const [succeeded, failed] = [inner.state, inner.failed ?? inner.state];
    inner.failed = null;
    inner.state = kind === 'while' ? succeeded : failed;
    const output = list(body, inner);
    settle(inner);
    inner.state = join(kind === 'while' ? failed : succeeded, inner.state);
    return isNothing(asked) ? output : unknownOutput;
  });
}

export function forLoop({ name, wordlist, body }: For, scope: Scope, list: List): Output {
  if (!isAssignable(name.text)) throw new Outside('this variable is not described', name.text);
  const words = wordlist === undefined ? scope.state.parameters?.slice(1) : wordsOf(wordlist, scope);
  if (words === undefined) throw new Outside('a loop over parameters is not described', name.text);
  const value = oneOf(words);
  const isExported = scope.state.variables.get(name.text)?.isExported === true;
  if (isExported) throw new Outside('a loop sets a variable that programs see', name.text);
  return repeat(scope, (inner) => {
    const asked = inner.state;
    inner.state = withVariable(asked, name.text, { value, isExported: false });
    const output = list(body, inner);
    settle(inner);
    inner.state = join(asked, inner.state);
    return output;
  });
}

/** `for ((i = 0; i < 3; i++))`. */
export function countingLoop(
  { initialize, test, update, body }: ArithmeticFor,
  scope: Scope,
  list: List,
): Output {
  if (scope.isPosix) throw new Outside('this loop is not described for other shells', 'for ((');
  const evaluate = (expression: ArithmeticFor['test'], inner: Scope) =>
    // A value in it may stand right after a sign.
    requirePlain(expression, '-$', inner);
  evaluate(initialize, scope);
  return repeat(scope, (inner) => {
    evaluate(test, inner);
    const asked = inner.state;
    const output = list(body, inner);
    settle(inner);
    // `continue` leads to it as well.
    inner.state = (inner.exits ?? []).reduce(join, inner.state);
    evaluate(update, inner);
    inner.state = join(asked, inner.state);
    return output;
  });
}

/** Walks until a round changes neither the state nor the input nor the files. Returns the output of all rounds. */
function repeat(scope: Scope, round: (inner: Scope) => Output): Output {
  const { changes } = scope.walk.world;
  for (let rounds = 0; ; rounds += 1) {
    scope.walk.report.spend(1);
    const stamp = () => JSON.stringify([scope.input.output, stampOf(changes)]);
    const [entered, before] = [scope.state, stamp()];
    const exits: State[] = [];
    const inner: Scope = { ...scope, exits, failed: null };
    const output = round(inner);
    scope.state = [inner.state, ...exits].reduce(join, entered);
    if (scope.state.folders.length > mostFolders)
      throw new Outside('the working folder changes with each round', '');
    if (isSameState(entered, scope.state) && before === stamp()) return repeatedOutput(output);
    if (rounds >= mostRounds) throw new Outside('what this loop does differs in each round', '');
  }
}
