import { anyTrue } from '@ambit/core';

/** True, false, or null if unknown. */
export type Maybe = boolean | null;

/** How a program reads its patterns. */
export interface Dialect {
  /** Whether `*`, `?` and `[` match no slash, and `**` between slashes matches folders. */
  readonly slashes?: boolean;
  readonly ignoreCase?: boolean;
  /** Whether characters and ranges depend on the locale; otherwise a pattern is compared byte by byte. */
  readonly locale?: boolean;
  /** Whether the text before the first sign of a pattern is compared by itself, so that `**` may stand after it. */
  readonly cutsStart?: boolean;
  /** Whether it has braces, and no classes like `[:alpha:]`. What depends on either is null. */
  readonly braces?: boolean;
}

/** fnmatch(3), for `find -name` and `grep --include`. */
export const fnmatch: Dialect = { locale: true };

/** Whether a part of a pattern matches a character. */
type Test = (char: string) => Maybe;

type Token =
  | { readonly kind: 'char'; readonly test: Test; readonly char: string | null }
  /** Any characters; `star` stops at slashes where they are special. */
  | { readonly kind: 'star' | 'all' }
  /** Nothing, or what the token after it matches: any characters up to a slash. */
  | { readonly kind: 'folders' | 'inside' };

/** Reads a shell pattern once. A match takes at most time proportional to the product of both lengths. */
export function patternMatcher(pattern: string, dialect: Dialect): (text: string) => Maybe {
  const isAscii = !/[^\0-\x7F]/.test(pattern);
  const asBytes = matcher(isAscii ? pattern : bytesOf(pattern), dialect);
  const asText = dialect.locale === true ? matcher(pattern, dialect) : null;
  return (text) => {
    if (isAscii && !/[^\0-\x7F]/.test(text)) return asBytes(text);
    const first = asBytes(bytesOf(text));
    if (dialect.ignoreCase === true && !isAscii) return null;
    return asText === null || asText(text) === first ? first : null;
  };
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function matcher(pattern: string, dialect: Dialect): (text: string) => Maybe {
  const tokens = tokensOf(pattern, dialect);
  // git lets a broken pattern match nothing; fnmatch reads some of them as plain text.
  if (tokens === 'broken') return () => (dialect.locale === true || dialect.braces === true ? null : false);
  if (tokens === null) return () => null;
  const fold = (text: string) => {
    if (dialect.ignoreCase !== true) return text;
    return dialect.locale === true
      ? text.toLowerCase()
      : text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
  };
  const firstWild = tokens.findIndex((token) => token.kind !== 'char' || token.char === null);
  const start = literal(firstWild === -1 ? tokens : tokens.slice(0, firstWild));
  if (firstWild === -1) return (text) => fold(text) === start;
  const lastWild = tokens.findLastIndex((token) => token.kind !== 'char' || token.char === null);
  const end = literal(tokens.slice(lastWild + 1));
  const middle = tokens.slice(firstWild, lastWild + 1);
  const isStar = middle.length === 1 && middle[0]?.kind === 'star';
  return (given) => {
    const text = fold(given);
    if (text.length < start.length + end.length || !text.startsWith(start) || !text.endsWith(end))
      return false;
    const between = text.slice(start.length, text.length - end.length);
    if (isStar && (dialect.slashes !== true || !between.includes('/'))) return true;
    if (isStar || refuses(middle[0], between[0]) || refuses(middle.at(-1), between.at(-1))) return false;
    if (!runs(middle, between, dialect, [true, null])) return false;
    return runs(middle, between, dialect, [true]) ? true : null;
  };
}

/** Whether a character at an end rules out a match: this settles most names. */
function refuses(token: Token | undefined, char: string | undefined): boolean {
  if (token?.kind !== 'char') return false;
  return char === undefined || (token.test(char) === false && !/[\uD800-\uDFFF]/.test(char));
}

function literal(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.kind === 'char' ? token.char : '')).join('');
}

/** Follows all ways through the pattern at once. `counting`: the results of tests that count as matches. */
function runs(
  tokens: readonly Token[],
  text: string,
  { slashes = false }: Dialect,
  counting: readonly Maybe[],
): boolean {
  let states = closeStates(new Set([0]), tokens);
  for (const char of text) {
    const next = new Set<number>();
    for (const at of states) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (token.kind === 'char') {
        if (counting.includes(token.test(char))) next.add(at + 1);
      } else if (token.kind === 'inside') {
        next.add(at);
        if (char === '/') next.add(at + 1);
      } else if (token.kind === 'all' || (token.kind === 'star' && (!slashes || char !== '/'))) next.add(at);
    }
    states = closeStates(next, tokens);
    if (states.size === 0) return false;
  }
  return states.has(tokens.length);
}

/** Adds the states that are reached without a character. */
function closeStates(states: Set<number>, tokens: readonly Token[]): Set<number> {
  for (const at of states) {
    const kind = tokens[at]?.kind;
    if (kind === 'star' || kind === 'all' || kind === 'folders') states.add(at + 1);
    if (kind === 'folders') states.add(at + 2);
  }
  return states;
}

