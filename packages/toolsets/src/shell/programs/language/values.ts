import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word, word } from '../../word.js';
import { dropStart, inFolder, written } from '../words.js';
import { readCommand } from './command.js';
import { file, load, opaque, shell } from './effect-of.js';

/** Files or folders that code is loaded from, with `:` or blanks between them. */
export function readLoadList(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [load(text, folder)];
  return known
    .split(/[:\s]+/)
    .filter((name) => name !== '')
    .map((name) => load(name, folder));
}

/** A prompt: what is substituted in it is run. */
export function readPrompt(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [shell(null, folder)];
  return /[$`]/.test(known) ? [shell(`: "${known.replaceAll('"', '\\"')}"`, folder)] : [];
}

/** A file that a shell reads first; what is substituted in its name is run. */
export function readShellStart(text: Word, folder: Word | null): readonly Effect[] {
  return [load(text, folder), ...readPrompt(text, folder)];
}

/** What `less` opens files with, `|command %s`. */
export function readLessOpen(text: Word, folder: Word | null): readonly Effect[] {
  const marks = /^[|-]*/.exec(startOf(text))?.[0].length ?? 0;
  return readCommand(dropStart(text, marks), folder);
}

/** Options for `less`: they may write, or run. */
export function readLessOptions(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (
    known !== null &&
    /^(?:[aAcCdefFgGiIJKLmMnNqQrRsSuUwWX~\s-]|--(?:RAW-CONTROL-CHARS|quit-if-one-screen|no-init|mouse)\b)*$/.test(
      known,
    )
  )
    return [];
  return [shell(null, folder)];
}

/** A file for a history; `-` is none. */
export function readHistory(text: Word, folder: Word | null): readonly Effect[] {
  return textOf(text) === '-' || textOf(text) === '/dev/null' ? [] : [file('write', text, folder)];
}

/** Where a trace is written: a path, or a number for a stream. */
export function readTrace(text: Word, folder: Word | null): readonly Effect[] {
  return /^(?:\d+|true|false)$/i.test(textOf(text) ?? '') ? [] : [file('write', text, folder)];
}

/** Options for `fzf`, which may run previews. */
export function readFzfOptions(text: Word, folder: Word | null): readonly Effect[] {
  return /preview|bind|execute|listen|history/.test(textOf(text) ?? 'bind') ? [shell(null, folder)] : [];
}

/** Options that a program takes besides those on its command line. */
export function readOptions(text: Word): readonly Effect[] {
  const known = textOf(text);
  if (
    known !== null &&
    /^(?:-j\s*\d+|-\d|-O\d|-v|-s|-k|-w|--color(?:=\w+)?|-Xm[sx]\d+[kmgKMG]?|-mod=\w+|-race|\s)*$/.test(known)
  )
    return [];
  return [opaque(written(text), 'options that a variable gives')];
}

/** Options for `java`: agents are loaded. */
export function readJavaOptions(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [{ kind: 'code', language: 'java', text: null, ...inFolder(folder) }];
  const agents = [...known.matchAll(/-(?:javaagent|agentpath|agentlib|Xbootclasspath\/?a?):([^\s=]+)/g)];
  const runs = /-XX:(?:OnOutOfMemoryError|OnError)=(\S+)|@\S+/.test(known);
  return [...agents.map(([, name = '']) => load(name, folder)), ...(runs ? [shell(null, folder)] : [])];
}

/** Filters for warnings of Python, of which one may name a module. */
export function readPythonWarnings(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known !== null && /^[a-z:,]*$/.test(known)) return [];
  return [
    { kind: 'code', language: 'python', text: known === null ? null : word(known), ...inFolder(folder) },
  ];
}
