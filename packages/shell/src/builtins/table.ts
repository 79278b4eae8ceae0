import { reportVariable, setVariable } from '../facts/variable.js';
import type { Scope } from '../state/scope.js';
import { requireNoArray, requireNotFixed, withoutVariable, withVariable } from '../state/state.js';
import { isAssignable } from '../state/variables.js';
import { noOutput, text, textOf, unknown, unknownOutput, type Word } from '../word.js';
import { type Builtin, notDescribed, textsOf } from './builtin.js';
import { cd, popd, pushd, pwd } from './folder.js';
import { isOfLogin, isTrustedPath } from './login-file.js';
import { echo, printf } from './output.js';
import { read, readArray } from './read.js';
import { running } from './running.js';
import { testWords } from './test-command.js';

const nothing: Builtin = () => noOutput;

const test: Builtin = (words, scope) => {
  testWords(words, scope);
  return noOutput;
};

const bracket: Builtin = (words, scope) => {
  if (textOf(words.at(-1)) !== ']') throw notDescribed('[', words);
  return test(words.slice(0, -1), scope);
};

/** `export NAME=value`, or `export NAME` for one of the line, for variables without other effects. */
const exportVariables: Builtin = (words, scope) => {
  if (words.length === 0) throw notDescribed('export', words);
  reportExports(words, scope);
  for (const word of textsOf('export', words)) {
    const [, name = '', written] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const value = written === undefined ? scope.state.variables.get(name)?.value : text(written);
    if (value === undefined) throw notDescribed('export', words);
    if (isTrustedPath(name, textOf(value), scope)) continue;
    if (!isOfLogin(name, textOf(value), scope)) setVariable(scope.walk.report, name, textOf(value), word);
    scope.state = withVariable(scope.state, name, { value, isExported: true });
  }
  return noOutput;
};

