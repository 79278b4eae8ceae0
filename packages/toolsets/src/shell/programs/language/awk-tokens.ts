export interface AwkToken {
  readonly kind: 'word' | 'number' | 'string' | 'pattern' | 'sign' | 'end';
  /** What a string says, without its quotes; otherwise as it is written. */
  readonly text: string;
}

const blank = /(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y;
const end = /[\n;]/y;
const name = /@?[A-Za-z_][\w:]*/y;
const number = /(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
const string = /"((?:[^"\\\n]|\\[\s\S])*)"/y;
const pattern = /\/(?:[^/\\\n[]|\\.|\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\])*\//y;
const sign = /(?:\*\*=?|\|&|>>|&&|\|\||[-+*/%^!=<>]=|\+\+|--|!~|[-+*/%^!=<>~?:,(){}[\]$|@])/y;

/** The tokens of a program; null where it is none. */
export function awkTokens(text: string): readonly AwkToken[] | null {
  const tokens: AwkToken[] = [];
  let at = 0;
  const take = (expression: RegExp) => {
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  while (at < text.length) {
    if (take(blank) !== null) continue;
    if (take(end) !== null) tokens.push({ kind: 'end', text: ';' });
    else if (text[at] === '/' && !isOperand(tokens.at(-1))) {
      const found = take(pattern);
      if (found === null) return null;
      tokens.push({ kind: 'pattern', text: found[0] });
    } else if (text[at] === '"') {
      const found = take(string);
      if (found === null) return null;
      tokens.push({ kind: 'string', text: unescaped(found[1] ?? '') });
    } else {
      const word = take(name);
      const token = word ?? take(number) ?? take(sign);
      if (token === null) return null;
      tokens.push({
        kind: word !== null ? 'word' : /^[\d.]/.test(token[0]) ? 'number' : 'sign',
        text: token[0],
      });
    }
  }
  return tokens;
}

/** Behind an operand, a slash divides. */
function isOperand(token: AwkToken | undefined): boolean {
  if (token === undefined || token.kind === 'end' || token.kind === 'pattern') return false;
  if (token.kind === 'word')
    return !/^(?:print|printf|return|in|getline|if|while|do|else|case)$/.test(token.text);
  return token.kind !== 'sign' || token.text === ')' || token.text === ']' || token.text === '$';
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

function unescaped(text: string): string {
  return text.replaceAll(/\\(x[\da-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_, sequence: string) => {
    if (sequence.startsWith('x') && sequence.length > 1)
      return String.fromCodePoint(Number.parseInt(sequence.slice(1), 16));
    if (/^[0-7]/.test(sequence)) return String.fromCodePoint(Number.parseInt(sequence, 8));
    if (sequence === '\n') return '';
    return Object.hasOwn(escapes, sequence) ? (escapes[sequence] ?? sequence) : sequence;
  });
}
