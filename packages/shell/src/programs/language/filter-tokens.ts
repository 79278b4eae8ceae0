import { Scanner } from './scanner.js';

/** A token of a program for `jq` or `yq`. */
export interface FilterToken {
  readonly kind: 'word' | 'field' | 'variable' | 'format' | 'string' | 'number' | 'sign';
  /** Fields and variables without their signs; a string without its quotes. */
  readonly text: string;
  /** Whether `yq` may read it as the rest of a key, `.a-b`. */
  readonly isRest?: boolean;
}

const blank = /(?:[ \t\r\n]|#[^\n]*)+/y;
const forms = [
  ['field', /\.([A-Za-z_]\w*)/y],
  ['word', /(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['variable', /\$[ \t\r\n]*((?:\w+::)*[A-Za-z_]\w*)/y],
  ['format', /@\w+/y],
  ['sign', /\?\/\/=?|\/\/=?|\.{2,3}|[|=!<>+\-*/%]=|[.[\]{}(),:;|=<>+\-*/%?]/y],
] as const;
const stringPart = /(?:[^"\\]|\\[^(])*/y;

function takeToken(scanner: Scanner): FilterToken | null {
  for (const [kind, form] of forms) {
    const found = scanner.take(form);
    if (found !== null) return { kind, text: found[1] ?? found[0] };
  }
  return null;
}

/** The tokens of a program; the code in a string stands between parentheses. Null if they are ambiguous. */
export function filterTokens(text: string, language: 'jq' | 'yq'): readonly FilterToken[] | null {
  const tokens: FilterToken[] = [];
  /** Open parentheses, and those of code in strings. */
  const open: ('(' | 'string')[] = [];
  const scanner = new Scanner(text);
  const string = () => {
    tokens.push({ kind: 'string', text: scanner.take(stringPart)?.[0] ?? '' });
    if (text[scanner.at] === '"') scanner.at += 1;
    else if (text.startsWith('\\(', scanner.at)) {
      scanner.at += 2;
      open.push('string');
      tokens.push({ kind: 'sign', text: '(' });
    } else return false;
    return true;
  };
  while (scanner.at < text.length) {
    const before = scanner.at;
    const comment = scanner.take(blank)?.[0];
    if (comment !== undefined) {
      // The versions differ on where such a comment ends, and yq has keys with `#`.
      const isClear = !/#[^\n]*(?:\r|\\(?:\n|$))/.test(comment);
      if (!isClear || (comment.startsWith('#') && before > 0 && language === 'yq')) return null;
      continue;
    }
    if (text[scanner.at] === '"') {
      // A version of yq does not know code in strings.
      if (language === 'yq' && (open.includes('string') || tokens.at(-1)?.kind === 'field')) return null;
      scanner.at += 1;
      if (!string()) return null;
      continue;
    }
    const token = takeToken(scanner);
    if (token === null) return null;
    tokens.push(token);
    if (token.kind === 'field' && language === 'yq') {
      for (;;) {
        const rest = scanner.take(/[-/@*+]+(\w*)/y);
        if (rest === null) break;
        if (/[A-Za-z_]/.test(rest[1] ?? '')) tokens.push({ kind: 'word', text: rest[1] ?? '', isRest: true });
      }
      if (!/[\s;}{:[\],|.()=?]/.test(text[scanner.at] ?? ' ')) return null;
    } else if (token.kind === 'sign' && token.text.startsWith('*') && language === 'yq')
      scanner.take(/=?[+?cdn]+(?!\w)/y);
    else if (token.text === '(') open.push('(');
    else if (token.text === ')' && open.pop() === 'string' && !string()) return null;
  }
  return tokens;
}
