import { Outside } from '../../state/outside.js';
import { type Atom, isBare } from './atoms.js';

const mostWords = 1_000;

/** One character outside quotes, or an atom that braces do not split. */
type Token = string | Atom;

/** The words of a word with braces. Throws `Outside` if they are too many, or of an unknown form. */
export function expandBraces(atoms: readonly Atom[]): readonly (readonly Atom[])[] {
  if (!isBare('{', atoms)) return [atoms];
  // Braces in `${x:+{a}` count for those around it.
  if (atoms.some((atom) => atom.kind !== 'text' && !atom.isQuoted && !isBalanced(atom.part.text)))
    throw new Outside('braces beside an expansion are not described', textOf(atoms));
  const words = braceCount(atoms) > mostBraces ? null : expand(atoms.flatMap(tokens), 0);
  if (words === null) throw new Outside('its braces stand for too many words', textOf(atoms));
  return words.map((word) => withoutJoinedNames(joinTokens(word)));
}

/** Whether the braces in a word stand for other text. */
export function areBraces(atoms: readonly Atom[]): boolean {
  return braceCount(atoms) > mostBraces || firstBraces(atoms.flatMap(tokens)) !== null;
}

/** `$x{1,2}` means `$x1 $x2`: joined text may form another name. */
function withoutJoinedNames(word: readonly Atom[]): readonly Atom[] {
  word.forEach((atom, index) => {
    const next = word[index + 1];
    const continues = next?.kind === 'text' && !next.isQuoted && /^\w/.test(next.text);
    const isName =
      !atom.isQuoted &&
      (atom.kind === 'text'
        ? /\$[\w{(@*#?!-]/.test(atom.text)
        : atom.part.type === 'SimpleExpansion' && /^\$[A-Za-z_]/.test(atom.part.text) && continues);
    if (isName) throw new Outside('braces beside an expansion are not described', textOf(word));
  });
  return word;
}

function isBalanced(written: string): boolean {
  return written.split('{').length === written.split('}').length;
}

/** The text of a word as it is written. */
export function textOf(atoms: readonly Atom[]): string {
  return atoms.map((atom) => (atom.kind === 'text' ? atom.text : atom.part.text)).join('');
}

/** More of them take too long to distinguish. */
const mostBraces = 300;

function braceCount(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => (atom.kind === 'text' ? sum + atom.text.split('{').length - 1 : sum), 0);
}

function tokens(atom: Atom): readonly Token[] {
  return atom.kind === 'text' && !atom.isQuoted ? [...atom.text] : [atom];
}

function joinTokens(word: readonly Token[]): readonly Atom[] {
  const atoms: Atom[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') atoms.push({ kind: 'text', text, isQuoted: false });
    text = '';
  };
  for (const token of word) {
    if (typeof token === 'string') text += token;
    else {
      flush();
      atoms.push(token);
    }
  }
  flush();
  return atoms;
}

function expand(word: readonly Token[], depth: number): readonly (readonly Token[])[] | null {
  if (depth > 50) return null;
  const braces = firstBraces(word);
  if (braces === null) return [word];
  const { start, end, choices } = braces;
  const before = word.slice(0, start);
  const rest = expand(word.slice(end + 1), depth + 1);
  const middle: (readonly Token[])[] = [];
  for (const choice of choices) {
    const expanded = expand(choice, depth + 1);
    if (expanded === null) return null;
    middle.push(...expanded);
    if (middle.length > mostWords) return null;
  }
  if (rest === null || middle.length * rest.length > mostWords) return null;
  return middle.flatMap((each) => rest.map((tail) => [...before, ...each, ...tail]));
}

interface Braces {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly (readonly Token[])[];
}

function firstBraces(word: readonly Token[]): Braces | null {
  for (let start = 0; start < word.length; start += 1) {
    // At the beginning, `{}` is plain text.
    if (word[start] !== '{' || (start === 0 && word[1] === '}')) continue;
    const found = bracesAt(word, start);
    if (found !== null && word[start + 1] === '}' && endsInBlank(word[start - 1]))
      throw new Outside('braces behind a blank are not described', '{}');
    if (found !== null) return found;
  }
  return null;
}

/** Behind a blank with a backslash before it, `{}` is also plain text. */
function endsInBlank(token: Token | undefined): boolean {
  return typeof token === 'object' && token.kind === 'text' && /\s$/.test(token.text);
}

function bracesAt(word: readonly Token[], start: number): Braces | null {
  let depth = 0;
  const commas: number[] = [];
  let hasDots = false;
  for (let index = start; index < word.length; index += 1) {
    if (word[index] === '{') depth += 1;
    else if (word[index] === ',' && depth === 1) commas.push(index);
    else if (word[index] === '.' && depth === 1)
      hasDots ||= word[index + 1] === '.' && word[index + 2] !== '}';
    else if (word[index] === '}') {
      if (depth > 1) {
        depth -= 1;
        continue;
      }
      // Without either before it, it is plain text.
      if (commas.length === 0 && !hasDots) continue;
      const choices =
        commas.length > 0 ? splitAt(word, [start, ...commas, index]) : sequence(word.slice(start + 1, index));
      // Bash then also counts quoted commas as separators, and looks for further braces after these.
      if (choices === null && word.slice(start + 1).some(mayChoose))
        throw new Outside('the braces are of an unknown form', '{…..…}');
      return choices === null ? null : { start, end: index, choices };
    }
  }
  return null;
}

function mayChoose(token: Token): boolean {
  if (typeof token === 'string') return token === '{';
  return (token.kind === 'text' ? token.text : token.part.text).includes(',');
}

function splitAt(word: readonly Token[], marks: readonly number[]): readonly (readonly Token[])[] {
  return marks.slice(1).map((mark, index) => word.slice((marks[index] ?? 0) + 1, mark));
}

/** `1..3`, `a..e`, `01..10..3`; null for other text. */
function sequence(inner: readonly Token[]): readonly (readonly Token[])[] | null {
  const characters = inner.filter((token) => typeof token === 'string');
  if (characters.length < inner.length) return null;
  const text = characters.join('');
  const numbers = /^(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (numbers !== null) return numbered(numbers);
  const letters = /^(?:[a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (letters !== null)
    return steps(text.charCodeAt(0), text.charCodeAt(3), Number(letters[1] ?? 0)).map((code) => [
      String.fromCharCode(code),
    ]);
  if (text.includes('..')) throw new Outside('the braces are of an unknown form', `{${text}}`);
  return null;
}

function numbered([, first = '', last = '', step]: RegExpExecArray): readonly (readonly Token[])[] {
  const isPadded = [first, last].some((each) => /^-?0\d/.test(each));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return steps(Number(first), Number(last), Number(step ?? 0)).map((value) => [...padded(value, width)]);
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}

/** One more than the limit if they are too many. */
function steps(first: number, last: number, step: number): readonly number[] {
  const width = Math.max(1, Math.abs(step));
  const count = Math.min(Math.floor(Math.abs(last - first) / width) + 1, mostWords + 1);
  const sign = last < first ? -1 : 1;
  return Array.from({ length: count }, (_, index) => first + sign * index * width);
}
