import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import type { AndOr, PipelineNode } from 'unbash';
import { isGone, isOfRoot, sourceFile } from '../builtins/login-file.js';
import { isBuiltinName } from '../builtins/names.js';
import { isPrivate } from '../run/environment.js';
import { Outside } from '../state/outside.js';
import type { Report } from '../state/report.js';
import type { Scope } from '../state/scope.js';
import { type State, type Variable, withVariable } from '../state/state.js';
import { type Output, text, textOf, unknown } from '../word.js';
import { mayDiffer, mayExist, mayHaveChangedBelow } from '../world.js';
import type { WrittenWord } from './words/atoms.js';
import { valueOfWord, wordsOf } from './words/expand.js';

/** What a login shell reads of the machine. It is trusted, as the programs in `/usr/bin` are. */
const ofMachine = ['/etc/profile', '/etc/profile.d', '/etc/bash.bash_logout'];
/** What it reads of the user: the first that exists. */
const ofUser = ['.bash_profile', '.bash_login', '.profile'];
const atEnd = '.bash_logout';

/** What such a file of the machine seldom does: it sets more than any environment may have, or reads a file at home. */
const unusual =
  /\b(?:HOME|TMPDIR|CDPATH|GLOBIGNORE|BASH_ENV|POSIXLY_CORRECT)=|\bshims\b|volta|(?:^|[\s;&|])(?:\.|source|eval)[ \t].*(?:HOME|~)/m;
/** A file that does so for interactive shells only. */
const completion = '/etc/profile.d/bash_completion.sh';

/** Walks a text in a login shell of bash, with the files that such a shell reads before and after it. */
export function inLogin(scope: Scope, walkText: (inner: Scope) => Output): Output {
  const { walk, shell } = scope;
  const { ends } = walk.notes;
  elseOpaque(() => {
    readOfMachine(scope);
    readOfUser(ofUser, scope);
    // What ends a login file early may end the shell, in a state that is not known here.
    if (walk.notes.ends !== ends && mayExist(posix.join(walk.world.home, atEnd), walk.world))
      throw notFollowed(`\`~/${atEnd}\``);
  }, scope);
  // Which program a name stands for is as trusted as it is without a login, but where that lies is unknown.
  const state = withUnknown(scope.state, (name) => name === 'PATH' || isPrivate(name));
  const inner: Scope = { ...scope, state, walk: { ...walk, world: { ...walk.world, searchPath: [] } } };
  const begun = walk.notes.ends;
  const end = { text: '', isAtEnd: true, state };
  shell?.traps.push(end);
  const output = walkText(inner);
  // `exit` reads it. An end by itself does not.
  if (walk.notes.ends !== begun) elseOpaque(() => readOfUser([atEnd], { ...scope, state: end.state }), scope);
  return output;
}

function readOfMachine(scope: Scope): void {
  const { home, roots, changes } = scope.walk.world;
  const folder = orNull(() => readdirSync('/etc/profile.d')) ?? [];
  const files = [...ofMachine, ...folder.map((name) => `/etc/profile.d/${name}`)];
  const isKept = (path: string) => !mayDiffer(path, changes) && !mayHaveChangedBelow(path, changes);
  const read = files.filter((path) => path !== completion);
  const texts = read.map((path) => orNull(() => readPlain(path).toString('utf8')) ?? '');
  const isUsual = textOf(scope.state.variables.get('HOME')?.value) === home;
  const areTrusted = !isOfRoot(home, roots) && files.every((path) => !isOfRoot(path, roots) && isKept(path));
  if (!isUsual || !areTrusted || texts.some((each) => unusual.test(each)))
    throw notFollowed('the login files of the machine');
  const state = withUnknown(scope.state, (name) => !/^(?:HOME|TMPDIR)$/.test(name));
  scope.state = withVariable({ ...state, inherits: true }, 'PATH', {
    value: text('/usr/bin'),
    isExported: true,
  });
}

