import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import { isOfRoot, sourceFile } from '../builtins/login-file.js';
import { isBuiltinName } from '../builtins/names.js';
import type { Login } from '../effect.js';
import { Outside } from '../state/outside.js';
import type { Report } from '../state/report.js';
import type { Scope } from '../state/scope.js';
import { type State, type Variable, withVariable } from '../state/state.js';
import { type Output, text, textOf, unknown } from '../word.js';
import { mayDiffer, mayExist, mayHaveChangedBelow } from '../world.js';
import { isSecretName } from './words/parameter.js';

/** What a login shell reads of the machine. It is trusted, as the programs in `/usr/bin` are. */
const ofMachine = ['/etc/profile', '/etc/profile.d', '/etc/bash.bash_logout'];
/** What it reads of the user: the first that exists. */
const ofUser = ['.bash_profile', '.bash_login', '.profile'];
const atEnd = '.bash_logout';

/** What such a file of the machine seldom does: it sets more than any environment may have, or reads a file at home. */
const unusual =
  /\b(?:HOME|TMPDIR|CDPATH|GLOBIGNORE|BASH_ENV|POSIXLY_CORRECT)=|\bexpand_aliases\b|\bset\b.*\bposix\b|\bshims\b|volta|(?:^|[\s;&|])(?:\.|source|eval)[ \t].*(?:HOME|~)/m;
/** Where they set the prompt of interactive shells; no other shell begins with one. */
const forPrompt = /^if \[ (?:-n )?"\$\{?PS1-?\}?" \]; then\n(?:(?!fi$).*\n)*fi$/gm;
/** A file that does so for interactive shells only. */
const completion = '/etc/profile.d/bash_completion.sh';

/** Walks a text in a login shell of bash, with the files that such a shell reads before and after it. */
export function inLogin(scope: Scope, walkText: (inner: Scope) => Output, login: Login): Output {
  const { walk, shell } = scope;
  const { ends } = walk.notes;
  elseOpaque(() => {
    readOfMachine(scope);
    const before = scope.state;
    readOfUser(ofUser, scope);
    if (login === 'nounset') scope.state = anywhereBetween(before, scope.state);
    // What ends a login file early may end the shell, in a state that is not known here.
    if (walk.notes.ends !== ends && mayExist(posix.join(walk.world.home, atEnd), walk.world))
      throw notFollowed(`\`~/${atEnd}\``);
  }, scope);
  // Which program a name stands for is as trusted as it is without a login, but where that lies is unknown.
  const unknownPath = withUnknown(scope.state, (name) => name === 'PATH');
  // A secret is of the environment, also one that the line has set.
  const variables = [...unknownPath.variables].filter(([name]) => !isSecretName(name));
  const state = { ...unknownPath, variables: new Map(variables) };
  const searchPath = [...walk.notes.shims, ...walk.searchPath];
  const inner: Scope = {
    ...scope,
    state,
    walk: { ...walk, searchPath, world: { ...walk.world, searchPath: [] } },
  };
  const begun = walk.notes.ends;
  const end = { text: '', isAtEnd: true, state };
  shell?.traps.push(end);
  const output = walkText(inner);
  // `exit` reads it. An end by itself does not.
  if (walk.notes.ends !== begun) elseOpaque(() => readOfUser([atEnd], { ...scope, state: end.state }), scope);
  return output;
}

/** The state after login files that a variable without a value may end at any command. */
function anywhereBetween(before: State, after: State): State {
  const others = (state: State) => JSON.stringify({ ...state, variables: null, functions: null });
  if (after.arrays !== undefined || others(before) !== others(after))
    throw notFollowed('login files with -u');
  const names = new Set([...before.variables.keys(), ...after.variables.keys()]);
  const isChanged = (name: string) => before.variables.get(name) !== after.variables.get(name);
  const changed = [...names].filter(isChanged).map((name): [string, Variable] => {
    const last = after.variables.get(name) ?? { isExported: true };
    return [name, { ...last, value: unknown(`$${name}`) }];
  });
  return { ...after, variables: new Map([...after.variables, ...changed]) };
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
  scope.walk.notes.hasPrompt = /\bPS1=|bashrc\b/.test(texts.join('\n').replaceAll(forPrompt, ''));
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
    throw notFollowed(error.place ?? `\`~/${name}\``);
  }
  // The commands of a login file are private, so no call behind it is described.
  const functions = [...(inner.state.functions ?? [])].map(([each]) => [each, null] as const);
  scope.state = { ...inner.state, ...(functions.length > 0 && { functions: new Map(functions) }) };
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
