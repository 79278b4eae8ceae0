import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word } from '../../word.js';
import { dropStart, inFolder } from '../words.js';
import { file, load, opaque, shell } from './effect-of.js';

/** Commands for `vim`, one a line or with `|` between them. */
export function readVim(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  const code: Effect = { kind: 'code', language: 'vim', text, ...inFolder(folder) };
  if (known === null) return [code];
  return known.split('\n').flatMap((line) => vimCommand(line, folder) ?? [code]);
}

/** Null where it is not known. */
function vimCommand(line: string, folder: Word | null): readonly Effect[] | null {
  const [, command = ''] =
    /^[\s:]*(?:%|\d+|[.$])?(?:,(?:\d+|[.$]))?\s*(?:silent!?\s+)?([\s\S]*)$/.exec(line) ?? [];
  if (command.startsWith('!')) return [shell(command.slice(1), folder)];
  const [, name = '', argument = ''] = /^([a-zA-Z]*)!?\s*([\s\S]*)$/.exec(command) ?? [];
  if (/[|`%#*$~]|\bexe/.test(argument) && name !== 's') return null;
  if (/^(?:q|qa|quit|qall|wq|wqa|x|xa|xall|w|wa|)$/.test(name) && argument === '') return [];
  if (/^(?:w|write|sav|saveas)$/.test(name)) {
    return argument.startsWith('!') ? [shell(argument.slice(1), folder)] : [file('write', argument, folder)];
  }
  if (/^(?:r|read|e|edit|sp|split|vs|vsplit|tabe|tabedit)$/.test(name)) {
    return argument.startsWith('!')
      ? [shell(argument.slice(1), folder)]
      : [file('read', argument, folder), file('write', argument, folder)];
  }
  if (/^(?:so|source|luafile|pyfile|py3file)$/.test(name)) return [load(argument, folder)];
  if (
    name === 'set' &&
    /^(?:no)?(?:number|nu|wrap|list|paste|ic|ignorecase|hls|hlsearch|ro|readonly|ft=\w+|tw=\d+|sw=\d+|ts=\d+)$/.test(
      argument,
    )
  )
    return [];
  if (name === 's') return /\\=/.test(argument) ? null : [];
  return /^(?:syntax|syn|colorscheme|noh|nohlsearch)$/.test(name) ? [] : null;
}

/** What `less` and `more` do first. */
export function readLess(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known !== null && /^\+?(?:\d*[GgpF%]?|\/[^!]*|\?[^!]*)$/.test(known)) return [];
  if (startOf(text).startsWith('!')) return [shell(dropStart(text, 1), folder)];
  return [shell(null, folder)];
}

/** A command for `mail`: `!` runs the rest of it. */
export function readBang(text: Word, folder: Word | null): readonly Effect[] {
  return [shell(startOf(text).startsWith('!') ? dropStart(text, 1) : null, folder)];
}

/** A command for `gdb`. */
export function readGdb(text: Word, folder: Word | null): readonly Effect[] {
  const [, name = '', argument = ''] = /^\s*(!|[a-z-]*)\s*([\s\S]*)$/.exec(textOf(text) ?? '') ?? [];
  if (name === '!' || name === 'shell') return [shell(argument, folder)];
  if (name === 'source') return [load(argument, folder)];
  if (
    /^(?:bt|backtrace|where|info|list|l|q|quit|help|show|frame|thread|print|p|x)$/.test(name) &&
    !argument.includes('(')
  )
    return [];
  return [{ kind: 'code', language: 'gdb', text, ...inFolder(folder) }];
}

/** A program for `dc`: `!` runs the rest of its line. */
export function readDc(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [shell(null, folder)];
  const strings = known.replaceAll(/\[[^[\]]*\]/g, (each) => (each.includes('!') ? each : '[]'));
  return [...strings.matchAll(/!(?![<>=])([^\n]*)/g)].map(([, command = '']) => shell(command, folder));
}

/** What `tar` does at a checkpoint. */
export function readTarAction(text: Word, folder: Word | null): readonly Effect[] {
  if (startOf(text).startsWith('exec=')) return [shell(dropStart(text, 5), folder)];
  return /^(?:\.|dot|bell|echo|sleep|totals|ttyout|wait)/.test(startOf(text)) ? [] : [shell(null, folder)];
}

/** Commands for `psql` and `mysql` that reach files or run programs from within. */
export function readSql(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  const reaches =
    /\\[!oigweSs]|\\copy|\\\.|program|outfile|infile|load_file|^\s*(?:system|source|tee|pager|edit)\b/i;
  if (known !== null && !reaches.test(known)) return [];
  const run = /^\s*(?:\\!|system\s)\s*([^\n]+)$/.exec(known ?? '')?.[1];
  return run === undefined
    ? [{ kind: 'code', language: 'sql', text, ...inFolder(folder) }]
    : [shell(run, folder)];
}

/** A setting of `nginx` on its command line. */
export function readNginx(text: Word): readonly Effect[] {
  return /^\s*daemon o(?:n|ff);?\s*$/.test(textOf(text) ?? '')
    ? []
    : [opaque(textOf(text) ?? '', 'settings that are not read')];
}

/** A macro for `rpm`: `%(…)` is a command, `%{lua:…}` code. */
export function readRpm(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [shell(null, folder)];
  const commands = [...known.matchAll(/%\(([^)]*)\)/g)].map(([, command = '']) => shell(command, folder));
  return known.includes('lua:') ? [...commands, { kind: 'code', language: 'lua', text: null }] : commands;
}
