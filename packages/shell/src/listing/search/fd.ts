import { posix } from 'node:path';
import type { Effect } from '../../effect.js';
import type { Lister, Reading } from '../../programs/reading.js';
import { type Names, noOutput, type Output, text, textOf, unknownOutput, type Word } from '../../word.js';
import type { Context } from '../../world.js';
import { Walked } from '../collected.js';
import type { Member } from '../members.js';
import { printedNames } from '../names.js';
import { afterPattern, has, numberOf, orHere, valuesOf } from '../options.js';
import { type Maybe, patternMatcher } from '../pattern.js';
import { startAt, startsOf, withoutSlash } from '../start.js';
import { type Glob, overrideOf, type Visibility, visibleFrom } from '../visible.js';

/** fd(1): the folders that it lists, and commands with the files that it finds. */
export const fd: Lister = (reading, from) => {
  if (has(reading, '-l --list-details')) return '`ls` shows what it finds';
  const given = reading.options.flatMap(({ command }) => command);
  if (given.some((word) => /\{\{|\}\}/.test(textOf(word) ?? ''))) return 'versions differ on double braces';
  const context = contextOf(reading, from);
  if (context === null) return 'the folder that it starts in is unknown';
  const searched = valuesOf(reading, '--search-path');
  const [pattern] = reading.operands;
  const operands = afterPattern(reading.operands);
  const places = searched.length === 0 ? operands : searched;
  const { list, open } = startsOf(orHere(places), context, true);
  const into = new Walked();
  if (open) into.addUnknown();
  const visibility = visibilityOf(reading, context);
  const isWanted = filterOf(reading, pattern);
  const names: string[] = [];
  for (const start of list) {
    const visible = visibleFrom(start, context, visibility);
    const isFollowed = has(reading, '-L --follow');
    into.add(visible, { follows: isFollowed });
    for (const path of visible.ignoreFiles) into.files.paths.add(path);
    for (const member of visible.list) if (isWanted(member)) names.push(nameOf(member, places.length === 0));
  }
  // A command without a file may still find new files.
  const isAwaited = names.length === 0 && !into.folders.open && list.length === 1;
  const isOpen = into.folders.open || isAwaited;
  const under = isAwaited ? withoutSlash(list[0]?.text ?? '.') : null;
  const commands = commandsOf(reading, { texts: names, open: isOpen, under }, isAwaited);
  return {
    effects: [...into.effects(), ...commands],
    output: outputOf(reading, commands.length > 0, { names, isOpen, context }),
    leavesInput: true,
  };
};

/** The target of `--base-directory`; null if unknown. */
function contextOf(reading: Reading, context: Context): Context | null {
  if (reading.folder === null) return context;
  const folder = textOf(reading.folder);
  return folder === null ? null : { ...context, folder: startAt(folder, context, true) };
}

function nameOf({ text: name }: Member, isOwn: boolean): string {
  return isOwn && !name.startsWith('./') ? `./${name}` : name;
}

function visibilityOf(reading: Reading, context: Context): Visibility {
  const isUnsure = reading.open !== null || has(reading, '--ignore --ignore-vcs --ignore-file --no-hidden');
  const isOpen = isUnsure || has(reading, '-u --unrestricted');
  const keepsRules = !isOpen && !has(reading, '-I --no-ignore');
  const excluded = valuesOf(reading, '-E --exclude').flatMap((word): readonly Glob[] => {
    const glob = textOf(word);
    return glob === null || /^!|\n/.test(glob) ? [] : [{ text: `!${glob}`, ignoreCase: false }];
  });
  const { real } = context.folder;
  const depth = numberOf(reading, '-d --max-depth --maxdepth');
  return {
    depth: Math.min(depth, numberOf(reading, '--exact-depth')),
    showsHidden: isOpen || has(reading, '-H --hidden'),
    ignoreFiles: keepsRules ? ['.fdignore', '.ignore'] : [],
    usesGit: keepsRules && !has(reading, '--no-ignore-vcs'),
    usesExclude: true,
    usesParents: !has(reading, '--no-ignore-parent'),
    override: real === null ? () => 'none' : overrideOf(excluded, real),
  };
}

const kinds: Readonly<Record<string, Member['kind']>> = {
  f: 'file',
  file: 'file',
  d: 'folder',
  directory: 'folder',
  l: 'link',
  symlink: 'link',
};

