import { Scanner } from '../language/scanner.js';

export interface JavaScriptToken {
  readonly kind: 'name' | 'number' | 'string' | 'pattern' | 'sign';
  /** As it is written; a string begins with a quote. */
  readonly text: string;
  /** The value of a string without escapes and fields. */
  readonly value?: string;
  /** How many brackets are open before it; the same for both brackets of a pair. */
  readonly depth: number;
}

const blank = /(?:[ \t\n]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const name = /[A-Za-z_$][\w$]*/y;
const number = /(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)n?(?![\w$])/y;
const string = /'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"/y;
const template = /`((?:[^`\\$]|\$(?!\{)|\$\{[^{}`'"/]*\})*)`/y;
const pattern = /\/(?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[dgimsuvy]*(?![\w$])/y;
const sign =
  /=>|\.\.\.|\?\.(?!\d)|[=!]==?|\*\*=?|&&=?|\|\|=?|\?\?=?|>>>?=?|<<=?|[<>]=?|\+\+|--|[-+*/%&|^]=?|[(){}[\].,;:?~=!]/y;

/** The tokens of a text; null if it is not understood. */
export function javaScriptTokens(text: string): readonly JavaScriptToken[] | null {
  // The first two begin comments in old texts; the others end lines.
  if (/<!--|-->|[\r\u2028\u2029]/.test(text)) return null;
  const tokens: JavaScriptToken[] = [];
  const scanner = new Scanner(text);
  while (scanner.at < text.length) {
    if (scanner.take(blank) !== null) continue;
    const [next, { depth }] = [text[scanner.at], scanner];
    const before = tokens.at(-1);
    const quoted = scanner.take(string);
    if (quoted !== null) {
      const value = quoted[1] ?? quoted[2] ?? '';
      tokens.push({ kind: 'string', text: `'${value}'`, depth, ...(!value.includes('\\') && { value }) });
      continue;
    }
    if (next === '`') {
      const fields = endsValue(before, tokens.at(-2))
        ? null
        : templateTokens(scanner.take(template)?.[1], depth);
      if (fields === null) return null;
      tokens.push(...fields);
      continue;
    }
    if (next === '/' && isUnsure(tokens)) return null;
    if (next === '/' && !endsValue(before, tokens.at(-2))) {
      const found = scanner.take(pattern);
      if (found === null) return null;
      tokens.push({ kind: 'pattern', text: found[0], depth });
      continue;
    }
    const token = scanner.plainToken({ name, number, sign });
    if (token === null) return null;
    tokens.push(token);
  }
  return scanner.depth === 0 ? tokens : null;
}

/** Whether a slash behind these tokens may begin a pattern or divide. TypeScript has a `!` behind a value. */
function isUnsure(tokens: readonly JavaScriptToken[]): boolean {
  const last = tokens.at(-1)?.text ?? '';
  return (
    /^(?:[)}>]|\+\+|--|as|async|await|break|continue|debugger|get|let|of|satisfies|set|static|type|yield)$/.test(
      last,
    ) ||
    (last === '!' && endsValue(tokens.at(-2), tokens.at(-3)))
  );
}

/** Whether an expression may end with the last token, so that a slash divides, and a template is a call. */
export function endsValue(last: JavaScriptToken | undefined, before: JavaScriptToken | undefined): boolean {
  if (last === undefined) return false;
  if (last.kind !== 'name') return last.kind !== 'sign' || /^(?:[)\]]|\+\+|--)$/.test(last.text);
  return /^\??\.$/.test(before?.text ?? '') || !operators.test(last.text);
}

const operators = /^(?:case|const|delete|do|else|in|instanceof|new|of|return|throw|typeof|var|void)$/;

function templateTokens(body: string | undefined, depth: number): readonly JavaScriptToken[] | null {
  if (body === undefined) return null;
  const tokens: JavaScriptToken[] = [{ kind: 'string', text: `'${body}'`, depth }];
  for (const [, expression = ''] of body.matchAll(/\$\{([^}]*)\}/g)) {
    const inner = javaScriptTokens(expression);
    if (inner === null) return null;
    const mark = (text: string): JavaScriptToken => ({ kind: 'sign', text, depth });
    const between = inner.map((token) => ({ ...token, depth: token.depth + depth + 1 }));
    tokens.push(mark('+'), mark('('), ...between, mark(')'));
  }
  return tokens;
}
