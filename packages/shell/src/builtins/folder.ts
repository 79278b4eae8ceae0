import { plainPath } from '@ambit/toolsets';
import { placeOf } from '../facts/places.js';
import { Outside } from '../state/outside.js';
import type { Scope } from '../state/scope.js';
import { joinedFolders, mostFolders } from '../state/state.js';
import { valueNamed } from '../state/variables.js';
import { noOutput, type Output, textOf, textsIn, unknownOutput, type Word } from '../word.js';
import { type Folder, isBehindLink } from '../world.js';
import { type Builtin, notDescribed } from './builtin.js';

/** `cd DIR`, `cd`, by the name that the shell has for its folder. */
export const cd: Builtin = (words, scope) => {
  const option = textOf(words[0]) ?? '';
  const operands = /^-[-LP]$/.test(option) ? words.slice(1) : words;
  const [target, ...others] = operands;
  const texts = target === undefined ? [homeOf(scope)] : textsOf(target, scope);
  if (others.length > 0 || texts === null) throw notDescribed('cd', words);
  const before = scope.state;
  const entered = texts.flatMap((text) => before.folders.map((folder) => enter(text, folder, scope)));
  const folders = entered.reduce<readonly Folder[]>((all, each) => joinedFolders(all, each.folders), []);
  if (folders.length === 0 || folders.length > mostFolders) throw notDescribed('cd', words);
  // Without links, the real folder has this name.
  const isReal = [...before.folders, ...folders].every(({ named, real }) => named === real);
  if (option === '-P' && !(isReal && texts.every((text) => beforeUps(text).length === 0)))
    throw notDescribed('cd', words);
  scope.state = { ...before, folders, before: before.folders };
  if (!entered.every(({ isSure }) => isSure)) scope.failed = before;
  return textOf(target) === '-' ? unknownOutput : noOutput;
};

function homeOf({ state }: Scope): string {
  const home = valueNamed('HOME', state);
  if (home?.kind !== 'text') throw new Outside('the home folder is unknown', 'cd');
  return home.text;
}

/** `cd -` returns to the previous folder if the line itself has changed the folder. */
function textsOf(word: Word, { state }: Scope): readonly string[] | null {
  if (textOf(word) === '-') return state.before?.map(({ named }) => named) ?? null;
  if (word.kind === 'text') return word.text.startsWith('-') ? null : [word.text];
  if (word.kind !== 'names' || word.count !== 'one' || word.names.open) return null;
  const texts = textsIn(word);
  return texts.some((text) => text.startsWith('-')) ? null : texts;
}

function enter(text: string, folder: Folder, { walk: { world } }: Scope) {
  if (text === '') return { folders: [folder], isSure: true };
  const named = plainPath(text.startsWith('/') ? text : `${folder.named}/${text}`);
  // Bash reads `..` as the parent in the name, if the name before it is a folder.
  const ways = beforeUps(text).map((way) => placeOf(way, folder, world));
  const isPlain = ways.every(({ real, stat }) => real !== null && stat?.isDirectory() === true);
  const { real, stat, passed } = placeOf(named, { named: '/', real: '/' }, world);
  if (real === null || isBehindLink(named, world.changes))
    throw new Outside('where this folder leads is unknown', `cd ${text}`);
  const isThere = stat?.isDirectory() === true;
  if (!isPlain && isThere) throw new Outside('where this folder leads is unknown', `cd ${text}`);
  // The line may have put a folder where a link was.
  const folders = [real, ...passed].map((each): Folder => ({ named, real: each }));
  return { folders, isSure: isPlain && isThere && world.changes.removed.size === 0 };
}

/** The path before each `..` in a path. */
function beforeUps(text: string): readonly string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(/(?<=\/)\.\.(?=\/|$)/g)) found.push(text.slice(0, index));
  return found.filter((way) => /[^./]/.test(way));
}

export const pwd: Builtin = (words, scope): Output => {
  const option = words.map((word) => textOf(word) ?? '?').join(' ');
  // In another shell, `-P` also changes the name of the folder.
  if (!/^(?:-[LP])?$/.test(option) || (option === '-P' && scope.isPosix)) throw notDescribed('pwd', words);
  const [folder, ...others] = scope.state.folders;
  const path = option === '-P' ? folder?.real : folder?.named;
  return others.length > 0 || path == null ? unknownOutput : { kind: 'text', text: `${path}\n` };
};

/** `pushd DIR`: `cd`, and it keeps the folder that it leaves. */
export const pushd: Builtin = (words, scope) => {
  const [target, ...others] = words;
  const isOther = target === undefined || textsIn(target).some((text) => /^(?:$|[-+])/.test(text));
  if (isOther || others.length > 0) throw notDescribed('pushd', words);
  const { folders, stack = [] } = scope.state;
  cd([target], scope);
  scope.state = { ...scope.state, stack: [folders, ...stack] };
  return unknownOutput;
};

/** `popd`: returns to the last kept folder. */
export const popd: Builtin = (words, scope) => {
  const [[folder, ...others] = [], ...stack] = scope.state.stack ?? [];
  if (words.length > 0 || folder === undefined || others.length > 0) throw notDescribed('popd', words);
  cd([{ kind: 'text', text: folder.named }], scope);
  scope.state = { ...scope.state, stack };
  return unknownOutput;
};
