import type { AndOr, Command, PipelineNode } from 'unbash';
import { isGone, isOfRoot, isTrustedPath } from '../builtins/login-file.js';
import type { Scope } from '../state/scope.js';
import { textOf } from '../word.js';
import { mayDiffer } from '../world.js';
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

/** Whether a command of a login file evaluates what one of these prints. Reports the program, and notes what is set. */
export function isHook({ name, args, prefix, redirects }: Command, scope: Scope): boolean {
  const isPlain = name?.text === 'eval' && args.length === 1 && prefix.length + redirects.length === 0;
  const [, command = ''] = /^"\$\(([^()]+)\)"$/.exec(args[0]?.text ?? '') ?? [];
  const [program = ''] = command.split(' ');
  if (scope.isLogin !== true || !isPlain || !hooks.has(command)) return false;
  const { report, searchPath, world } = scope.walk;
  const [, folder] = /^(\/.+)\/bin\/brew$/.exec(program) ?? [];
  const places = folder === undefined ? searchPath.map((each) => `${each}/${program}`) : [program];
  const isSame = (path: string) => !mayDiffer(path, world.changes) && !isOfRoot(path, world.roots);
  const isTrusted = folder === undefined || isTrustedPath('PATH', `${folder}/bin:${folder}/sbin`, scope);
  if (!isTrusted || !places.every(isSame) || scope.state.functions?.has(program) === true) return false;
  report.add({ name: 'proc.exec', program });
  const functions = new Map(scope.state.functions).set('z', null).set('zi', null);
  if (program === 'zoxide') scope.state = { ...scope.state, functions };
  return true;
}

/** Statements of login files behind which only an interactive shell continues. */
const forInteractive =
  /^(?:case "?\$-"? in\s+\*i\*\)\s*;;\s*\*\)\s*return\s*;;\s*esac|\[\[ "?\$-"? != \*i\* \]\] && return|\[\[ "?\$-"? == \*i\* \]\] \|\| return)$/;
/** Such statements where the prompt is not set. */
const forPrompted = /^(?:\[ -z "\$\{?PS1-?\}?" \] && return|\[ -n "\$\{?PS1-?\}?" \] \|\| return)$/;

/** Whether a login file ends with this statement, because no shell of a line is interactive. */
export function endsFile(written: string, { isLogin, state }: Scope): boolean {
  const isPromptUnset = textOf(state.variables.get('PS1')?.value) === '';
  return isLogin === true && (forInteractive.test(written) || (isPromptUnset && forPrompted.test(written)));
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