/** Null if the pattern is ambiguous. */
function tokensOf(pattern: string, dialect: Dialect): readonly Token[] | 'broken' | null {
  const { slashes = false, ignoreCase = false, braces = false, cutsStart = false } = dialect;
  if (braces && /[{}]|\[:/.test(pattern)) return null;
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at] ?? '';
    if (char === '*') {
      const stars = /^\*+/.exec(pattern.slice(at))?.[0].length ?? 1;
      const after = pattern[at + stars];
      const isFirst =
        at === 0 || pattern[at - 1] === '/' || (cutsStart && !/[*?[\\]/.test(pattern.slice(0, at)));
      const isDeep = slashes && stars > 1 && isFirst;
      if (isDeep && stars > 2 && (after === '/' || after === undefined)) return null;
      const kind = isDeep && after === '/' ? 'folders' : isDeep && after === undefined ? 'all' : 'star';
      tokens.push({ kind });
      if (kind === 'folders') tokens.push({ kind: 'inside' });
      at += kind === 'folders' ? stars + 1 : stars;
    } else if (char === '?') {
      tokens.push({ kind: 'char', char: null, test: (one) => !slashes || one !== '/' });
      at += 1;
    } else if (char === '[') {
      const found = setAt(pattern, at, dialect);
      if (found === null || found === 'broken') return found;
      const test: Test = (one) => (slashes && one === '/' ? false : found.test(one));
      tokens.push({ kind: 'char', char: null, test });
      at = found.end;
    } else {
      const plain = char === '\\' ? pattern[at + 1] : char;
      if (plain === undefined) return 'broken';
      const wanted = ignoreCase ? plain.toLowerCase() : plain;
      tokens.push({ kind: 'char', char: wanted, test: (one) => one === wanted });
      at += char === '\\' ? 2 : 1;
    }
  }
  return tokens;
}

/** A set in brackets; `broken` if it is not closed, null if it depends on the locale. */
function setAt(
  pattern: string,
  from: number,
  dialect: Dialect,
): { test: Test; end: number } | 'broken' | null {
  const isNegated = /[!^]/.test(pattern[from + 1] ?? '');
  const first = from + (isNegated ? 2 : 1);
  const tests: Test[] = [];
  let at = first;
  for (; at === first || pattern[at] !== ']'; ) {
    if (pattern[at] === undefined) return 'broken';
    const named = /^\[([.:=])/.exec(pattern.slice(at));
    if (named !== null) {
      const [whole, name] = /^\[:([a-z]+):\]/.exec(pattern.slice(at)) ?? [];
      const expression = name === undefined ? undefined : classes[name];
      if (whole === undefined || expression === undefined || dialect.ignoreCase === true) return null;
      const other = dialect.locale === true ? null : false;
      tests.push((one) => (one > '\x7F' ? other : expression.test(one)));
      at += whole.length;
      continue;
    }
    const low = charAt(pattern, at);
    if (low === null) return 'broken';
    at = low.end;
    if (pattern[at] === '-' && pattern[at + 1] !== ']' && pattern[at + 1] !== undefined) {
      const high = charAt(pattern, at + 1);
      if (high === null) return 'broken';
      if (pattern.startsWith('[', at + 1)) return null;
      tests.push(rangeTest(low.char, high.char, dialect));
      at = high.end;
    } else tests.push((one) => sameAs(one, low.char, dialect));
  }
  const test: Test = (one) => {
    const found = anyTrue(tests.map((each) => each(one)));
    return found === null ? null : found !== isNegated;
  };
  return { test, end: at + 1 };
}

function charAt(pattern: string, at: number): { char: string; end: number } | null {
  const escaped = pattern[at] === '\\';
  const char = pattern[escaped ? at + 1 : at];
  return char === undefined ? null : { char, end: at + (escaped ? 2 : 1) };
}

function sameAs(one: string, other: string, { ignoreCase = false }: Dialect): boolean {
  return ignoreCase ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/** In a locale, a range is certain only for digits, and for letters of one case. */
function rangeTest(low: string, high: string, { locale = false, ignoreCase = false }: Dialect): Test {
  const kind = kinds.find((each) => each.test(low) && each.test(high));
  return (one) => {
    const isBetween = (char: string) => low <= char && char <= high;
    if (ignoreCase) {
      if (isBetween(one) || isBetween(one.toUpperCase())) return kind === undefined ? null : true;
      return locale ? null : false;
    }
    if (locale && kind?.test(one) !== true) return null;
    return isBetween(one);
  };
}

const kinds = [/^[0-9]$/, /^[a-z]$/, /^[A-Z]$/];

const classes: Readonly<Record<string, RegExp | undefined>> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /[ \t-\r]/,
  blank: /[ \t]/,
  xdigit: /[0-9A-Fa-f]/,
  punct: /[!-/:-@[-`{-~]/,
  print: /[ -~]/,
  graph: /[!-~]/,
};
