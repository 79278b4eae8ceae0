import type {
  AndOr,
  CommandNode,
  CompoundList,
  Function as FunctionNode,
  Pipeline,
  PipelineNode,
  Statement,
} from 'unbash';
import { type Here, type Result, subshell } from './here.js';
import { loop } from './loop.js';
import { redirect, redirected } from './redirect.js';
import { simpleCommand } from './simple.js';
import { join, lost, type State } from './state.js';
import { testCommand } from './test-command.js';
import { textOf, type Word, type WordPart, word } from './word.js';
import { compact } from './words/fields.js';

/** Commands one after another. What they write together is known where it is of each. */
export function statements(list: readonly Statement[], here: Here): Result {
  const outputs: (Word | null)[] = [];
  let last: Result = { output: word('') };
  for (const statement of list) {
    if (!here.walk.report.spend(1)) return { output: null };
    last = bounded(statement, here);
    outputs.push(last.output);
    if (statement !== list[list.length - 1]) settle(last, here);
  }
  const isKnown = outputs.every((output) => output !== null);
  const parts = outputs.flatMap((output): readonly WordPart[] => output?.parts ?? []);
  return { ...last, output: isKnown ? compact(parts) : null };
}

/** What is as deep as nothing that anybody means is not looked at, and what follows is. */
function bounded(statement: Statement, here: Here): Result {
  try {
    return oneStatement(statement, here);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    here.walk.report.opaque('', 'it is too deep');
    here.state = lost(here.state);
    return { output: null };
  }
}

/** From here on it does not matter whether the command succeeded. */
function settle({ failed }: Result, here: Here): void {
  if (failed !== undefined) here.state = join(here.state, failed);
}

function oneStatement({ command, background }: Statement, here: Here): Result {
  if (background !== true) return node(command, here);
  here.walk.seen.is_concurrent = true;
  node(command, subshell(here));
  return { output: null };
}

export function node(command: PipelineNode | AndOr, here: Here): Result {
  if (command.type === 'AndOr') return andOr(command, here);
  return command.type === 'Pipeline' ? pipeline(command, here) : commandNode(command, here);
}

function andOr({ commands, operators }: AndOr, here: Here): Result {
  const [first, ...rest] = commands;
  if (first === undefined) return { output: null };
  let result = node(first, here);
  let success: State = here.state;
  let failure: State = result.failed ?? here.state;
  rest.forEach((command, index) => {
    const isAnd = operators[index] === '&&';
    const inner: Here = { ...here, state: isAnd ? success : failure };
    const next = node(command, inner);
    const failed = next.failed ?? inner.state;
    success = isAnd ? inner.state : join(success, inner.state);
    failure = isAnd ? join(failure, failed) : failed;
    // What a part writes that may not run is not known, unless nothing is written either way.
    const isSure = isAnd && result.is_sure === true;
    result = {
      output: isSure ? both(result.output, next.output) : silent(result, next),
      is_sure: isSure && next.is_sure === true,
    };
  });
  here.state = success;
  return { output: result.output, ...(failure !== success && { failed: failure }) };
}

function both(one: Word | null, other: Word | null): Word | null {
  return one === null || other === null ? null : compact([...one.parts, ...other.parts]);
}

function silent(one: Result, other: Result): Word | null {
  const isSilent = [one.output, other.output].every((output) => output !== null && textOf(output) === '');
  return isSilent ? word('') : null;
}

function pipeline({ commands }: Pipeline, here: Here): Result {
  const [only, ...others] = commands;
  if (only !== undefined && others.length === 0) {
    const result = commandNode(only, here);
    settle(result, here);
    return { output: result.output };
  }
  here.walk.seen.is_concurrent = true;
  let { input } = here;
  let output: Word | null = null;
  const before = here.state;
  let after = before;
  commands.forEach((command, index) => {
    const inner = subshell(here, { state: before, input });
    ({ output } = commandNode(command, inner));
    input = { text: here.walk.seen.writes_beside ? null : output };
    // With `lastpipe` the last one runs in the shell itself.
    if (index === commands.length - 1 && before.is_lost) after = join(before, inner.state);
  });
  here.state = after;
  return { output };
}

function commandNode(command: CommandNode, here: Here): Result {
  const { report } = here.walk;
  if (!report.spend(2)) return { output: null };
  switch (command.type) {
    case 'Command':
      return simpleCommand(command, here);
    case 'Redirected': {
      const streams = redirect(command.redirects, here);
      const inner: Here = { ...here, input: streams.input };
      const result = commandNode(command.command, inner);
      here.state = inner.state;
      return redirected(result, streams);
    }
    case 'BraceGroup':
      return statements(command.body.commands, here);
    case 'Subshell': {
      const { output } = statements(command.body.commands, subshell(here));
      return { output };
    }
    case 'If':
      return choose(command, here);
    case 'Case': {
      here.walk.word(command.word, here);
      const before = here.state;
      let after = before;
      for (const { pattern, body } of command.items) {
        for (const each of pattern) here.walk.word(each, here);
        // `;&` goes on into the next one.
        const inner: Here = { ...here, state: join(before, after) };
        settle(statements(body.commands, inner), inner);
        after = join(after, inner.state);
      }
      here.state = after;
      return { output: null };
    }
    case 'While':
    case 'For':
    case 'Select':
    case 'ArithmeticFor':
      return loop(command, here, list);
    case 'TestCommand':
      testCommand(command.expression, here);
      return { output: word('') };
    case 'ArithmeticCommand':
      if (command.expression === undefined && command.body.trim() !== '')
        report.opaque(command.body, 'the expression cannot be read');
      here.walk.arithmetic(command.expression ?? null, here);
      return { output: word('') };
    case 'Function':
      define(command, here);
      return { output: word('') };
    case 'Coproc': {
      here.walk.seen.is_concurrent = true;
      const inner = subshell(here, { input: { text: null } });
      if (command.body.type === 'CompoundList') list(command.body, inner);
      else commandNode(command.body, inner);
      return { output: word('') };
    }
    default:
      report.opaque('', 'the construct is not known');
      return { output: null };
  }
}

export function list({ commands }: CompoundList, here: Here): Result {
  return statements(commands, here);
}

function choose(command: Extract<CommandNode, { type: 'If' }>, here: Here): Result {
  const ends: State[] = [];
  const { else: otherwise } = command;
  for (const branch of [command, ...command.elif]) {
    const { failed = here.state } = list(branch.clause, here);
    const inner: Here = { ...here };
    const asked = here.state;
    inner.state = asked;
    settle(list(branch.then, inner), inner);
    ends.push(inner.state);
    here.state = failed;
  }
  if (otherwise !== undefined) settle(list(otherwise, here), here);
  here.state = ends.reduce((all, each) => join(all, each), here.state);
  return { output: null };
}

/** The most functions that are kept apart. */
const mostFunctions = 300;

function define({ name, body }: FunctionNode, here: Here): void {
  const text = textOf(here.walk.word(name, here)) ?? name.text;
  if (here.state.functions.size > mostFunctions) {
    here.walk.report.opaque('', 'there are too many functions to follow');
    here.walk.defined.add(body);
    return;
  }
  const functions = new Map(here.state.functions);
  functions.set(text, { bodies: [body], is_certain: true, is_exported: here.state.modes.exports_all });
  here.state = { ...here.state, functions };
  here.walk.defined.add(body);
}

/** Walks the body of a function. */
export function functionBody(body: FunctionNode['body'], here: Here): Result {
  here.walk.defined.delete(body);
  return body.type === 'CompoundList' ? list(body, here) : commandNode(body, here);
}
