import type { Effect } from '../../effect.js';
import { textOf, type Word } from '../../word.js';
import { inFolder } from '../words.js';
import { file, load, opaque, shell } from './effect-of.js';

/** Dot commands that only print or say how to. */
const harmless =
  /^\.(?:tables?|schema|mode|headers?|quit|exit|databases|index(?:es)?|indices|help|width|separator|nullvalue|timer|show|stats|explain|bail|echo|fullschema|lint|limits?|parameter|print|prompt|changes|eqp|sha3sum|timeout|version|vfs(?:info|list|name))\b/;

/** SQL and dot commands for `sqlite3`. */
export function readSqlite(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [{ kind: 'code', language: 'sqlite', text, ...inFolder(folder) }];
  return known
    .split('\n')
    .flatMap((line) => (/^\s*\./.test(line) ? dotCommand(line.trim(), folder) : statement(line, folder)));
}

function dotCommand(line: string, folder: Word | null): readonly Effect[] {
  if (harmless.test(line)) return [];
  const [command = '', ...rest] = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const names = rest.map((each) => each.replaceAll(/^['"]|['"]$/g, ''));
  const name = names.find((each) => !each.startsWith('-')) ?? '';
  if (command === '.shell' || command === '.system')
    return [shell(line.slice(command.length).trim(), folder)];
  if (name.startsWith('|')) return [shell(name.slice(1), folder)];
  switch (command) {
    case '.read':
    case '.import':
      return [file('read', name, folder)];
    case '.output':
    case '.once':
    case '.log':
    case '.trace':
    case '.testcase':
      return name === '' || /^(?:stdout|stderr|off)$/.test(name) ? [] : [file('write', name, folder)];
    case '.save':
    case '.backup':
    case '.clone':
    case '.open':
    case '.restore':
      return [file('write', names.at(-1) ?? null, folder), file('read', names.at(-1) ?? null, folder)];
    case '.dump':
      return [];
    case '.load':
      return [load(name, folder)];
    default:
      return [opaque(line, 'a command of `sqlite3` that is not known')];
  }
}

function statement(sql: string, folder: Word | null): readonly Effect[] {
  const effects: Effect[] = [];
  const add = (pattern: RegExp, effect: (name: string | null) => Effect) => {
    for (const [, quoted] of sql.matchAll(pattern))
      effects.push(effect(quoted === undefined ? null : quoted.slice(1, -1)));
  };
  const literal = `\\s*('[^']*'|"[^"]*")?`;
  add(new RegExp(`\\bwritefile\\s*\\(${literal}`, 'gi'), (name) => file('write', name, folder));
  add(new RegExp(`\\b(?:readfile|fsdir|lsdir|zipfile)\\s*\\(${literal}`, 'gi'), (name) =>
    file('read', name, folder),
  );
  add(new RegExp(`\\bload_extension\\s*\\(${literal}`, 'gi'), (name) => load(name, folder));
  add(new RegExp(`\\battach(?:\\s+database)?\\b${literal}`, 'gi'), (name) => file('write', name, folder));
  add(new RegExp(`\\bvacuum\\b[^;]*\\binto\\b${literal}`, 'gi'), (name) => file('write', name, folder));
  if (/\bedit\s*\(|\bfts3_tokenizer\b/i.test(sql)) effects.push(shell(null, folder));
  return effects;
}
