import { type Here, subshell, type WrittenWord } from '../here.js';
import { type Gap, quotedGap, type Word } from '../word.js';
import { type Atom, atomsOf, atomsOfText } from './atoms.js';
import { expandBraces } from './brace.js';
import { fieldsOf, type Piece, wordOf } from './fields.js';
import { fileNames } from './file-names.js';
import { piecesOfPart } from './part.js';
import { withHome } from './tilde.js';

/** The words that a word as it is written stands for. Runs what is substituted in it. */
export function wordsOf(node: WrittenWord, here: Here): readonly Word[] {
  if (!here.walk.report.spend(1)) return [];
  if (isPlain(node)) return [{ parts: [node.text] }];
  runHidden(node, here);
  const atoms = atomsOf(node);
  const words = here.state.modes.has_no_braces ? [atoms] : expandBraces(atoms);
  if (words === null) {
    pieces(atoms, here);
    // Numbers alone, as a loop has them, mean little.
    if (!/^\{-?\d{1,6}\.\.-?\d{1,6}\}$/.test(node.text))
      here.walk.report.opaque(node.text, 'its braces stand for too many words');
    return [{ parts: [{ kind: 'words', text: node.text }] }];
  }
  return words.flatMap((word) =>
    fieldsOf(pieces(withHome(word, here, 'word'), here)).flatMap((field) => fileNames(field, here)),
  );
}

/** The same where it stays one word: what is assigned, here-strings, the word of `case`. */
export function singleWord(node: WrittenWord, here: Here): Word {
  if (!here.walk.report.spend(1)) return { parts: [{ kind: 'text', text: node.text }] };
  if (isPlain(node)) return { parts: [node.text] };
  runHidden(node, here);
  return oneWord(pieces(withHome(atomsOf(node), here, 'assignment'), here, 'quoted'));
}

/** The text of a here-document in which something is replaced. */
export function textWithParts({ text, parts }: WrittenWord, here: Here): Word {
  return oneWord(pieces(atomsOfText(text, parts), here, 'quoted'));
}

/** Text that means nothing but itself. */
function isPlain({ text, parts }: WrittenWord): boolean {
  return parts === undefined && /^[A-Za-z0-9_./,:=@%+-]+$/.test(text) && !/^~|=~|:~/.test(text);
}

/** After what looks like a descriptor, `3<(…)` and `{name}<(…)`, the parser takes a process substitution for text. */
function runHidden({ text, parts }: WrittenWord, here: Here): void {
  const written = parts === undefined ? [text] : parts.filter(isBare).map((part) => part.text);
  for (const each of written) {
    const hidden = /[<>]\(([\s\S]*)\)/.exec(each)?.[1];
    if (hidden === undefined) continue;
    here.walk.report.opaque(text, 'a process substitution is a part of a word');
    here.walk.text(hidden, subshell(here, { depth: here.depth + 1 }));
  }
}

function isBare({ type }: { readonly type: string }): boolean {
  return type === 'Literal' || type === 'BraceExpansion' || type === 'Glob';
}

function pieces(
  atoms: readonly Atom[],
  here: Here,
  how: 'quoted' | 'as_written' = 'as_written',
): readonly Piece[] {
  return atoms.flatMap((atom): readonly Piece[] => {
    const is_quoted = how === 'quoted' || atom.is_quoted;
    if (atom.kind === 'text') return [{ text: atom.text, is_quoted }];
    if (atom.kind === 'part') return piecesOfPart(atom.part, is_quoted, here);
    const gap: Gap = { kind: is_quoted ? 'text' : 'words', text: atom.text };
    return [{ gap, is_quoted }];
  });
}

/** Of what is several words one is made, with blanks between. */
function oneWord(list: readonly Piece[]): Word {
  return wordOf({
    pieces: list.map((piece) => {
      if (piece === 'break') return { text: ' ', is_quoted: true };
      return 'gap' in piece ? { gap: quotedGap(piece.gap), is_quoted: true } : piece;
    }),
  });
}
