import type { Effect } from '../../effect.js';
import { startOf, textOf, type Word, word } from '../../word.js';
import { inFolder, within } from '../words.js';
import { type AwkToken, awkTokens } from './awk-tokens.js';

/**
 * A program for `awk`: the files that `>`, `>>` and `<` name, and the commands of `system`, `|` and `|&`. A name that
 * is put together is unknown. What is no program that can be read counts as code.
 */
export function readAwk(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
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
  return effects;
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
    if (token.text === 'system') return [command(literal(tokens, index + 2), folder)];
    if (token.text.startsWith('@')) return [unknownCode(folder)];
    return [];
  }
  if (token?.kind !== 'sign') return [];
  switch (token.text) {
    case '>':
    case '>>':
      return isOutput ? file('write', literal(tokens, index + 1), folder) : [];
    case '<':
      return isGetline(tokens, index) ? file('read', literal(tokens, index + 1), folder) : [];
    case '|':
    case '|&':
      if (tokens[index + 1]?.text === 'getline') {
        return [
          command(before?.kind === 'string' && isAlone(tokens[index - 2]) ? before.text : null, folder),
        ];
      }
      return [command(literal(tokens, index + 1), folder)];
    case '@':
      return [unknownCode(folder)];
    default:
      return [];
  }
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

function isAlone(next: AwkToken | undefined): boolean {
  return next === undefined || next.kind === 'end' || (next.kind === 'sign' && /^[){}|&?:]/.test(next.text));
}

function file(access: 'read' | 'write', name: string | null, folder: Word | null): readonly Effect[] {
  if (name === null) return [{ kind: 'path', access, word: { parts: [{ kind: 'text', text: '?' }] } }];
  const address = /^\/inet[46]?\/(?:tcp|udp)\/[^/]*\/([^/]*)\/(\d*)/.exec(name);
  if (address !== null) return [connection(address)];
  if (name === '-' || /^\/dev\/(?:stdin|stdout|stderr)$/.test(name)) return [];
  return [{ kind: 'path', access, word: within(folder, word(name)) }];
}

function command(text: string | null, folder: Word | null): Effect {
  const address = /^\/inet[46]?\/(?:tcp|udp)\/[^/]*\/([^/]*)\/(\d*)/.exec(text ?? '');
  if (address !== null) return connection(address);
  return { kind: 'code', language: 'sh', text: text === null ? null : word(text), ...inFolder(folder) };
}

function connection([, host = '', port = '']: readonly string[]): Effect {
  const number = Number(port);
  return { kind: 'connect', to: word(host), ...(number > 0 && number < 65536 ? { port: number } : {}) };
}

function unknownCode(folder: Word | null): Effect {
  return { kind: 'code', language: 'awk', text: null, ...inFolder(folder) };
}

/** An operand of `awk`: `name=value`, or a file that is read. */
export function readAwkOperand(text: Word, folder: Word | null): readonly Effect[] {
  const start = startOf(text);
  if (/^[A-Za-z_]\w*=/.test(start) || textOf(text) === '-' || textOf(text) === '') return [];
  return [{ kind: 'path', access: 'read', word: within(folder, text) }];
}
