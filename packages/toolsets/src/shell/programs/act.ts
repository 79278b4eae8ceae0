import type { Effect } from '../effect.js';
import { startOf, textOf, type Word, type WordPart, word } from '../word.js';
import { isPlainText, splitAsEnv, splitAtBlanks } from './language/command.js';
import { code } from './languages.js';
import type { Place } from './place.js';
import { type PathRole, type Role, subjectOf } from './role.js';
import { dropStart, inFolder, isUnknownStart, unknown, within, written } from './words.js';

/** What a word does by its role. No word at all stands for one that is not known. */
export function act(role: Role, words: readonly Word[], place: Place): readonly Effect[] {
  const [first = null] = words;
  switch (role.kind) {
    case 'value':
    case 'rest':
    case 'folder':
    case 'placeholder':
      return [];
    case 'path':
      return path(role, first ?? unknown('?'), place);
    case 'remote':
      return remote(role.path, first ?? unknown('?'), place);
    case 'url':
      return url(role.path, first ?? unknown('?'), place);
    case 'code':
      return code(role.language, first, place.folder);
    case 'input':
      return [{ kind: 'code_from_input', language: role.language }];
    case 'load':
      return load(role.language, first ?? unknown('?'), place);
    case 'run':
      return [{ kind: 'run', words: [first ?? unknown('?')], ...inFolder(place.folder) }];
    case 'command':
      return command(role, words, place);
    case 'shell':
      return shell(role.isOpen, words, place);
    case 'entry':
      return entry(role.name, words, place);
    case 'split':
      return split(role.name, words, place);
    case 'connect':
      return connect(role, first, place);
    case 'capability':
      return [{ kind: 'capability', capability: capability(role, first, place) }];
    case 'assignment':
      return first === null ? [] : assignment(first);
    case 'key':
      return first === null ? [] : key(first, place);
    case 'opaque':
      return [{ kind: 'opaque', text: first === null ? place.name : written(first), why: role.why }];
  }
}

function path(role: PathRole, named: Word, place: Place): readonly Effect[] {
  const { folder } = place;
  if (textOf(named) === '' || (role.hasDash && textOf(named) === '-')) return [];
  const file = fileOf(named);
  if (file === null) return [];
  const effect: Effect = {
    kind: 'path',
    access: role.access,
    word:
      role.access === 'write' && role.what !== null
        ? extended(within(folder, file), role.what, place)
        : within(folder, file),
    ...(role.deep ? { deep: true } : {}),
    ...(role.what === null || role.access === 'write' ? {} : { what: role.what }),
  };
  return role.alsoRead ? [effect, { ...effect, access: 'read' }] : [effect];
}

/** With a text after it, or what an option was given, `{-i}`. */
function extended({ parts }: Word, suffix: string, { reading }: Place): Word {
  const option = /^\{(.+)\}$/.exec(suffix)?.[1];
  if (option === undefined) return { parts: [...parts, suffix] };
  const [value = unknown(suffix)] =
    reading.options.find(({ entry }) => entry.names.includes(option))?.values ?? [];
  return { parts: [...parts, ...(startOf(value).includes('*') ? unknown(suffix) : value).parts] };
}

/** Without the scheme of a `file:` URL. */
function fileOf(named: Word): Word | null {
  const start = startOf(named);
  const scheme = /^file:(?:\/\/(?:localhost)?(?=\/))?/i.exec(start)?.[0];
  return scheme === undefined ? named : dropStart(named, scheme.length);
}

function remote(role: PathRole, named: Word, place: Place): readonly Effect[] {
  const start = startOf(named);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(start)) return url(role, named, place);
  const host = /^[^/:]*(?:\[[^\]]*\])?[^/:]*(?=:)/.exec(start)?.[0];
  if (host !== undefined && host !== '') return [{ kind: 'connect', to: hostOf(word(host)) }];
  const local = path(role, named, place);
  const isOpen =
    !start.includes('/') &&
    textOf(named) === null &&
    named.parts.some((part) => typeof part !== 'string' && part.kind !== 'glob');
  return isOpen ? [...local, { kind: 'connect', to: null }] : local;
}

