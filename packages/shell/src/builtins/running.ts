import { loadCode, sourcedWord } from '../facts/load.js';
import { foundIn } from '../listing/programs/path-parts.js';
import { Outside } from '../state/outside.js';
import { isAnyNumber, mayMove, noOutput, text, textOf, unknownOutput, writtenAs } from '../word.js';
import { type Builtin, notDescribed } from './builtin.js';
import { sourceFile } from './login-file.js';
import { isBuiltinName } from './names.js';

const exit: Builtin = (words, scope) => {
  const isStatus =
    words.length <= 1 && words.every((word) => /^\d*$/.test(textOf(word) ?? '') || isAnyNumber(word));
  if (!isStatus) throw notDescribed('exit', words);
  scope.state = { ...scope.state, isDead: true };
  scope.walk.notes.ends += 1;
  return noOutput;
};

/** `return`: leaves the function in this state. */
const leave: Builtin = (words, scope) => {
  if (scope.returns === null) throw notDescribed('return', words);
  scope.returns.push(scope.state);
  return exit(words, scope);
};

/** `shift N`: later parameters take the place of the first ones. */
const shift: Builtin = (words, scope) => {
  const [given, ...others] = words;
  const count = given === undefined ? '1' : (textOf(given) ?? '');
  const [own, ...parameters] = scope.state.parameters ?? [];
  const gone = parameters.slice(0, Number(count));
  const isKnown = own !== undefined && !gone.some(mayMove);
  if (!/^\d{1,3}$/.test(count) || others.length > 0 || !isKnown) throw notDescribed('shift', words);
  if (gone.length === Number(count))
    scope.state = { ...scope.state, parameters: [own, ...parameters.slice(gone.length)] };
  return noOutput;
};

/** `break` and `continue`: leave the loop, or start its next round, in this state. */
const breakLoop: Builtin = (words, scope) => {
  if (words.length > 0 || scope.exits === null) throw notDescribed('break', words);
  scope.exits.push(scope.state);
  return noOutput;
};

/** Signals whose traps run at any time, or never: `KILL` and `STOP` end a process without one. */
const signals = /^(?:SIG)?(?:ERR|HUP|INT|QUIT|ABRT|KILL|USR[12]|PIPE|ALRM|TERM|STOP|[1-9]|1[0-5])$/;

/** `trap TEXT SIGNAL…`. Without a text, it prints the traps. */
const trap: Builtin = (words, scope) => {
  const [given, ...others] = textOf(words[0]) === '--' ? words.slice(1) : words;
  if (given === undefined || /^-[lp]$/.test(textOf(given) ?? '')) return unknownOutput;
  const { shell } = scope;
  const text = textOf(given);
  const names = others.map((word) => textOf(word) ?? '');
  const isExit = (name: string) => /^(?:EXIT|0)$/.test(name);
  const isAtEnd = names.every(isExit);
  const isOther = names.length === 0 || !names.every((name) => isExit(name) || signals.test(name));
  if (text === null || shell === null || isOther || scope.isPosix) throw notDescribed('trap', words);
  // A trap that is taken back may have run before.
  if (/^-?$/.test(text)) return noOutput;
  shell.traps.push({ text, isAtEnd, state: scope.state });
  scope.walk.notes.isConcurrent = true;
  return noOutput;
};

/** `let EXPRESSION…` as `((EXPRESSION))`. */
const calculate: Builtin = (words, scope) => {
  for (const word of words) {
    const text = textOf(word) ?? '';
    if (scope.isPosix || !/^[\w \t+*/%=<>!&|^~?:,-]+$/.test(text)) throw notDescribed('let', words);
    scope.walk.here(`((${text}))`, scope);
  }
  return noOutput;
};

const wait: Builtin = (words) => {
  if (
    words.some(
      (word) => textOf(word)?.startsWith('-') === true || (word.kind !== 'text' && !isAnyNumber(word)),
    )
  )
    throw notDescribed('wait', words);
  return noOutput;
};

/** `command -v NAME` looks a name up; `command NAME …` runs a program past functions. */
const runCommand: Builtin = (words, scope) => {
  const [first, ...rest] = words;
  const option = textOf(first);
  if (option === '-v' || option === '-V') {
    // The options of `type` only look up names, too.
    if (!rest.every((word) => /^(?:-[atpP]+|[^-].*)$/s.test(textOf(word) ?? 'name')))
      throw notDescribed('command', words);
    const isOwn = (name: string) => isBuiltinName(name) || scope.state.functions?.has(name) === true;
    const areFiles = option === '-v' && !rest.some((word) => isOwn(textOf(word) ?? ''));
    return areFiles ? foundIn(rest, scope.walk.world) : unknownOutput;
  }
  if (option === null || option.startsWith('-') || isBuiltinName(option))
    throw notDescribed('command', words);
  return scope.walk.program(words, scope);
};

/** `kill [-SIGNAL] PID…`: a process, or a job of the shell, which is a part of the line. */
const kill: Builtin = (words, scope) => {
  const [first] = words;
  const signal = textOf(first) ?? '';
  if (signal === '-l' || signal === '-L') return unknownOutput;
  const isSigned = /^-(?:\d{1,2}|[A-Z][A-Z0-9+-]*)$/.test(signal);
  const skipped = isSigned ? 1 : signal === '-s' || signal === '-n' ? 2 : 0;
  const targets = words.slice(skipped);
  if (targets.length === 0) throw notDescribed('kill', words);
  for (const target of targets) {
    const known = textOf(target);
    if (known !== null && !/^(?:%?\d{1,9}|%[%+-]?)$/.test(known)) throw notDescribed('kill', words);
    const isPid = known !== null && /^\d+$/.test(known);
    if (known?.startsWith('%') || (target.kind === 'unknown' && target.isJob)) continue;
    scope.walk.report.add({ name: 'proc.signal', ...(isPid && { pid: Number(known) }) });
  }
  return noOutput;
};

/** `source FILE`: loads the file as code; its effect on the shell is unknown, but in a login file. */
function sourceAs(name: '.' | 'source'): Builtin {
  return (words, scope) => {
    const [word] = words;
    const written = [name, ...words.map(writtenAs)].join(' ');
    if (word === undefined) throw new Outside(`\`${name}\` is not described`, written);
    const path = textOf(word);
    if (scope.isLogin === true && words.length === 1 && path?.startsWith('/')) {
      sourceFile(path, scope);
      return unknownOutput;
    }
    for (const folder of scope.state.folders) {
      const left = loadCode({ word: sourcedWord(word, scope), folder, by: 'shell' }, scope);
      if (left !== null && Object.keys(left).length > 0)
        scope.walk.report.opaque({ text: written, ...left }, 'the file that it loads may be changed first');
    }
    throw new Outside(`\`${name}\` is not described`, written);
  };
}

/** Builtins that run something, or change what runs next. */
export const running: Readonly<Record<string, Builtin>> = {
  '.': sourceAs('.'),
  break: breakLoop,
  command: runCommand,
  continue: breakLoop,
  exit,
  kill,
  let: calculate,
  return: leave,
  shift,
  source: sourceAs('source'),
  trap,
  type: (words, scope) => runCommand([text('-v'), ...words], scope),
  wait,
};
