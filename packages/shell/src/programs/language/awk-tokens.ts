import { Scanner } from './scanner.js';

export interface AwkToken {
  readonly kind: 'word' | 'number' | 'string' | 'pattern' | 'sign' | 'end';
  /** The text of a string, without its quotes; any other token as it is written. */
  readonly text: string;
  /** Whether a word stands directly before a parenthesis. */
  readonly isCall?: boolean;
}

const blank = /(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y;
const name = /@?[A-Za-z_]\w*(?:::\w+)?/y;
// Where a letter follows, it is another number for some implementations: `0x1f`.
const number = /(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?![\w.])/y;
const string = /"((?:[^"\\\n]|\\[\s\S])*)"/y;
// A slash within brackets ends the pattern for some implementations.
const pattern = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?(?:\[:\w+:\]|\\[^\n\]]|[^\]\n/\\])*\])*\//y;
const sign = /(?:\*\*=?|\|&|>>|&&|\|\||[-+*/%^!=<>]=|\+\+|--|!~|[-+*/%^!=<>~?:,(){}[\]$|@])/y;

/** The tokens of a program; null if they are ambiguous. */
export function awkTokens(text: string): readonly AwkToken[] | null {
  const tokens: AwkToken[] = [];
  /** Whether each open parenthesis belongs to a statement, so an expression begins after it. */
  const open: boolean[] = [];
  let isBehindHead = false;
  const scanner = new Scanner(text);
  while (scanner.at < text.length) {
    if (scanner.take(blank) !== null) continue;
    const before = tokens.at(-1);
    const character = text[scanner.at] ?? '';
    const wasBehindHead: boolean = isBehindHead;
    isBehindHead = false;
    if (character === '\n' || character === ';') {
      scanner.at += 1;
      // A line continues after these.
      const isContinued = character === '\n' && /^(?:,|&&|\|\||\?|:)$/.test(before?.text ?? '');
      if (!isContinued || before?.kind === 'string') tokens.push({ kind: 'end', text: ';' });
    } else if (character === '/' && wasBehindHead) return null;
    else if (character === '/' && mayBegin(before)) {
      const found = scanner.take(pattern);
      if (found === null) return null;
      tokens.push({ kind: 'pattern', text: found[0] });
    } else if (character === '/' && !isOperand(before)) return null;
    // gawk may read a pattern that begins with `=`.
    else if (text.startsWith('/=', scanner.at) && text.includes('/', scanner.at + 2)) return null;
    else if (character === '"') {
      const found = scanner.take(string);
      if (found === null) return null;
      tokens.push({ kind: 'string', text: unescaped(found[1] ?? '') });
    } else {
      const token = read(scanner);
      if (token === null) return null;
      if (token.text === '(')
        open.push(before?.kind === 'word' && /^(?:if|while|for|switch)$/.test(before.text));
      if (token.text === ')') isBehindHead = open.pop() === true;
      tokens.push(token.kind === 'word' && text[scanner.at] === '(' ? { ...token, isCall: true } : token);
    }
  }
  return tokens;
}

function read(scanner: Scanner): AwkToken | null {
  const word = scanner.take(name);
  if (word !== null) return { kind: 'word', text: word[0] };
  const digits = scanner.take(number);
  if (digits !== null) return { kind: 'number', text: digits[0] };
  const found = scanner.take(sign);
  return found === null ? null : { kind: 'sign', text: found[0] };
}

/** Whether an expression begins after this token, so a slash begins a pattern. */
function mayBegin(token: AwkToken | undefined): boolean {
  if (token === undefined || token.kind === 'end') return true;
  if (token.kind === 'word') return /^(?:print|printf|return|exit|else|do)$/.test(token.text);
  return token.kind === 'sign' && /^(?:[({},!~?:[]|!~|&&|\|\||[!=]?=)$/.test(token.text);
}

const keywords =
  /^(?:in|getline|length|delete|next|nextfile|break|continue|function|func|if|while|for|switch|case|default|BEGIN|END|BEGINFILE|ENDFILE|@.*)$/;

/** Whether an expression ends with this token, so a slash divides. */
function isOperand(token: AwkToken | undefined): boolean {
  if (token?.kind === 'word') return !keywords.test(token.text);
  return token?.kind === 'number' || token?.kind === 'string' || /^[)\]]$/.test(token?.text ?? '');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', '/': '/' };

/** Other sequences are characters that file names do not contain. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_, sequence: string) =>
    Object.hasOwn(escapes, sequence) ? (escapes[sequence] ?? '') : '\0',
  );
}
