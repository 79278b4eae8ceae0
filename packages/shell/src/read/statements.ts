import type { AndOr, Case, CommandNode, CompoundList, If, Pipeline, PipelineNode, Statement } from 'unbash';
import { testCommand } from '../builtins/test-command.js';
import { both, eitherLine, isNothing, repeatedOutput, withoutResult } from '../outputs.js';
import { Outside } from '../state/outside.js';
import { beside, nextLine, type Scope, settle, subshell } from '../state/scope.js';
import { join, type State } from '../state/state.js';
import { noOutput, type Output, unknownOutput } from '../word.js';
import { stampOf } from '../world.js';
import { define } from './functions.js';
import { endsFile, isHook, isMissing } from './login-statements.js';
import { countingLoop, forLoop, whileLoop } from './loops.js';
import { outputBetween, redirect } from './redirect.js';
import { simpleCommand } from './simple.js';
import { noteForTraps } from './traps.js';
import { requirePlain } from './words/arithmetic.js';
import { valueOfWord, wordsOf } from './words/expand.js';

/** Walks commands in order, and returns their joint output. `whole`: their text, if that is all of a shell's. */
export function statements(list: readonly Statement[], scope: Scope, whole?: string): Output {
  const { notes } = scope.walk;
  const { ends } = notes;
  let output: Output = noOutput;
  let last = 0;
  scope.last = null;
  for (const { command, background, pos, end } of list) {
    scope.walk.report.spend(1);
    settle(scope);
    if (whole?.slice(last, pos).includes('\n') === true) {
      nextLine(scope);
      scope.last = null;
    }
    if (whole !== undefined && background !== true && endsFile(whole.slice(pos, end), scope)) break;
    last = end;
    if (scope.isLogin === true) scope.at = pos;
    if (background === true) {
      notes.isConcurrent = true;
      // Its input is empty, unless a group, a pipe or a loop around it has one.
      beside(scope, {}, (inner) => node(command, inner));
      scope.last = null;
      output = unknownOutput;
    } else output = both(output, node(command, scope));
    // Within commands and traps, `set -e` may not count: they may be a condition of another command.
    const isOfShell = whole !== undefined && scope.shell !== null && command.type === 'Command';
    if (isOfShell && scope.state.endsOnFailure === true) scope.failed = null;
    if (list.length > 1) output = withoutResult(output);
  }
  // Of commands that may not be reached, each set of names is certain, but no joint text.
  return notes.ends === ends || output.kind === 'names' || isNothing(output) ? output : unknownOutput;
}

function node(command: PipelineNode | AndOr, scope: Scope): Output {
  if (command.type === 'AndOr') return andOr(command, scope);
  return command.type === 'Pipeline' ? pipeline(command, scope) : alone(command, scope);
}

/** A command without a pipe. Of others than simple ones, a part may print although the whole fails. */
function alone(command: CommandNode, scope: Scope): Output {
  const output = commandNode(command, scope);
  return command.type === 'Command' ? output : withoutResult(output);
}

/** `&&` continues in the state of success, `||` in the state of failure. */
function andOr({ commands, operators }: AndOr, scope: Scope): Output {
  const [first, ...rest] = commands;
  if (first === undefined) return noOutput;
  let output = node(first, scope);
  let success = scope.state;
  let failure = scope.failed ?? scope.state;
  let isFailed = isMissing(first, scope);
  rest.forEach((command, index) => {
    const isAnd = operators[index] === '&&';
    if (isAnd && isFailed) return;
    isFailed = false;
    scope.state = isAnd ? success : failure;
    // Behind `||`, it is not known which command was the last.
    if (index > 0 && operators.slice(0, index + 1).includes('||')) scope.last = null;
    scope.failed = null;
    const next = node(command, scope);
    const failed = scope.failed ?? scope.state;
    success = isAnd ? scope.state : join(success, scope.state);
    failure = isAnd ? join(failure, failed) : failed;
    const line = !isAnd && index === 0 ? eitherLine(output, next) : null;
    output = line ?? both(output, maybe(next));
  });
  if (rest.length > 0) {
    output = withoutResult(output);
    scope.last = null;
  }
  scope.state = success;
  scope.failed = failure === success ? null : failure;
  return output;
}

/** The output of a command that may not run. */
function maybe(output: Output): Output {
  return output.kind === 'names' ? output : repeatedOutput(output);
}

function pipeline({ commands, prefixes, operators }: Pipeline, scope: Scope): Output {
  const isTimed = prefixes.some(({ type }) => type === 'Time');
  if (isTimed && (scope.isPosix || commands.length === 0))
    throw new Outside('this `time` is not described', 'time');
  const [only, ...others] = commands;
  if (only !== undefined && others.length === 0) {
    const output = alone(only, scope);
    // After `!`, `&&` and `||` may follow either state.
    if (prefixes.length > 0) settle(scope);
    if (isTimed) return unknownOutput;
    return prefixes.length === 0 ? output : withoutResult(output);
  }
  if (scope.isPosix && operators.includes('|&'))
    throw new Outside('`|&` means something else to other shells', '|&');
  const { report } = scope.walk;
  const given = scope.input.output;
  scope.last = null;
  for (let round = 1; ; round += 1) {
    const reported = report.capabilities.length;
    const { output, isChanged } = elements(commands, operators, scope);
    if (!isChanged) return isTimed ? unknownOutput : withoutResult(output);
    if (round === mostWalks)
      throw new Outside('commands of a pipeline keep changing files that the others use', '');
    // The commands run beside each other, so an earlier one may see what a later one changes.
    report.rewind(reported);
    scope.input.output = given;
  }
}