function url(role: PathRole, named: Word, place: Place): readonly Effect[] {
  const start = startOf(named);
  if (/^file:/i.test(start)) return path(role, named, place);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(start)) return [{ kind: 'connect', to: named }];
  const local = path(role, named, place);
  return isUnknownStart(named) ? [...local, { kind: 'connect', to: null }] : local;
}

function load(language: string | null, named: Word, place: Place): readonly Effect[] {
  const text = textOf(named);
  if (language !== null && (text === '-' || text === '/dev/stdin'))
    return [{ kind: 'code_from_input', language }];
  return [{ kind: 'load', word: within(place.folder, named), ...(language === null ? {} : { language }) }];
}

function command(
  role: Extract<Role, { kind: 'command' }>,
  words: readonly Word[],
  place: Place,
): readonly Effect[] {
  if (words.length === 0) return [];
  const { options } = place.reading;
  const placeholder = options.find(({ entry }) =>
    entry.values[0]?.some(({ kind }) => kind === 'placeholder'),
  );
  if (role.until === ';') {
    return place.below.map((start): Effect => {
      const found = { kind: 'glob' as const, text: '{}', ...nameSought(place.reading) };
      const file: Word = { parts: [...start.parts, '/', found] };
      return {
        kind: 'run',
        words: words.map((each) => replaced(each, '{}', file)),
        ...inFolder(place.folder),
      };
    });
  }
  const text = placeholder === undefined ? null : textOf(placeholder.values[0] ?? word('{}'));
  const isOpen = role.isOpen && text === null;
  const full =
    text === null || text === '' ? words : words.map((each) => replaced(each, text, unknown(text)));
  return [{ kind: 'run', words: full, ...(isOpen ? { isOpen } : {}), ...inFolder(place.folder) }];
}

/** The words of `watch` and `parallel`, which a shell runs. Their own arguments come after `:::`, or from somewhere else. */
function shell(isOpen: boolean, words: readonly Word[], place: Place): readonly Effect[] {
  const end = words.findIndex((each) => /^::::?\+?$/.test(textOf(each) ?? ''));
  const own = end === -1 ? words : words.slice(0, end);
  const text: Word = {
    parts: own.flatMap((each, index) => (index === 0 ? each.parts : [' ', ...each.parts])),
  };
  if (!isOpen) return code('command', text, place.folder);
  if (own.length === 0 && words.length > 0) return ownCommands(words, place);
  const filled: Word = {
    parts: text.parts.flatMap((part) => (typeof part === 'string' ? withGaps(part) : [part])),
  };
  const isFilled = filled.parts.length > text.parts.length;
  const isPlain = filled.parts.every((part) => typeof part !== 'string' || isPlainText(part));
  if (!isPlain) return code('sh', filled, place.folder);
  return [{ kind: 'run', words: splitAtBlanks(filled), isOpen: !isFilled, ...inFolder(place.folder) }];
}

/** Where there is only what comes after `:::`, each is a command. */
function ownCommands([mark, ...commands]: readonly Word[], place: Place): readonly Effect[] {
  if (mark !== undefined && textOf(mark) === ':::')
    return commands.flatMap((each) => code('sh', each, place.folder));
  return act({ kind: 'opaque', why: 'its commands are in a file' }, commands, place);
}

/** With what is not known where `{}` and its kin are. */
function withGaps(text: string): readonly WordPart[] {
  const gap: WordPart = { kind: 'text', text: '{}' };
  return text
    .split(/\{[^{}\s]*\}/)
    .flatMap((piece, index) => (index === 0 ? [piece] : [gap, piece]))
    .filter((piece) => piece !== '');
}

function entry(name: string, words: readonly Word[], place: Place): readonly Effect[] {
  const [first, ...rest] = words;
  const text = first === undefined ? null : textOf(first);
  const known = text !== null && Object.hasOwn(place.table, `${name} ${text}`);
  return known ? place.enter(`${name} ${text}`, rest, place) : place.enter(`${name} *`, words, place);
}

function split(name: string, [text, ...rest]: readonly Word[], place: Place): readonly Effect[] {
  const words = text === undefined ? [] : splitAsEnv(text);
  if (words === null) return act({ kind: 'opaque', why: 'how it is split is not known' }, [], place);
  return place.enter(name, [...words, ...rest], place);
}

