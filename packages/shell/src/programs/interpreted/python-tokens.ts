import { Scanner } from '../language/scanner.js';

export interface PythonToken {
  /** `start` begins a statement. */
  readonly kind: 'start' | 'name' | 'number' | 'string' | 'sign';
  /** As it is written; a string in single quotes, and without any. */
  readonly text: string;
  /** The value of a string without escapes and fields. */
  readonly value?: string;
  /** How many brackets are open before it. */
  readonly depth: number;
}

const blank = /(?:[ \t]|#(?![^\n]*coding)[^\n]*)+/y;
// A letter before quotes may be a prefix.
const name = /[A-Za-z_]\w*(?!['"\w])/y;
const number = /(?:0[xX][\da-fA-F_]+|0[oObB][\d_]+|(?:\d[\d_]*\.?|\.\d)[\d_]*(?:[eE][+-]?\d+)?)(?!\w)/y;
const string =
  /([rRbBuUfF]{0,2})(?:'''((?:[^\\]|\\[\s\S])*?)'''|"""((?:[^\\]|\\[\s\S])*?)"""|'(?!'')((?:[^'\\\n]|\\[\s\S])*)'|"(?!"")((?:[^"\\\n]|\\[\s\S])*)")/y;
const sign = /\*\*=?|\/\/=?|>>=?|<<=?|->|:=|[-+*/%&|^@=!<>]=|\.\.\.|[-+*/%@&|^~<>()[\]{},:.;=]/y;
/** A field of a string with fields: an expression without braces and comments, a conversion, and a format. */
const field =
  /\{\{|\}\}|\{((?:[^{}:!'"\\#]|'[^'{}\\]*'|"[^"{}\\]*"|!=)+)(?:=)?(?:![rsa])?(?::[^{}]*)?\}|[{}]/g;

/** The tokens of a text; null if it is not understood. */
export function pythonTokens(text: string): readonly PythonToken[] | null {
  // It ends a line, also that of a comment.
  if (text.includes('\r')) return null;
  const tokens: PythonToken[] = [{ kind: 'start', text: '', depth: 0 }];
  const scanner = new Scanner(text);
  while (scanner.at < text.length) {
    if (scanner.take(blank) !== null) continue;
    const [next, { depth }] = [text[scanner.at], scanner];
    if (next === '\n' || next === ';') {
      if (depth > 0 && next === ';') return null;
      if (depth === 0) tokens.push({ kind: 'start', text: '', depth });
      scanner.at += 1;
      continue;
    }
    const quoted = scanner.take(string);
    if (quoted !== null) {
      const inner = stringTokens(quoted, depth);
      if (inner === null) return null;
      tokens.push(...inner);
      continue;
    }
    const token = scanner.plainToken({ name, number, sign });
    if (token === null) return null;
    tokens.push(token);
  }
  return scanner.depth === 0 ? tokens : null;
}

function stringTokens(
  [, prefix = '', ...texts]: RegExpExecArray,
  depth: number,
): readonly PythonToken[] | null {
  const text = texts.find((each) => each !== undefined) ?? '';
  const isExact = !/[bf]/i.test(prefix) && (!text.includes('\\') || /r/i.test(prefix));
  const whole = {
    kind: 'string',
    text: `'${text.replaceAll("'", '')}'`,
    depth,
    ...(isExact && { value: text }),
  } as const;
  const tokens: PythonToken[] = [whole];
  if (!/f/i.test(prefix)) return tokens;
  for (const [braces, expression] of text.matchAll(field)) {
    if (braces === '{{' || braces === '}}') continue;
    const inner = expression === undefined ? null : pythonTokens(expression);
    if (inner === null || inner.filter(({ kind }) => kind === 'start').length > 1) return null;
    const between = inner.slice(1).map((token) => ({ ...token, depth: token.depth + depth + 1 }));
    const mark = (sign: string): PythonToken => ({ kind: 'sign', text: sign, depth });
    tokens.push(mark('+'), mark('('), ...between, mark(')'));
  }
  return tokens;
}
