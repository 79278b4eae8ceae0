import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word, word } from '../../word.js';
import { dropStart, inFolder, isOpenStart, unknown } from '../words.js';
import { readCommand, splitAtBlanks } from './command.js';
import { connect, file, shell, tree } from './effect-of.js';

/** A revision or a path for git: paths that lead out of the repository are read as they are. */
export function readGitPath(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (isOpenStart(text)) return [file('read', text, folder)];
  const leadsOut = start.startsWith('/') || /(?:^|\/)\.\.(?:\/|$)/.test(textOf(text) ?? start);
  return leadsOut ? [file('read', text, folder)] : [];
}

/** What an alias stands for: a command of git, or after `!` one of the shell. */
export function readGitAlias(text: Word, folder: Word | null): readonly Effect[] {
  if (startOf(text).startsWith('!')) return [shell(dropStart(text, 1), folder)];
  return [{ kind: 'run', words: [word('git'), ...splitAtBlanks(text)], ...inFolder(folder) }];
}

/** A setting that is a switch, or else a command. */
export function readSwitch(text: Word, folder: Word | null): readonly Effect[] {
  const isSwitch = /^(?:true|false|yes|no|on|off|[01])?$/i.test(textOf(text) ?? '?');
  return isSwitch ? [] : readCommand(text, folder);
}

/** A helper for credentials: a program `git-credential-NAME`, a path, or after `!` a command. */
export function readHelper(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (textOf(text) === '') return [];
  if (isOpenStart(text)) return [shell(null, folder)];
  if (start.startsWith('!')) return [shell(dropStart(text, 1), folder)];
  if (start.startsWith('/')) return readCommand(text, folder);
  return readCommand({ parts: ['git-credential-', ...text.parts] }, folder);
}

/** How a submodule is brought up to date: after `!` by a command. */
export function readSubmoduleUpdate(text: Word, folder: Word | null): readonly Effect[] {
  if (startOf(text).startsWith('!')) return [shell(dropStart(text, 1), folder)];
  return textOf(text) === null && startOf(text) === '' ? [shell(null, folder)] : [];
}

/** Another repository: a URL, `host:path`, `ext::command`, a path, or the name of a remote. */
export function readGitRemote(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  const transport = /^([a-z0-9+-]+)::/i.exec(start);
  if (transport?.[1] === 'ext') return readExternal(dropStart(text, transport[0].length), folder);
  if (transport !== null) {
    const helper: Effect = {
      kind: 'run',
      words: [word(`git-remote-${transport[1] ?? ''}`), text],
      ...inFolder(folder),
    };
    return [helper, ...readGitRemote(dropStart(text, transport[0].length), folder)];
  }
  if (/^file:\/\//i.test(start)) return local(dropStart(text, 7), folder);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(start)) return [connect(text)];
  const host = /^(?:[^/:@]*@)?(\[[^\]]*\]|[^/:]+):/.exec(start)?.[1];
  if (host !== undefined) return [{ kind: 'connect', to: word(host), scheme: 'ssh' }];
  if (/^(?:[./]|$)/.test(start) && textOf(text) !== null) return local(text, folder);
  const nothing = start === '' ? [shell(null, folder)] : [];
  return [connect(null), ...(textOf(text) === null ? nothing : [])];
}

function local(text: Word, folder: Word | null): readonly Effect[] {
  return [tree('read', text, folder), tree('write', text, folder)];
}

/** `%` and a blank is a blank within a word. */
function readExternal(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [{ kind: 'run', words: [unknown('ext::')], ...inFolder(folder) }];
  const words = known.match(/(?:%[\s\S]|[^\s%])+/g) ?? [];
  const unescaped = words.map((each) => word(each.replaceAll(/%([\s\S])/g, '$1')));
  return [{ kind: 'run', words: unescaped, ...inFolder(folder) }];
}
