import { plainPath } from '../../paths.js';
import { isBehindLink } from '../changes.js';
import { followOnce } from '../follow-once.js';
import type { Here, Result } from '../here.js';
import { type Folder, joinedFolders, type State } from '../state.js';
import { plainVariable, unknownValue, type Value } from '../variable.js';
import { textOf, word } from '../word.js';
import { textOfVariable } from '../words/lookup.js';
import { type Builtin, readOptions } from './builtin.js';

export const cd: Builtin = (words, here) => {
  const { options, operands, is_open } = readOptions(words, '');
  const isPhysical = options.some(({ letter }) => letter === 'P');
  if (is_open || operands.length > 1) return enter(null, isPhysical, here);
  const [given] = operands;
  const text = given === undefined ? textOfVariable('HOME', here) : textOf(given);
  if (text === '-') return { ...enter(textOfVariable('OLDPWD', here), isPhysical, here), output: null };
  return enter(text === '' ? '.' : text, isPhysical, here);
};

export const pushd: Builtin = (words, here) => {
  const { operands } = readOptions(words, '');
  const text = operands[0] === undefined ? null : textOf(operands[0]);
  const { folders, stack } = here.state;
  const isPlain = words.length === 1 && text !== null && !/^[+-]/.test(text);
  const result = { ...enter(isPlain ? text : null, false, here), output: null };
  here.state = { ...here.state, stack: isPlain && stack !== null ? [folders, ...stack] : null };
  return result;
};

export const popd: Builtin = (words, here) => {
  const { state } = here;
  const [top, ...rest] = state.stack ?? [];
  const isKnown = words.length === 0 && top !== undefined;
  here.state = { ...moved(state, isKnown ? top : []), stack: isKnown ? rest : null };
  return isKnown ? { output: null } : { output: null, failed: state };
};

/** Makes a folder the working folder, where that is possible. */
function enter(text: string | null, isPhysical: boolean, here: Here): Result {
  const before = here.state;
  const searches = before.variables.has('CDPATH') && text !== null && !/^\.{0,2}(?:\/|$)/.test(text);
  if (text === null || searches || before.is_lost) {
    const isKnown = text !== null && !searches && text.startsWith('/');
    if (!isKnown) {
      here.state = moved(before, []);
      return { output: null, failed: before };
    }
  }
  const starts = text.startsWith('/') ? [{ named: '/', real: '/' }] : before.folders;
  const ways = starts.map((folder) => entered(folder, text, { isPhysical, here }));
  const folders = ways.map(({ folder }) => folder);
  const after = moved(
    before,
    folders.reduce<readonly Folder[]>(
      (all, each) => (all.length === 0 ? [each] : joinedFolders(all, [each])),
      [],
    ),
  );
  here.state = after;
  const output = word('');
  if (ways.length > 0 && ways.every(({ is_sure }) => is_sure)) return { output, is_sure: true };
  return { output, failed: before };
}

interface Entered {
  readonly folder: Folder;
  readonly is_sure: boolean;
}

function entered(
  { named, real }: Folder,
  text: string,
  { isPhysical, here }: { isPhysical: boolean; here: Here },
): Entered {
  const { changes, looks } = here.walk.world;
  const target = plainPath(`${named}/${text}`);
  const way = isPhysical
    ? real === null
      ? null
      : followOnce(`${real}/${text}`, looks)
    : followOnce(target, looks);
  const isHidden = way?.real == null || isBehindLink(way.real, changes) || isBehindLink(target, changes);
  // What is not there yet may come to be a link.
  const isOpen = isPhysical && way?.real != null && way.stat === null;
  const found = isHidden || isOpen ? null : way.real;
  const is_sure = !isHidden && way.stat?.isDirectory() === true;
  return { folder: { named: isPhysical && found !== null ? found : target, real: found }, is_sure };
}

function moved(state: State, folders: readonly Folder[]): State {
  const [old, ...others] = state.folders;
  const value: Value =
    old !== undefined && others.length === 0 ? { kind: 'text', word: word(old.named) } : unknownValue;
  const variables = new Map(state.variables);
  variables.set('OLDPWD', { ...plainVariable(value), is_exported: true });
  variables.delete('PWD');
  return { ...state, folders, variables };
}

export function dirs(): Result {
  return { output: null };
}
