import { hiddenCharacters } from '@ambit/core';
import { Lexer } from 'yaml';
import type { Problems } from './problems.js';

/** The YAML library recurses: deeper files would crash the process. */
export const deepest = 100;

/**
 * Checks depth, tags and directives before composing; null if composing is not safe. The depth is at least half
 * exact.
 */
export function scanTokens(text: string, problems: Problems, refused: RegExp): readonly string[] | null {
  // The lexer marks scalars and documents with control characters, so a text must not contain them.
  if (!hasNone(refused, text, problems)) return null;
  const tokens: string[] = [];
  const nesting = createNesting();
  let at = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    tokens.push(token);
    if (token === documentMark || token === flowErrorMark) continue;
    if (token === scalarMark) {
      isScalar = true;
      nesting.scalar(at);
      continue;
    }
    const span = { start: at, end: at + token.length };
    at = span.end;
    if (isScalar) isScalar = false;
    else if (token.startsWith('!'))
      problems.add('TAG', span, {
        message: 'tags are not allowed',
        help: 'write the plain value; put text that begins with `!` in quotes',
      });
    else if (token.startsWith('%') && token.trim() !== '%YAML 1.2')
      problems.add('DIRECTIVE', span, { message: 'directives are not allowed', help: 'remove the line' });
    else nesting.token(token, span.start);
    if (token.includes('\n')) nesting.line(span.start + token.lastIndexOf('\n') + 1);
    if (nesting.depth() > deepest) {
      reportDepth(span, problems);
      return null;
    }
  }
  return tokens;
}

export function reportDepth(span: { start: number; end: number }, problems: Problems): void {
  problems.add('TOO_DEEP', span, {
    message: `this is nested more than ${deepest} levels deep`,
    help: 'use fewer levels',
  });
}

const documentMark = '\u0002';
const flowErrorMark = '\u0018';
const scalarMark = '\u001f';

/** Follows indentation and brackets. */
function createNesting() {
  const columns: number[] = [];
  let flow = 0;
  let lineStart = 0;
  // The column of a possible key: the first token since the last indicator.
  let candidate: number | null = null;
  const enter = (column: number) => {
    while (columns.length > 0 && (columns.at(-1) as number) > column) columns.pop();
    if (columns.at(-1) !== column) columns.push(column);
  };
  return {
    depth: () => columns.length + flow,
    line: (start: number) => {
      lineStart = start;
      candidate = null;
    },
    scalar: (at: number) => {
      if (flow === 0) candidate ??= at - lineStart;
    },
    token: (token: string, at: number) => {
      const column = at - lineStart;
      if (token === '[' || token === '{') {
        if (flow === 0) candidate ??= column;
        flow += 1;
      } else if (token === ']' || token === '}') flow = Math.max(0, flow - 1);
      else if (flow > 0) return;
      else if (token === '-' || token === '?') {
        enter(column);
        candidate = null;
      } else if (token === ':') {
        enter(candidate ?? column);
        candidate = null;
      } else if (/^["'&*]/.test(token)) candidate ??= column;
    },
  };
}

function hasNone(refused: RegExp, text: string, problems: Problems): boolean {
  if (plain.test(text)) return true;
  let found = 0;
  for (const match of text.matchAll(refused)) {
    found += 1;
    // Twenty are enough to recognise the file.
    if (found > 20) break;
    const [character] = match;
    const digits = (character.codePointAt(0) as number).toString(16).toUpperCase();
    const span = { start: match.index, end: match.index + character.length };
    const isHidden = character.search(unprintable) === -1;
    const escaped = digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
    problems.add('CONTROL_CHARACTER', span, {
      message: `the character U+${digits.padStart(4, '0')} is not allowed${isHidden ? ': it is invisible' : ''}`,
      help: `remove it, or write it as an escape in double quotes: "${escaped}"`,
    });
  }
  return found === 0;
}

/** Matches texts that cannot match any pattern below, which are most files. */
const plain = /^[\t\n\x20-\x7e]*$/;
/** Characters that YAML forbids in a file; and a CR alone, which ends a line in YAML and not in the library. */
export const unprintable =
  /\r(?!\n)|[^\t\n\r\x20-\x7e\x85\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu;
const invisible = new RegExp(`[\\x85${hiddenCharacters}]`, 'u');
/** Unprintable, bidirectional and invisible characters: with them, a reader would see another text. */
export const unreadable = new RegExp(`${unprintable.source}|${invisible.source}`, 'gu');
