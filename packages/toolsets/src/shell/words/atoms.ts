import type { Word as Node, WordPart as Part } from 'unbash';
import { ansiC } from './ansi-c.js';

/** A word as it is written, in pieces that the shell reads alike. */
export type Atom =
  /** Text; quoted where nothing in it means anything to the shell. */
  | { readonly kind: 'text'; readonly text: string; readonly is_quoted: boolean }
  /** Something that stands for other text. */
  | { readonly kind: 'part'; readonly part: Expansion; readonly is_quoted: boolean }
  /** Text that cannot be known. */
  | { readonly kind: 'unknown'; readonly text: string; readonly is_quoted: boolean };

export type Expansion = Extract<
  Part,
  {
    type:
      | 'SimpleExpansion'
      | 'ParameterExpansion'
      | 'CommandExpansion'
      | 'ArithmeticExpansion'
      | 'ProcessSubstitution';
  }
>;

/** The pieces of a word. `parts` is missing from one that is plain text. */
export function atomsOf({ text, parts }: Pick<Node, 'text' | 'parts'>): readonly Atom[] {
  return parts === undefined ? literal(text) : parts.flatMap(ofPart);
}

/** The pieces of what is read like the text between double quotes: here-documents. */
export function atomsOfText(text: string, parts: readonly Part[] | undefined): readonly Atom[] {
  return parts === undefined
    ? inQuotes(text, hereEscapes)
    : parts.flatMap((part) => quoted(part, hereEscapes));
}

function ofPart(part: Part): readonly Atom[] {
  switch (part.type) {
    case 'Literal':
      return literal(part.text);
    case 'Glob':
    case 'BraceExpansion':
      // The text that lies between the parts is only what opens and closes it.
      return part.parts === undefined ? literal(part.text) : between(part.text, part.parts);
    case 'SingleQuoted':
      return [{ kind: 'text', text: part.value, is_quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return [
        ...(isAllParameters(part.parts) ? [] : [quotedNothing]),
        ...part.parts.flatMap((child) => quoted(child, quoteEscapes)),
      ];
    case 'AnsiCQuoted': {
      const text = ansiC(part.text.replace(/^\$'/, '').replace(/'$/, ''));
      if (text === null) return [{ kind: 'unknown', text: part.text, is_quoted: true }];
      return [{ kind: 'text', text, is_quoted: true }];
    }
    case 'ExtendedGlob':
      return [{ kind: 'unknown', text: part.text, is_quoted: false }, ...hidden(part.parts)];
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return [{ kind: 'part', part, is_quoted: false }];
    default:
      return [{ kind: 'unknown', text: '', is_quoted: false }];
  }
}

/** Quotes around nothing make a word all the same. */
const quotedNothing: Atom = { kind: 'text', text: '', is_quoted: true };

/** `"$@"` is no word at all where there are no parameters. */
function isAllParameters(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every(({ text }) => /^\$(?:@|\{@\}|\{[A-Za-z_]\w*\[@\]\})$/.test(text));
}

/** What is substituted inside a pattern runs, whatever the pattern matches. */
function hidden(parts: readonly Part[] | undefined): readonly Atom[] {
  return (parts ?? []).flatMap(ofPart).filter(({ kind }) => kind === 'part');
}

function quoted(part: Part, escapes: RegExp): readonly Atom[] {
  if (part.type === 'Literal') return inQuotes(part.text, escapes);
  return ofPart(part).map((atom) => ({ ...atom, is_quoted: true }));
}

const quoteEscapes = /\\([$`"\\\n])/g;
const hereEscapes = /\\([$`\\\n])/g;

function inQuotes(text: string, escapes: RegExp): readonly Atom[] {
  const plain = text.replace(escapes, (_, escaped: string) => (escaped === '\n' ? '' : escaped));
  return [{ kind: 'text', text: plain, is_quoted: true }];
}

/** Text outside of quotes, in which a backslash quotes what follows. */
function literal(text: string): readonly Atom[] {
  if (!text.includes('\\')) return [{ kind: 'text', text, is_quoted: false }];
  const atoms: Atom[] = [];
  for (const [piece] of text.matchAll(/\\[\s\S]|[^\\]+|\\$/gu)) {
    if (piece === '\\\n') continue;
    const is_quoted = piece.startsWith('\\') && piece.length > 1;
    atoms.push({ kind: 'text', text: is_quoted ? piece.slice(1) : piece, is_quoted });
  }
  return atoms;
}

function between(text: string, parts: readonly Part[]): readonly Atom[] {
  const [first] = parts;
  if (first === undefined) return literal(text);
  const inner = parts.map((part) => part.text).join('');
  const start = text.indexOf(inner);
  // The parts do not make up the text: it was read otherwise than we know.
  if (start === -1) return [{ kind: 'unknown', text, is_quoted: false }, ...hidden(parts)];
  return [
    ...literal(text.slice(0, start)),
    ...parts.flatMap(ofPart),
    ...literal(text.slice(start + inner.length)),
  ];
}