/** Names each variable, also one without a value here or with an unknown one, which makes the line opaque. */
function reportExports(words: readonly Word[], { state, walk }: Scope): void {
  const given = words.map((word) => {
    const known = textOf(word);
    const start = known ?? (word.kind === 'unknown' ? word.start : '');
    const [, name, value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(start) ?? [];
    if (name === undefined || (known === null && value === undefined)) return null;
    return { name, value: known === null ? null : (value ?? textOf(state.variables.get(name)?.value)) };
  });
  // A word that may be an option can mean the opposite: `export -n NAME`.
  if (given.includes(null)) return;
  for (const one of given) if (one !== null) reportVariable(walk.report, one.name, one.value);
}

/** Options that change when the shell stops, and what it writes about it. */
const plainOptions: ReadonlySet<string> = new Set(['errexit', 'nounset', 'pipefail', 'xtrace']);

const set: Builtin = (words, scope) => {
  const end = words.findIndex((word) => textOf(word) === '--');
  const texts = textsOf('set', end === -1 ? words : words.slice(0, end));
  if (words.length === 0) throw notDescribed('set', words);
  if (/^[-+]o$/.test(texts.join(' ')) && end === -1) return unknownOutput;
  for (let at = 0; at < texts.length; at += 1) {
    const option = texts[at] ?? '';
    if (!/^[-+](?:[eux]+o?|o)$/.test(option)) throw notDescribed('set', words);
    const name = option.endsWith('o') ? (texts[at + 1] ?? '') : null;
    if (name !== null && (!plainOptions.has(name) || scope.isPosix)) throw notDescribed('set', words);
    at += name === null ? 0 : 1;
    if (option.includes('e') || name === 'errexit') setEnding(option.startsWith('-'), scope);
  }
  const [own = unknown('$0')] = scope.state.parameters ?? [];
  if (end !== -1) scope.state = { ...scope.state, parameters: [own, ...words.slice(end + 1)] };
  return noOutput;
};

/** `set -e` and `set +e`. */
function setEnding(isOn: boolean, scope: Scope): void {
  const { endsOnFailure: _, ...state } = scope.state;
  scope.state = { ...state, ...(isOn && { endsOnFailure: true }) };
  scope.walk.notes.ends += 1;
}

const unset: Builtin = (words, scope) => {
  for (const name of textsOf('unset', words)) {
    requireNoArray(scope.state, name);
    requireNotFixed(scope.state, name);
    // In a function it may uncover a variable of a caller, and a name without a variable is that of a function.
    const isUnclear = scope.state.locals !== undefined || scope.state.functions?.has(name) === true;
    if (isUnclear || !/^[A-Za-z_]\w*$/.test(name)) throw notDescribed('unset', words);
    // Programs take a variable without a text for none.
    if (!isAssignable(name) || scope.state.variables.get(name)?.isExported === true)
      setVariable(scope.walk.report, name, '', name, true);
    scope.state = withoutVariable(scope.state, name);
  }
  return noOutput;
};

/** Builtins that only print something of the shell, with these words. */
const printOnly =
  (name: string, isPrinting: RegExp = /^$/): Builtin =>
  (words) => {
    if (!isPrinting.test(textsOf(name, words).join(' '))) throw notDescribed(name, words);
    return unknownOutput;
  };

/** A shell of its own expands no aliases, unless it follows POSIX. No login file that is followed changes that. */
const alias: Builtin = (words, scope) =>
  scope.isPosix || (scope.state.inherits === true && scope.isLogin !== true)
    ? printOnly('alias')(words, scope)
    : unknownOutput;

/** Options that change what patterns match. Where no file matches, `failglob` would leave the line. */
const globbing: ReadonlySet<string> = new Set(['nullglob', 'globstar', 'dotglob']);
/** Options that concern no command here. */
const idle: ReadonlySet<string> = new Set(['inherit_errexit', 'checkwinsize', 'cmdhist', 'histappend']);

const shopt: Builtin = (words, scope) => {
  const [option = '', ...names] = textsOf('shopt', words);
  // A later `-s` sets after `-q`, too.
  const isPrinting = /^(?!-)|^-[pq]$/.test(option) && !names.some((name) => name.startsWith('-'));
  if (isPrinting || /^-[su]$/.test([option, ...names].join(' '))) return unknownOutput;
  if (!/^-[su]$/.test(option) || !names.every((name) => globbing.has(name) || idle.has(name)))
    throw notDescribed('shopt', words);
  const before = (scope.state.globbing ?? '').split(' ');
  const kept = before.filter((name) => name !== '' && !names.includes(name));
  const now = option === '-s' ? [...kept, ...names.filter((name) => globbing.has(name))] : kept;
  scope.state = {
    ...scope.state,
    globbing: before[0] === 'unsure' ? 'unsure' : [...new Set(now)].sort().join(' '),
  };
  return noOutput;
};

/** Another shell may lack it, and run a program of this name. */
const inBash =
  (name: string, builtin: Builtin): Builtin =>
  (words, scope) => {
    if (scope.isPosix) throw notDescribed(name, words);
    return builtin(words, scope);
  };

export const builtins: Readonly<Record<string, Builtin>> = {
  ...running,
  ':': nothing,
  true: nothing,
  false: nothing,
  '[': bracket,
  alias,
  cd,
  bind: inBash('bind', printOnly('bind', /^-[lpPsSvVX]$/)),
  dirs: inBash('dirs', printOnly('dirs', /^(?:-[lpv]+)?$/)),
  echo,
  export: exportVariables,
  hash: printOnly('hash', /^(?:-r|\w[\w.-]*(?: \w[\w.-]*)*)?$/),
  help: inBash('help', printOnly('help', /^[a-z ]*$/)),
  history: inBash('history', printOnly('history', /^\d*$/)),
  jobs: printOnly('jobs'),
  mapfile: readArray,
  popd: inBash('popd', popd),
  printf,
  pushd: inBash('pushd', pushd),
  pwd,
  read,
  readarray: readArray,
  set,
  shopt: inBash('shopt', shopt),
  test,
  ulimit: printOnly('ulimit', /^(?:-[acdfnstuv])?$/),
  // With these, others may not write what the line makes, as without them.
  umask: printOnly('umask', /^(?:-S|0?0[2367][2367])?$/),
  unset,
};
