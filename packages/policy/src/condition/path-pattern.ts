import { posix } from 'node:path';
import { isCanonicalPath } from '@ambit/core';
import type { Folders } from '../grammar/reading.js';
import { quote } from '../text/escape.js';
import type { Impossible } from './pattern.js';

/** Why no canonical path matches a pattern, or null. */
export function impossiblePath(text: string, folders: Folders): Impossible | null {
  const expanded = expandFolder(text, folders);
  if (expanded !== null && !isCanonicalPath(expanded.folder))
    return {
      message: `${quote(text.slice(0, 2))} stands for ${quote(expanded.folder)}, which is not a canonical path`,
      help: 'write the absolute path',
    };
  const rest = expanded?.rest ?? text;
  const help = () => suggestionFor(text, folders);
  if (text.includes('\0')) return { message: 'a path cannot contain NUL', help: 'remove it' };
  if (expanded === null && !/^(\/|\*\*(\/|$))/.test(text))
    return { message: `${quote(text)} must begin with \`/\`, \`~/\`, \`./\` or \`**\``, help: help() };
  if (text === '/') return null;
  const segments = (rest.startsWith('/') ? rest.slice(1) : rest).split('/');
  if (segments.at(-1) === '')
    return { message: `${quote(text)} ends with a slash, so it is not canonical`, help: help() };
  if (segments.includes(''))
    return { message: `${quote(text)} has an empty segment, so it is not canonical`, help: help() };
  const dots = segments.find((segment) => segment === '.' || segment === '..');
  return dots === undefined
    ? null
    : { message: `${quote(text)} contains \`${dots}\`, so it is not canonical`, help: help() };
}

/** The value of a leading `~/` or `./`, and the rest of the path. */
export function expandFolder(text: string, { home, root }: Folders): { folder: string; rest: string } | null {
  if (text.startsWith('~/')) return { folder: home, rest: text.slice(2) };
  return text.startsWith('./') ? { folder: root, rest: text.slice(2) } : null;
}

/** The path with `~/` or `./` replaced; `./` alone is the folder itself. */
export function putInFolder(text: string, folders: Folders): string {
  const expanded = expandFolder(text, folders);
  if (expanded === null) return text;
  const { folder, rest } = expanded;
  return rest === '' ? folder : `${folder === '/' ? '' : folder}/${rest}`;
}

function suggestionFor(text: string, folders: Folders): string {
  const expanded = expandFolder(text, folders);
  // A path that leaves the folder is not in it: `~/../x` is not `~/x`, and `../x` is not `./x`.
  const { folder, rest } = expanded ?? { folder: folders.root, rest: text };
  if (posix.normalize(rest).startsWith(expanded === null ? '../' : '..'))
    return `write ${quote(canonicalPattern(`${folder}/${rest}`))}`;
  const meant = `write ${quote(canonicalPattern(text))}`;
  // A bare name often means a file in any folder, and a restriction to one folder would leave a gap.
  return /^[^/\\~$]+$/.test(text) && !/^\.{1,2}$/.test(text)
    ? `${meant}, or ${quote(`**/${text}`)} for any folder`
    : meant;
}

/** A canonical pattern that the author may have meant. */
function canonicalPattern(text: string): string {
  const [, start = '', rest = ''] = /^(\/+|~\/|\.\/|\$\{?HOME\}?\/|~[^/]*$|\.$)?(.*)$/su.exec(text) ?? [];
  const prefix = start.startsWith('/') ? '/' : start.startsWith('~') || start.startsWith('$') ? '~/' : './';
  const isWild = start === '' && rest.startsWith('**/');
  const kept: string[] = [];
  for (const segment of rest.replace(/\\/g, '/').split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.' && segment !== '') kept.push(segment);
  }
  if (kept.length === 0) return prefix === '/' ? '/' : `${prefix}**`;
  return `${isWild ? '' : prefix}${kept.join('/')}`;
}
