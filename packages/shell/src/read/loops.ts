import type { ArithmeticFor, CompoundList, For, While } from 'unbash';
import { oneOf } from '../alternatives.js';
import { isNothing, repeatedOutput } from '../outputs.js';
import { Outside } from '../state/outside.js';
import { type Scope, settle } from '../state/scope.js';
import { isSameState, join, mostFolders, type State, withVariable } from '../state/state.js';
import { isAssignable } from '../state/variables.js';
import { namesWord, type Output, onlyNames, unknownOutput } from '../word.js';
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
export function countingLoop(loop: ArithmeticFor, scope: Scope, list: List): Output {
  const { initialize, test, update, body } = loop;
  if (scope.isPosix) throw new Outside('this loop is not described for other shells', 'for ((');
  const evaluate = (expression: ArithmeticFor['test'], inner: Scope) =>
    // A value in it may stand right after a sign.
    requirePlain(expression, '-$', inner);
  evaluate(initialize, scope);
  const { state } = scope;
  const numbers = numbersIn(loop);
  if (numbers.length > 0) {
    const [name = '', ...texts] = numbers;
    const held = { value: namesWord(onlyNames(texts.slice(0, -1))), isExported: false };
    let isKept = true;
    const output = repeat(scope, (inner) => {
      const asked = inner.state;
      inner.state = withVariable(asked, name, held);
      const printed = list(body, inner);
      settle(inner);
      inner.state = (inner.exits ?? []).reduce(join, inner.state);
      isKept &&= inner.state.variables.get(name)?.value === held.value;
      inner.state = join(asked, inner.state);
      return printed;
    });
    if (isKept) {
      const value = namesWord(onlyNames(texts));
      scope.state = withVariable(scope.state, name, { value, isExported: false });
      return output;
    }
    // The body assigns it.
    scope.state = state;
  }
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

/** The most numbers of a loop that are known. */
const mostNumbers = 200;

/** The name, the numbers and the end of a loop like `for ((i = 1; i <= 3; i++))`; nothing for others. */
function numbersIn({ initialize, test, update }: ArithmeticFor): readonly string[] {
  const [, name = '', first = ''] = /^(\w+)=(0|[1-9]\d{0,8})$/.exec(writtenAs(initialize)) ?? [];
  const [, tested, operator, last = ''] = /^(\w+)(<=?)(0|[1-9]\d{0,8})$/.exec(writtenAs(test)) ?? [];
  const isCounted =
    update?.type === 'ArithmeticUnary' && `${update.operator}${writtenAs(update.operand)}` === `++${name}`;
  const count = Number(last) - Number(first) + (operator === '<' ? 0 : 1);
  if (name === '' || tested !== name || !isCounted || count < 1 || count > mostNumbers) return [];
  return [name, ...Array.from({ length: count + 1 }, (_, at) => String(Number(first) + at))];
}

/** A number or a name, or two with an operator. */
function writtenAs(expression: ArithmeticFor['test']): string {
  if (expression?.type === 'ArithmeticWord') return expression.value;
  return expression?.type === 'ArithmeticBinary'
    ? [writtenAs(expression.left), expression.operator, writtenAs(expression.right)].join('')
    : '';
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
