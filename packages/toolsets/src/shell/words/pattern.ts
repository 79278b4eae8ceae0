/** A pattern for one name, as far as it is told apart: a bracket matches any character. */
type Token = 'any' | 'one' | { readonly text: string };

export interface NamePattern {
  readonly tokens: readonly Token[];
  /** Whether it may match more than the shell's. */
  readonly is_rough: boolean;
}

/** A piece of a pattern; quoted where nothing in it means anything. */
export interface PatternPiece {
  readonly text: string;
  readonly is_quoted: boolean;
}

export function hasPattern(pieces: readonly PatternPiece[]): boolean {
  return pieces.some(({ text, is_quoted }) => !is_quoted && /[*?[]/.test(text));
}

export function namePattern(pieces: readonly PatternPiece[]): NamePattern {
  const tokens: Token[] = [];
  let is_rough = false;
  for (const { text, is_quoted } of pieces) {
    if (is_quoted) {
      tokens.push(...[...text].map((character) => ({ text: character })));
      continue;
    }
    for (const [token] of text.matchAll(/\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|[\s\S]/gu)) {
      if (token === '*') tokens.push('any');
      else if (token === '?') tokens.push('one');
      else if (token.length > 1 && token.startsWith('[')) tokens.push('one');
      else tokens.push({ text: token });
      is_rough ||= token.startsWith('[');
    }
  }
  return { tokens, is_rough };
}

/** Whether a name matches. The time is at most the product of both lengths. */
export function matches(name: string, { tokens }: NamePattern, how: 'name' | 'text' = 'name'): boolean {
  const characters = [...name];
  if (how === 'name' && name.startsWith('.') && !isCharacter(tokens[0], '.')) return false;
  let [at, token] = [0, 0];
  let star: { readonly token: number; at: number } | null = null;
  while (at < characters.length) {
    const current = tokens[token];
    if (current === 'any') {
      star = { token, at };
      token += 1;
    } else if (current === 'one' || isCharacter(current, characters[at])) {
      at += 1;
      token += 1;
    } else if (star !== null) {
      star.at += 1;
      at = star.at;
      token = star.token + 1;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === 'any');
}

function isCharacter(token: Token | undefined, text: string | undefined): boolean {
  return typeof token === 'object' && token.text === text;
}
