import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word, word } from '../../word.js';
import { inFolder, within, withNumbers } from '../words.js';
import { type AwkToken, awkTokens } from './awk-tokens.js';
import { readCommand } from './command.js';
import { file, shell } from './effect-of.js';

/**
 * A program for `awk`: the files that `>`, `>>` and `<` name, and the commands of `system`, `|` and `|&`. A name that
 * is put together is unknown. What runs others counts as code besides, as does what is no program that can be read.
 */
export function readAwk(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(withNumbers(text));
  const code: Effect = { kind: 'code', language: 'awk', text, ...inFolder(folder) };
  const tokens = known === null ? null : awkTokens(known);
  if (tokens === null) return [code];
  const effects: Effect[] = [];
  let isPrinting = false;
  let depth = 0;
  tokens.forEach((token, index) => {
    if (token.kind === 'word' && (token.text === 'print' || token.text === 'printf')) {
      isPrinting = true;
      depth = 0;
    }
    if (token.kind === 'end') isPrinting = false;
    if (token.text === '(' && token.kind === 'sign') depth += 1;
    if (token.text === ')' && token.kind === 'sign') depth -= 1;
    effects.push(...ofToken({ tokens, index, isOutput: isPrinting && depth <= 0, folder }));
    if (token.kind === 'sign' && token.text === '}') isPrinting = false;
  });
  return effects.some(({ kind }) => kind === 'run' || kind === 'code') ? [code, ...effects] : effects;
}

interface Spot {
  readonly tokens: readonly AwkToken[];
  readonly index: number;
  /** Whether `>` writes to a file here, and compares nothing. */
  readonly isOutput: boolean;
  readonly folder: Word | null;
}

function ofToken({ tokens, index, isOutput, folder }: Spot): readonly Effect[] {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (token?.kind === 'word') {
    if (token.text === 'system') return command(literal(tokens, index + 2), folder);
    if (token.text === '@load' || token.text === '@include') {
      const library = literal(tokens, index + 1);
      return [
        unknownCode(folder),
        { kind: 'load', word: within(folder, word(library ?? '?')), language: 'awk' },
      ];
    }
    if (token.text.startsWith('@')) return [unknownCode(folder)];
    // What is put into it is read next.
    if (token.text === 'ARGV') return [file('read', null, folder)];
    if (token.text === 'ENVIRON') return [environment(tokens, index)];
    return [];
  }
  if (token?.kind !== 'sign') return [];
  switch (token.text) {
    case '>':
    case '>>':
      return isOutput ? files('write', literal(tokens, index + 1), folder) : [];
    case '<':
      return isGetline(tokens, index) ? files('read', literal(tokens, index + 1), folder) : [];
    case '|':
    case '|&':
      if (tokens[index + 1]?.text === 'getline') {
        return command(before?.kind === 'string' && isStart(tokens[index - 2]) ? before.text : null, folder);
      }
      return command(literal(tokens, index + 1), folder);
    case '@':
      return [unknownCode(folder)];
    default:
      return [];
  }
}

/** `ENVIRON["NAME"]`, or all of it. */
function environment(tokens: readonly AwkToken[], index: number): Effect {
  const name =
    tokens[index + 1]?.text === '[' && tokens[index + 3]?.text === ']' ? tokens[index + 2] : undefined;
  const variable = name?.kind === 'string' ? { variable: name.text } : {};
  return { kind: 'capability', capability: { name: 'env.read', ...variable } };
}

function isGetline(tokens: readonly AwkToken[], index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 6); at -= 1) {
    if (tokens[at]?.text === 'getline') return true;
    if (tokens[at]?.kind === 'end') return false;
  }
  return false;
}

/** A text that stands there by itself; null where it is put together from others. */
function literal(tokens: readonly AwkToken[], index: number): string | null {
  const token = tokens[index];
  return token?.kind === 'string' && isAlone(tokens[index + 1]) ? token.text : null;
}

/** Whether an expression begins behind this token. */
function isStart(before: AwkToken | undefined): boolean {
  return (
    before === undefined ||
    before.kind === 'end' ||
    (before.kind === 'sign' && /^[({!&|?:]/.test(before.text))
  );
}

function isAlone(next: AwkToken | undefined): boolean {
  return next === undefined || next.kind === 'end' || (next.kind === 'sign' && /^[){}|&?:]/.test(next.text));
}

function files(access: 'read' | 'write', name: string | null, folder: Word | null): readonly Effect[] {
  if (name === null) return [file(access, null, folder)];
  const address = /^\/inet[46]?\/(?:tcp|udp)\/[^/]*\/([^/]*)\/(\d*)/.exec(name);
  if (address !== null) return [connection(address)];
  if (name === '-' || /^\/dev\/(?:stdin|stdout|stderr)$/.test(name)) return [];
  return [file(access, name, folder)];
}

function command(text: string | null, folder: Word | null): readonly Effect[] {
  const address = /^\/inet[46]?\/(?:tcp|udp)\/[^/]*\/([^/]*)\/(\d*)/.exec(text ?? '');
  if (address !== null) return [connection(address)];
  return text === null ? [shell(null, folder)] : readCommand(word(text), folder);
}

function connection([, host = '', port = '']: readonly string[]): Effect {
  const number = Number(port);
  return { kind: 'connect', to: word(host), ...(number > 0 && number < 65536 ? { port: number } : {}) };
}

function unknownCode(folder: Word | null): Effect {
  return { kind: 'code', language: 'awk', text: null, ...inFolder(folder) };
}

/** A library for `gawk`; `inplace` makes it write to the files that it reads. */
export function readAwkInclude(text: Word, folder: Word | null): readonly Effect[] {
  const library: Effect = { kind: 'load', word: within(folder, text), language: 'awk' };
  return textOf(text) === 'inplace' ? [file('write', null, folder)] : [library, file('write', null, folder)];
}

/** An operand of `awk`: `name=value`, or a file that is read. */
export function readAwkOperand(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (/^[A-Za-z_]\w*=/.test(start) || textOf(text) === '-' || textOf(text) === '') return [];
  return [{ kind: 'path', access: 'read', word: within(folder, text) }];
}
