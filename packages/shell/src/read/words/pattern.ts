import { coversSequence } from '@ambit/core';

type Token = 'any' | 'one' | { readonly text: string } | Characters;

/** `[a-z]`, or with a `!` all others. */
interface Characters {
  readonly ranges: readonly (readonly [number, number])[];
  readonly isNegated: boolean;
}

export interface NamePattern {
  readonly tokens: readonly Token[];
  /** Whether it may match more than the shell's pattern. */
  readonly isRough: boolean;
  /** Whether it counts characters. They are bytes in the C locale, and for some shells. */
  readonly counts: boolean;
}

/** Whether a text has characters of several bytes. */
export function isWide(text: string): boolean {
  return /[^\0-\x7f]/.test(text);
}

/** A piece of a pattern; quoted if it has no special meaning. */
export interface PatternPiece {
  readonly text: string;
  readonly isQuoted: boolean;
}

export function hasPattern(pieces: readonly PatternPiece[]): boolean {
  let isOpened = false;
  for (const { text, isQuoted } of pieces) {
    if (!isQuoted && /[*?]/.test(text)) return true;
    const start = isQuoted ? -1 : text.indexOf('[');
    // An unclosed bracket is a plain character.
    if ((isOpened && !isQuoted && text.includes(']')) || (start !== -1 && text.includes(']', start + 1)))
      return true;
    isOpened ||= start !== -1;
  }
  return false;
}

/** One character or bracket. Captured: one that may have a collating symbol, equal characters or an odd class, with all that follows. */
const bracketOrOne = /(\[[\s\S]*\[(?:[.=]|:(?!\w+:\]))[\s\S]*)|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|[\s\S]/gu;

export function namePattern(pieces: readonly PatternPiece[]): NamePattern {
  const quoted: string[] = [];
  const text = pieces.map((piece) => hideQuoted(piece, quoted)).join('');
  let isRough = false;
  const tokens = Array.from(text.matchAll(bracketOrOne), ([token, unknown]): Token => {
    if (token === '*') return 'any';
    if (unknown !== undefined) {
      isRough = true;
      return 'any';
    }
    if (token === '?') return 'one';
    if (token.length > 1 && token.startsWith('[')) {
      quoted.splice(0, token.split(stand).length - 1);
      const characters = charactersOf(token);
      isRough ||= characters === null;
      return characters ?? 'one';
    }
    return { text: token === stand ? (quoted.shift() ?? token) : token };
  });
  const counts = tokens.some((token) => token === 'one' || (typeof token === 'object' && !('text' in token)));
  return { tokens, isRough, counts };
}

/** A quoted character, which is literal. */
const stand = '\uf8ff';

function hideQuoted({ text, isQuoted }: PatternPiece, quoted: string[]): string {
  const hides = (character: string) => isQuoted || character === stand;
  const characters = [...text];
  quoted.push(...characters.filter(hides));
  return characters.map((character) => (hides(character) ? stand : character)).join('');
}

/** Whether a name matches. The time is at most the product of both lengths. */
export function matches(name: string, { tokens }: NamePattern, how: 'name' | 'text'): boolean {
  // Only a written dot matches the first one of a name, and no bracket does.
  if (how === 'name' && name.startsWith('.') && !isText(tokens[0], '.')) return false;
  return coversSequence(tokens, [...name], {
    isAny: (token) => token === 'any',
    fits: (token, character) => token === 'one' || isCharacter(token, character),
  });
}

/** Null if the match depends on the locale, or on more than letters. */
function charactersOf(bracket: string): Characters | null {
  const inner = /^\[([!^]?)((?:[a-zA-Z0-9_.]-[a-zA-Z0-9]|[a-zA-Z0-9_.])+)\]$/.exec(bracket);
  if (inner === null) return null;
  const ranges = Array.from((inner[2] ?? '').matchAll(/(.)(?:-(.))?/g), ([, first = '', last = first]) => {
    return [first.charCodeAt(0), last.charCodeAt(0)] as const;
  });
  return { ranges, isNegated: inner[1] !== '' };
}

/** The pattern with any text for each character that it does not name. */
export function widen(pattern: NamePattern): NamePattern {
  const tokens = pattern.tokens.map((token) =>
    typeof token === 'object' && 'text' in token ? token : 'any',
  );
  return { ...pattern, tokens };
}

function isCharacter(token: Token, text: string): boolean {
  if (typeof token !== 'object' || 'text' in token) return isText(token, text);
  const code = text.codePointAt(0) ?? -1;
  return token.ranges.some(([first, last]) => code >= first && code <= last) !== token.isNegated;
}

function isText(token: Token | undefined, text: string): boolean {
  return typeof token === 'object' && 'text' in token && token.text === text;
}