function filterOf(reading: Reading, pattern: Word | undefined): (member: Member) => boolean {
  const follows = has(reading, '-L --follow');
  const wanted = valuesOf(reading, '-t --type').map((word) => kinds[textOf(word) ?? '']);
  const isKnown = wanted.length > 0 && wanted.every((kind) => kind !== undefined) && !follows;
  const ends = valuesOf(reading, '-e --extension').map((word) =>
    textOf(word)?.replace(/^\./, '').toLowerCase(),
  );
  const isEnd = ends.length > 0 && ends.every((end) => end !== undefined && /^[\x21-\x7e]+$/.test(end));
  const matches = matcherOf(reading, pattern === undefined ? '' : textOf(pattern));
  const least = numberOf(reading, '--min-depth', numberOf(reading, '--exact-depth', 1));
  return ({ path, kind, depth }) => {
    const name = posix.basename(path);
    if (depth < least) return false;
    if (kind !== null && isKnown && !wanted.includes(kind)) return false;
    if (isEnd && !ends.some((end) => name.toLowerCase().endsWith(`.${end}`))) return false;
    return matches(name) !== false;
  };
}

/** Whether a name contains a plain pattern, ignoring case. */
function matcherOf(reading: Reading, pattern: string | null): (name: string) => Maybe {
  const isPlain = pattern !== null && reading.open === null && /^[\x20-\x7e]*$/.test(pattern);
  if (!isPlain || has(reading, '-p --full-path')) return () => null;
  const wanted = pattern.toLowerCase();
  if (has(reading, '-g --glob'))
    return wanted.includes('[')
      ? () => null
      : patternMatcher(wanted, { slashes: true, braces: true, ignoreCase: true });
  const isLiteral = has(reading, '-F --fixed-strings') || /^[\w -]*$/.test(pattern);
  if (isLiteral) return (name) => folded(name).includes(wanted);
  const [, before = '', body, after = ''] = /^(\^?)((?:[\w-]|\\\.)*)(\$?)$/.exec(wanted) ?? [];
  if (body === undefined || /\\[^.]/.test(body)) return () => null;
  const expression = new RegExp(before + body + after);
  return (name) => expression.test(folded(name));
}

/** A name in lower case, also of the one other letter that equals an ASCII letter when case is ignored. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll('ſ', 's');
}

/** The commands of -x, once for each name, and of -X. */
function commandsOf(reading: Reading, names: Names, isAwaiting: boolean): readonly Effect[] {
  return reading.options.flatMap(({ entry, command }): readonly Effect[] => {
    if (command.length === 0) return [];
    const count = entry.names.some((name) => name === '-X' || name === '--exec-batch') ? 'many' : 'one';
    const given = textOf(command.at(-1)) === ';' ? command.slice(0, -1) : command;
    const isPut = given.some((word) => /\{(?:|\/|\/\/|\.|\/\.)\}/.test(textOf(word) ?? ''));
    const whole = isPut ? given : [...given, text('{}')];
    const words = whole.map((word): Word => {
      const [all, token = ''] = /\{(|\/|\/\/|\.|\/\.)\}/.exec(textOf(word) ?? '') ?? [];
      const written = textOf(word);
      if (all === undefined || written === null) return word;
      const [before = '', ...rest] = written.split(all);
      const after = rest.join(all);
      if (/\{[/.]*\}/.test(after)) return { kind: 'unknown', start: before, count: 'one', written };
      const texts = [...new Set(names.texts.map((name) => part(name, token)))];
      const under = token === '/' || token === '/.' ? null : names.under;
      return { kind: 'names', before, names: { ...names, texts, under }, after, count };
    });
    const folder = reading.folder !== null && { folder: reading.folder };
    return [{ kind: 'run', words, ...folder, ...(isAwaiting && { isAwaiting }) }];
  });
}

function part(name: string, token: string): string {
  const bare = (path: string) => path.replace(/(?<=[^/])\.[^./]*$/, '');
  if (token === '/') return posix.basename(name);
  if (token === '//') return posix.dirname(name);
  if (token === '.') return bare(name);
  return token === '/.' ? bare(posix.basename(name)) : name;
}

interface Shown {
  readonly names: readonly string[];
  readonly isOpen: boolean;
  readonly context: Context;
}

/** Names with and without `./` before them, and with a slash at the end: versions differ. */
function outputOf(reading: Reading, runs: boolean, { names, isOpen, context }: Shown): Output {
  if (has(reading, '-q --quiet --has-results')) return noOutput;
  if (runs || has(reading, '-c --color --path-separator')) return unknownOutput;
  const { named } = context.folder;
  const isAbsolute = has(reading, '-a --absolute-path');
  const all = names.flatMap((name) => {
    const forms = isAbsolute ? [posix.resolve(named, name)] : [name, name.replace(/^\.\//, '')];
    return forms.flatMap((form) => [form, `${form}/`]);
  });
  return printedNames(all, isOpen, { separator: has(reading, '-0 --print0') ? '\0' : '\n' });
}
