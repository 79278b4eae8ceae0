import type { Word as Node, WordPart as Part } from 'unbash';
import { Outside } from '../../state/outside.js';
import { ansiC } from './ansi-c.js';

/** A word in a command line, before expansion. */
export type WrittenWord = Pick<Node, 'text' | 'parts'>;

/** A piece of a word as it is written, before expansion. */
export type Atom =
  /** Text; quoted if the shell gives no character in it a meaning. */
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: 'part'; readonly part: Expansion; readonly isQuoted: boolean };

export type Expansion = Extract<
  Part,
  { type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' | 'ArithmeticExpansion' }
>;

/** Whether a character stands outside quotes. */
export function isBare(character: string, atoms: readonly Atom[]): boolean {
  return atoms.some((atom) => atom.kind === 'text' && !atom.isQuoted && atom.text.includes(character));
}

/** The pieces of a word. Throws `Outside` for a construct that is not described. */
export function atomsOf({ text, parts }: WrittenWord): readonly Atom[] {
  return parts === undefined ? literal(text) : parts.flatMap(ofPart);
}

/** The pieces of a here-document, which is read like text between double quotes. */
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
      return part.parts === undefined ? literal(part.text) : atomsAround(part.text, part.parts);
    case 'SingleQuoted':
      return [{ kind: 'text', text: part.value, isQuoted: true }];
    case 'DoubleQuoted':
      // Empty quotes still make a word.
      return [
        { kind: 'text', text: '', isQuoted: true },
        ...part.parts.flatMap((child) => quoted(child, quoteEscapes)),
      ];
    case 'AnsiCQuoted': {
      const text = ansiC(part.text.replace(/^\$'/, '').replace(/'$/, ''));
      if (text === null) throw new Outside('the quoted text depends on the locale', part.text);
      return [{ kind: 'text', text, isQuoted: true }];
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      return [{ kind: 'part', part, isQuoted: false }];
    case 'LocaleString':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
      throw new Outside(`${nameOf(part.type)} is not described`, part.text);
  }
}

function nameOf(type: Part['type']): string {
  if (type === 'ProcessSubstitution') return 'a process substitution';
  return type === 'ExtendedGlob' ? 'an extended pattern' : 'this kind of quotes';
}

function quoted(part: Part, escapes: RegExp): readonly Atom[] {
  if (part.type === 'Literal') return inQuotes(part.text, escapes);
  return ofPart(part).map((atom) => ({ ...atom, isQuoted: true }));
}

const quoteEscapes = /\\([$`"\\\n])/g;
const hereEscapes = /\\([$`\\\n])/g;

function inQuotes(text: string, escapes: RegExp): readonly Atom[] {
  const plain = text.replace(escapes, (_, escaped: string) => (escaped === '\n' ? '' : escaped));
  return [{ kind: 'text', text: plain, isQuoted: true }];
}

/** Text outside of quotes, in which a backslash quotes what follows. */
function literal(text: string): readonly Atom[] {
  // After a number that looks like a descriptor, the parser reads a process substitution as text.
  if (/[<>]\(/.test(text)) throw new Outside('a process substitution is not described', text);
  if (!text.includes('\\')) return [{ kind: 'text', text, isQuoted: false }];
  const atoms: Atom[] = [];
  for (const [piece] of text.matchAll(/\\[\s\S]|[^\\]+|\\$/gu)) {
    if (piece === '\\\n') continue;
    const isQuoted = piece.startsWith('\\') && piece.length > 1;
    atoms.push({ kind: 'text', text: isQuoted ? piece.slice(1) : piece, isQuoted });
  }
  return atoms;
}

function atomsAround(text: string, parts: readonly Part[]): readonly Atom[] {
  const inner = parts.map((part) => part.text).join('');
  const start = text.indexOf(inner);
  if (parts.length === 0) return literal(text);
  // The parts do not add up to the text: the parser read it differently.
  if (start === -1) throw new Outside('this pattern is not described', text);
  return [
    ...literal(text.slice(0, start)),
    ...parts.flatMap(ofPart),
    ...literal(text.slice(start + inner.length)),
  ];
}