/** The state in which some variables that programs see may have another value. */
function withUnknown(state: State, isUnknown: (name: string) => boolean): State {
  const known = [...state.variables].map(([name, variable]): [string, Variable] => [
    name,
    isUnknown(name) ? { ...variable, value: unknown(`$${name}`) } : variable,
  ]);
  return { ...state, variables: new Map(known) };
}

/** What the text does is known beside what the files may do. */
function elseOpaque(work: () => void, { walk }: Scope): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Outside)) throw error;
    walk.report.opaque({ program: 'bash', text: error.written }, error.why);
    walk.world.changes.open.add('/');
  }
}

function notFollowed(what: string): Outside {
  return new Outside(`${what} may do more than is known; write \`bash -c\` without -l`, what);
}

/** Reads the first of these files in the home folder. What they hold is private, so no report quotes it. */
function readOfUser(names: readonly string[], scope: Scope): void {
  const { world, report } = scope.walk;
  const name = names.find((each) => mayExist(posix.join(world.home, each), world));
  if (name === undefined) return;
  const inner = {
    ...scope,
    isLogin: true,
    shell: null,
    walk: { ...scope.walk, report: withoutTexts(report) },
  };
  try {
    sourceFile(posix.join(world.home, name), inner);
  } catch (error) {
    if (!(error instanceof Outside)) throw error;
    throw notFollowed(`\`~/${name}\``);
  }
  scope.state = inner.state;
}

/** A report that leaves out what is of the shell itself, and quotes nothing. Throws `Outside` for what is opaque. */
function withoutTexts(report: Report): Report {
  return {
    ...report,
    add: (capability) => {
      const { name, program, by } = capability;
      const isOfShell = name === 'proc.exec' && typeof program === 'string' && isBuiltinName(program);
      const isLook = /^fs\.list(?:\.|$)/.test(name) && by === 'shell';
      const plain = Object.entries(capability).filter(([fact]) => !/^(?:argv|text|value)$/.test(fact));
      if (!isOfShell && !isLook && name !== 'env.set') report.add({ ...Object.fromEntries(plain), name });
    },
    opaque: (_, why) => {
      throw new Outside(why, '');
    },
  };
}

/** Statements of login files behind which only an interactive shell continues. */
const forInteractive =
  /^(?:case "?\$-"? in\s+\*i\*\)\s*;;\s*\*\)\s*return\s*;;\s*esac|\[\[ "?\$-"? != \*i\* \]\] && return|\[\[ "?\$-"? == \*i\* \]\] \|\| return)$/;

/** Whether a login file ends with this statement, because no shell of a line is interactive. */
export function endsFile(written: string, { isLogin }: Scope): boolean {
  return isLogin === true && forInteractive.test(written);
}

/** Whether a command of a login file certainly fails: it looks for a file that is missing. */
export function isMissing(command: PipelineNode | AndOr, scope: Scope): boolean {
  const word = scope.isLogin === true ? fileOf(command) : null;
  if (word === null) return false;
  // `[[` neither splits nor matches its words.
  const [only, ...others] =
    command.type === 'TestCommand' ? [valueOfWord(word, scope)] : wordsOf([word], scope);
  const path = textOf(only) ?? '';
  // What is in `/proc/self` and `/dev/fd` differs from process to process.
  const isPlain = others.length === 0 && /^\/(?!.*(?:proc|dev)\/)[^*?[\\]*$/.test(path);
  return isPlain && isGone(path, scope.walk.world);
}

/** The file in `[ -f FILE ]` and `[[ -f FILE ]]`; null for any other command. */
function fileOf(command: PipelineNode | AndOr): WrittenWord | null {
  if (command.type === 'TestCommand' && command.expression.type === 'TestUnary') {
    const { operator, operand } = command.expression;
    return /^-[defrsx]$/.test(operator) ? operand : null;
  }
  if (command.type !== 'Command' || command.name?.text !== '[' || command.prefix.length > 0) return null;
  const [option, file, end, ...more] = command.suffix;
  const isTest = /^-[defrsx]$/.test(option?.type === 'Word' ? option.text : '') && more.length === 0;
  return isTest && file?.type === 'Word' && end?.type === 'Word' && end.text === ']' ? file : null;
}
