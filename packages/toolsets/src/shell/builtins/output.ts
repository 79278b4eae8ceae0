import { setVariable } from '../assign.js';
import { unknownValue } from '../variable.js';
import { textOf, type Word, type WordPart, word } from '../word.js';
import { ansiC } from '../words/ansi-c.js';
import { compact } from '../words/fields.js';
import { type Builtin, nameOf, readOptions } from './builtin.js';

/** `echo`: its words, with blanks between. */
export const echo: Builtin = (words) => {
  const plain = words.findIndex((each) => !/^-[neE]+$/.test(textOf(each) ?? ''));
  const options = words.slice(0, plain === -1 ? words.length : plain).map((each) => textOf(each) ?? '');
  const shown = plain === -1 ? [] : words.slice(plain);
  const isEscaped = options.some((option) => option.includes('e'));
  const parts = shown.flatMap((each, index): readonly WordPart[] => [
    ...(index > 0 ? [' '] : []),
    ...each.parts,
  ]);
  const output = compact([...parts, ...(options.some((option) => option.includes('n')) ? [] : ['\n'])]);
  const isSimple = !isEscaped || parts.every((part) => typeof part === 'string' && !part.includes('\\'));
  return { output: isSimple ? output : null, is_sure: true };
};

/** `printf`: what it writes where its format and words are plain. */
export const printf: Builtin = (words, here) => {
  const { options, operands } = readOptions(words, 'v');
  const [format, ...values] = operands;
  const text = format === undefined ? null : textOf(format);
  const output = text === null ? null : formatted(text, values);
  const [target] = options;
  if (target?.value == null) return { output };
  const name = nameOf(target.value, here);
  const isElement = textOf(target.value) !== name;
  if (name !== null)
    setVariable(name, output === null || isElement ? unknownValue : { kind: 'text', word: output }, here);
  return { output: word('') };
};

function formatted(format: string, values: readonly Word[]): Word | null {
  const pieces = format.split(/(%.|\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|[\s\S]))/);
  const count = pieces.filter((piece) => piece === '%s').length;
  const rounds = count === 0 ? 1 : Math.max(1, Math.ceil(values.length / count));
  if (rounds > 200) return null;
  const parts: WordPart[] = [];
  const left = [...values];
  for (let round = 0; round < rounds; round += 1) {
    for (const piece of pieces) {
      if (piece === '%s') parts.push(...(left.shift()?.parts ?? []));
      else if (piece === '%%') parts.push('%');
      else if (piece.startsWith('%')) return null;
      else if (piece.startsWith('\\')) {
        const escaped = ansiC(piece);
        if (escaped === null || /^\\[cuU'?]/.test(piece)) return null;
        parts.push(escaped);
      } else parts.push(piece);
    }
  }
  const isKnown = parts.every((part) => typeof part === 'string' || part.kind === 'text');
  return isKnown ? compact(parts) : null;
}

export const pwd: Builtin = (_, here) => {
  const [folder, ...others] = here.state.folders;
  return { output: folder === undefined || others.length > 0 ? null : word(`${folder.named}\n`) };
};
