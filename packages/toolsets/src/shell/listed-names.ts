import { wellKnownAt } from '../well-known.js';
import { startOf, textOf, type Word } from './word.js';

/** Where the files lie whose names a program prints, each on a line, with a slash at its end; null where it may print anything else. */
export function folderOfNames(name: string, words: readonly Word[]): string | null {
  const texts = words.map(textOf);
  const known = texts.filter((text) => text !== null);
  const isKnown = known.length === texts.length;
  switch (name) {
    case 'find':
      return isKnown ? folderOfFind(known) : null;
    case 'git':
      return isKnown && isListing(known) ? '' : null;
    case 'ls':
      return namesOnly(words, { flag: /^-[1ArtSU]+$/, valued: /^$/, before: 0 }) ? '' : null;
    case 'grep':
    case 'egrep':
    case 'fgrep':
      return namesOnly(words, { ...printing.grep, needed: /^-[A-Za-z]*[lL]/ }) ? '' : null;
    case 'rg':
      if (known.includes('--files')) return namesOnly(words, { ...printing.rg, before: 0 }) ? '' : null;
      return namesOnly(words, { ...printing.rg, needed: /^-[A-Za-z]*l|^--files-with/ }) ? '' : null;
    case 'fd':
      return namesOnly(words, printing.fd) ? '' : null;
    default:
      return null;
  }
}

interface Printing {
  readonly flag: RegExp;
  /** Options that take the next word. */
  readonly valued: RegExp;
  /** How many operands come before the files. */
  readonly before: number;
  /** An option without which other things are printed. */
  readonly needed?: RegExp;
}

const printing = {
  grep: {
    flag: /^(?:-[EFGHILPUZilrsvwxz]+|--(?:include|exclude|exclude-dir)=.*|--recursive|--null)$/s,
    valued: /^--(?:include|exclude|exclude-dir)$/,
    before: 1,
  },
  rg: {
    flag: /^(?:-[0FSPUilsuvwx]+|--(?:files|files-with-matches|hidden|no-ignore|null)|--(?:glob|type)=.*)$/s,
    valued: /^(?:-g|-t|-T|--glob|--type)$/,
    before: 1,
  },
  fd: { flag: /^(?:-[0FgHIips]+|--(?:hidden|no-ignore|print0))$/, valued: /^-[etEd]$/, before: 1 },
} satisfies Record<string, Printing>;

/** Whether it prints only names of files in the folder: where it looks is named from there, and does not lead up. */
function namesOnly(words: readonly Word[], { flag, valued, before, needed }: Printing): boolean {
  let isNeeded = needed === undefined;
  let skipped = 0;
  for (let at = 0; at < words.length; at += 1) {
    const each = words[at];
    if (each === undefined) return false;
    const start = startOf(each);
    if (skipped === before && !start.startsWith('-')) {
      if (!leadsDown(each)) return false;
      continue;
    }
    const text = textOf(each);
    if (text === null) return false;
    if (!text.startsWith('-')) skipped += 1;
    else if (valued.test(text)) at += 1;
    else if (!flag.test(text)) return false;
    isNeeded ||= needed?.test(text) === true;
  }
  return isNeeded;
}

function leadsDown({ parts }: Word): boolean {
  const [first] = parts;
  if (typeof first === 'string' && /^[/~:-]/.test(first)) return false;
  return parts.every((part) => (typeof part === 'string' ? !part.includes('..') : part.kind === 'glob'));
}

/** Whether git prints names of files of the project, and nothing else. */
function isListing([command, ...rest]: readonly string[]): boolean {
  if (command === 'ls-files')
    return rest.every((text) =>
      text.startsWith('-')
        ? /^(?:-[comz]+|--cached|--others|--modified|--exclude-standard|--)$/.test(text)
        : leadsDown({ parts: [text] }),
    );
  if (command !== 'diff' || !rest.includes('--name-only')) return false;
  return rest.every((text) =>
    text.startsWith('-')
      ? /^(?:--name-only|--cached|--staged|--diff-filter=\w+|-z|--)$/.test(text)
      : leadsDown({ parts: [text.replace('...', '.').replace('..', '.')] }),
  );
}

/** Whether a pattern is for names that only secrets have: which it finds matters then. */
function isSecret(pattern: string): boolean {
  return [pattern, pattern.replaceAll('*', '')].some(
    (name) => wellKnownAt(`/x/${name}`, 'secret.read', []).length > 0,
  );
}

const finding =
  /^-(?:type|name|iname|path|ipath|not|maxdepth|mindepth|newer|mtime|size|o|a|prune|print|print0|empty|perm|regex)$/;

function folderOfFind(words: readonly string[]): string | null {
  const first = words.findIndex((text) => /^[-(!]/.test(text));
  const starts = first === -1 ? words : words.slice(0, first);
  const rest = first === -1 ? [] : words.slice(first);
  const [start = '.', ...others] = starts;
  const isPlain = rest.every((text) => !text.startsWith('-') || finding.test(text));
  if (rest.some(isSecret)) return null;
  return isPlain && others.length === 0 ? start.replace(/\/*$/, '/') : null;
}