/** With a word put wherever a text stands. */
function replaced({ parts }: Word, text: string, by: Word): Word {
  return {
    parts: parts.flatMap((part) => {
      if (typeof part !== 'string') return [part];
      return part
        .split(text)
        .flatMap((piece, index) => (index === 0 ? [piece] : [...by.parts, piece]))
        .filter((piece, _, all) => piece !== '' || all.length === 1);
    }),
  };
}

function connect(
  role: Extract<Role, { kind: 'connect' }>,
  named: Word | null,
  place: Place,
): readonly Effect[] {
  const { scheme, port } = role;
  const file = named === null || !/^file:/i.test(startOf(named)) ? null : fileOf(named);
  if (file !== null) return [{ kind: 'path', access: 'read', word: within(place.folder, file) }];
  return [
    {
      kind: 'connect',
      to: named === null ? null : hostOf(named),
      ...(scheme === null ? {} : { scheme }),
      ...(port === null ? {} : { port }),
    },
  ];
}

/** Without a user's name before it. */
function hostOf(named: Word): Word {
  const start = startOf(named);
  if (start.includes('://')) return named;
  const at = /^[^/]*@/.exec(start)?.[0].length ?? 0;
  return at === 0 ? named : dropStart(named, at);
}

function capability(
  role: Extract<Role, { kind: 'capability' }>,
  named: Word | null,
  place: Place,
): { readonly name: string; readonly [fact: string]: string | number } {
  const subject = subjectOf(role.name);
  if (role.name === 'priv.escalate')
    return { name: role.name, program: place.name.split(' ')[0] ?? place.name };
  const fact = role.fact ?? (named === null ? null : textOf(named));
  if (subject === null || fact === null) return { name: role.name };
  if (subject !== 'port') return { name: role.name, [subject]: fact };
  const port = Number(/(\d+)$/.exec(fact)?.[1] ?? Number.NaN);
  return Number.isInteger(port) && port > 0 && port < 65536 ? { name: role.name, port } : { name: role.name };
}

/** `NAME=value`; anything else is no variable. A shell takes functions from some. */
function assignment(named: Word): readonly Effect[] {
  const name = /^([A-Za-z_]\w*)\+?=/.exec(startOf(named));
  if (startOf(named).startsWith('BASH_FUNC_'))
    return [{ kind: 'opaque', text: written(named), why: 'it defines a function' }];
  if (name === null && isUnknownStart(named))
    return [{ kind: 'opaque', text: written(named), why: 'it may set any variable' }];
  if (name === null) return [];
  return [{ kind: 'variable', name: name[1] ?? '', value: dropStart(named, name[0].length) }];
}

function key(named: Word, place: Place): readonly Effect[] {
  const start = startOf(named);
  const end = /[=\s]/.exec(start);
  if (end === null && textOf(named) === null)
    return [{ kind: 'opaque', text: written(named), why: 'it may be any setting' }];
  const name = end === null ? start : start.slice(0, end.index);
  const found = place.program.keys.find(({ pattern }) => pattern.test(name));
  if (found === undefined) {
    return [
      { kind: 'opaque', text: written(named), why: `\`${place.name}\` has a setting that is not known` },
    ];
  }
  const value = end === null ? null : dropStart(named, end.index + 1);
  return found.roles.flatMap((role) => act(role, value === null ? [] : [value], place));
}

/** The name that `find` looks for, where that is one plain pattern, and nothing is turned round or only one of several. */
function nameSought({ options, ignored, given }: Place['reading']): { readonly name?: string } {
  const names = options.filter(({ entry }) => entry.names.includes('-name'));
  const isPlain = ignored.length === 0 && !['-o', '-or', '-not', ','].some((each) => given.has(each));
  const value = names.length === 1 && isPlain ? names[0]?.values[0] : undefined;
  const name = value === undefined ? null : textOf(value);
  // Few stars: trying them costs its power of the name's length.
  const isShort = name !== null && /^[\w.*?+-]{1,100}$/.test(name) && name.split('*').length <= 4;
  return isShort ? { name } : {};
}