/** The most walks of a pipeline until its commands change no further files. */
const mostWalks = 4;

/** Walks the commands of a pipeline once. `isChanged`: one behind the first changes files. */
function elements(
  commands: readonly CommandNode[],
  operators: Pipeline['operators'],
  scope: Scope,
): { readonly output: Output; readonly isChanged: boolean } {
  const { changes } = scope.walk.world;
  let { input } = scope;
  let output: Output = noOutput;
  let stamp = '';
  commands.forEach((command, index) => {
    const isRead = index < commands.length - 1 || scope.isRead;
    output = commandNode(command, subshell(scope, { input, isRead }));
    if (operators[index] === '|&') output = unknownOutput;
    input = { output };
    if (index === 0) stamp = stampOf(changes);
  });
  return { output, isChanged: stampOf(changes) !== stamp };
}

export function commandNode(command: CommandNode, scope: Scope): Output {
  scope.walk.report.spend(2);
  scope.failed = null;
  if (command.type !== 'Command') scope.last = null;
  const output = commandOutput(command, scope);
  if (command.type !== 'Command') scope.last = null;
  noteForTraps(scope);
  return output;
}

function commandOutput(command: CommandNode, scope: Scope): Output {
  switch (command.type) {
    case 'Command':
      return isHook(command, scope) ? noOutput : simpleCommand(command, scope);
    case 'Redirected': {
      const before = scope.state;
      const streams = redirect(command.redirects, scope);
      return outputBetween(command.redirects, { streams, scope, before }, (inner) =>
        commandNode(command.command, inner),
      );
    }
    case 'BraceGroup':
      return statements(command.body.commands, scope);
    case 'Subshell':
      return statements(command.body.commands, subshell(scope));
    case 'If':
      return choice(command, scope);
    case 'Case':
      return cases(command, scope);
    case 'While':
      return whileLoop(command, scope, list);
    case 'For':
      return forLoop(command, scope, list);
    case 'TestCommand':
      if (scope.isPosix) throw new Outside('`[[` is not described for other shells', '[[');
      testCommand(command.expression, scope);
      return noOutput;
    case 'ArithmeticCommand':
      // Others read a command in two subshells.
      if (scope.isPosix) throw new Outside('`((` is not described for other shells', '((');
      requirePlain(command.expression, `((${command.body}))`, scope);
      return noOutput;
    case 'ArithmeticFor':
      return countingLoop(command, scope, list);
    case 'Function':
      return define(command, scope);
    case 'Coproc':
    case 'Select':
      throw new Outside(`\`${command.type.toLowerCase()}\` is not described`, '');
  }
}

function list({ commands }: CompoundList, scope: Scope): Output {
  return statements(commands, scope);
}

function choice(command: If, scope: Scope): Output {
  const ends: State[] = [];
  const outputs: Output[] = [];
  for (const branch of [command, ...command.elif]) {
    outputs.push(list(branch.clause, scope));
    const failed = scope.failed ?? scope.state;
    scope.failed = null;
    const [test, ...others] = branch.clause.commands;
    if (test !== undefined && others.length === 0 && isMissing(test.command, scope)) continue;
    outputs.push(list(branch.then, scope));
    settle(scope);
    ends.push(scope.state);
    scope.state = failed;
  }
  if (command.else !== undefined) outputs.push(list(command.else, scope));
  settle(scope);
  scope.state = ends.reduce(join, scope.state);
  return outputs.map(maybe).reduce(both);
}

function cases({ word, items }: Case, scope: Scope): Output {
  valueOfWord(word, scope);
  let start = scope.state;
  const isAny = items.some(({ pattern }) => pattern.some(({ text }) => text === '*'));
  // Without a pattern for any word, no part may match.
  const ends: State[] = isAny ? [] : [start];
  let output: Output = noOutput;
  for (const { pattern, body, terminator } of items) {
    for (const each of pattern) {
      const written = each.text.replaceAll(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})/g, '');
      if (written !== each.text) valueOfWord(each, scope);
      if (/[$`]|[<>]\(/.test(written))
        throw new Outside('a pattern with an expansion is not described', each.text);
      if (each.parts?.some(({ type }) => type === 'ExtendedGlob') === true) wordsOf([each], scope);
    }
    scope.state = start;
    output = both(output, maybe(list(body, scope)));
    settle(scope);
    ends.push(scope.state);
    // `;&` and `;;&` continue with later ones.
    if (terminator !== ';;') start = join(start, scope.state);
  }
  scope.state = ends.reduce(join);
  return output;
}
