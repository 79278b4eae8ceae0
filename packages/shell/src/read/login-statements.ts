import type { AndOr, Command, PipelineNode } from 'unbash';
import { isGone, isOfRoot, isTrustedPath } from '../builtins/login-file.js';
import { touch } from '../facts/touch.js';
import type { Scope } from '../state/scope.js';
import { text, textOf } from '../word.js';
import { mayDiffer, mayHaveChanged } from '../world.js';
import type { WrittenWord } from './words/atoms.js';
import { valueOfWord, wordsOf } from './words/expand.js';

const brew = ['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'].map(
  (at) => `${at}/bin/brew shellenv`,
);
/** Commands that print only variables of their own, and functions that interactive shells call. */
const hooks: ReadonlySet<string> = new Set([
  ...brew.flatMap((command) => [command, `${command} bash`]),
  'dircolors',
  'dircolors -b',
  'direnv hook bash',
  'fzf --bash',
  'zoxide init bash',
]);

/** They also print functions for themselves, put their shims into the search path and, before that, write these. */
const managers =
  /^(?:~\/\.rbenv\/bin\/)?(pyenv|rbenv) (?:(virtualenv-)?init -|init - (--no-rehash))(?: bash)?$/;

/** Whether a command of a login file evaluates what one of these prints. Reports the program, and notes what is set. */
export function isHook({ name, args, prefix, redirects }: Command, scope: Scope): boolean {
  const isPlain = name?.text === 'eval' && args.length === 1 && prefix.length + redirects.length === 0;
  const [, command = ''] = /^"\$\(([^()]+)\)"$/.exec(args[0]?.text ?? '') ?? [];
  const [, manager, virtual, kept] = managers.exec(command) ?? [];
  if (scope.isLogin !== true || !isPlain || !(manager !== undefined || hooks.has(command))) return false;
  const { report, searchPath, world } = scope.walk;
  const [called = ''] = command.split(' ');
  const program = called.replace('~', world.home);
  const places = program.includes('/') ? [program] : searchPath.map((each) => `${each}/${program}`);
  const isChanged = (path: string) =>
    (world.listing.kind(path) === null ? mayHaveChanged : mayDiffer)(path, world.changes);
  const isSame = (path: string) => !isChanged(path) && !isOfRoot(path, world.roots);
  const set = manager === undefined ? foldersOfBrew(program) : shimsOf(manager, virtual !== undefined, scope);
  // The function of a version manager calls its program.
  const isOwn = virtual !== undefined && scope.walk.notes.shims.has(shimsOf(program, false, scope) ?? '');
  const isFunction = scope.state.functions?.has(program) === true && !isOwn;
  if (isFunction || !places.every(isSame)) return false;
  if (set === null || (set !== '' && !isTrustedPath('PATH', set, scope))) return false;
  report.add({ name: 'proc.exec', program });
  const want = { access: 'write', by: 'program', deep: true } as const;
  const folder = { named: world.home, real: null };
  if (manager !== undefined && virtual === undefined && kept === undefined)
    touch(text(set), want, { folder, by: manager, scope });
  const functions = new Map(scope.state.functions);
  for (const each of manager === undefined ? ['z', 'zi'] : [manager]) functions.set(each, null);
  if (manager !== undefined || program === 'zoxide') scope.state = { ...scope.state, functions };
  return true;
}

function foldersOfBrew(program: string): string {
  const [, folder] = /^(\/.+)\/bin\/brew$/.exec(program) ?? [];
  return folder === undefined ? '' : `${folder}/bin:${folder}/sbin`;
}

/** Where the shims of a version manager lie; null if unknown. */
function shimsOf(manager: string, isVirtual: boolean, { state, walk }: Scope): string | null {
  const variable = state.variables.get(`${manager.toUpperCase()}_ROOT`);
  const root = variable === undefined ? `${walk.world.home}/.${manager}` : textOf(variable.value);
  return root && `${root}/${isVirtual ? 'plugins/pyenv-virtualenv/' : ''}shims`;
}

/** Statements of login files behind which only an interactive shell continues. */
const forInteractive =
  /^(?:case "?\$-"? in\s+\*i\*\)\s*;;\s*\*\)\s*return\s*;;\s*esac|\[\[ "?\$-"? != \*i\* \]\] && return|\[\[ "?\$-"? == \*i\* \]\] \|\| return)$/;
/** Such statements where no prompt is set. */
const forPrompted = /^(?:\[ -z "\$\{?PS1-?\}?" \] && return|\[ -n "\$\{?PS1-?\}?" \] \|\| return)$/;

/** Whether a login file ends with this statement, because no shell of a line is interactive. */
export function endsFile(written: string, { isLogin, walk }: Scope): boolean {
  const { hasPrompt } = walk.notes;
  return isLogin === true && (forInteractive.test(written) || (!hasPrompt && forPrompted.test(written)));
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
