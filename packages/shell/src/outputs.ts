import { noOutput, type Output, onlyNames, unknownOutput, type WordsOutput } from './word.js';

export function isNothing(output: Output): boolean {
  return output.kind === 'text' && output.text === '';
}

/** The lines of a text, whose last one may lack its end. */
export function linesIn(written: string): readonly string[] {
  return written === '' ? [] : written.replace(/\n$/, '').split('\n');
}

/** The output of any number of commands that each print some of this. */
export function repeatedOutput(output: Output): Output {
  if (isNothing(output)) return output;
  if (output.kind === 'number') return { ...output, areMany: true };
  if (output.kind === 'words' || (output.kind === 'table' && output.mayRunOn !== true)) {
    const { isOne: _, ...lines } = output;
    return lines;
  }
  if (output.kind === 'names' && output.mayRunOn !== true)
    return { kind: 'names', names: output.names, separator: output.separator };
  if (output.kind !== 'text' || !output.text.endsWith('\n')) return unknownOutput;
  return { kind: 'names', names: onlyNames(linesIn(output.text)), separator: '\n' };
}

/** The output of two commands in sequence. */
export function both(one: Output, other: Output): Output {
  if (isNothing(one)) return other;
  if (isNothing(other)) return one;
  // An error may end the shell between them, so no joint text is certain.
  if (one.kind === 'text') return both(repeatedOutput(one), other);
  if (other.kind === 'text') return both(one, repeatedOutput(other));
  if (one.kind === 'words' || other.kind === 'words') return bothWords(asWords(one), asWords(other));
  if (one.kind !== 'names' || other.kind !== 'names' || one.separator !== other.separator)
    return unknownOutput;
  if (one.mayRunOn === true) return unknownOutput;
  const isOpen = one.names.open || other.names.open;
  const under = one.names.under === other.names.under ? one.names.under : null;
  const texts = [...new Set([...one.names.texts, ...other.names.texts])];
  const names = { texts, open: isOpen, under: isOpen ? under : null };
  const { mayRunOn } = other;
  return { kind: 'names', names, separator: one.separator, ...(mayRunOn === true && { mayRunOn }) };
}

/** The one line of a command, or of another one that runs where it failed; null where there may be more. */
export function eitherLine(one: Output, other: Output): Output | null {
  const isResult = (one.kind === 'text' || one.kind === 'names') && one.isResult === true;
  const texts = [one, other].map(oneLine);
  if (!isResult || texts.includes(null)) return null;
  const names = onlyNames([...new Set(texts.flatMap((each) => each ?? []))]);
  return { kind: 'names', names, separator: '\n', isOne: true };
}

/** The texts of which the only line is one; null for other outputs. */
function oneLine(output: Output): readonly string[] | null {
  if (output.kind === 'names')
    return output.isOne === true && !output.names.open && output.separator === '\n'
      ? output.names.texts
      : null;
  if (output.kind !== 'text') return null;
  return /^[^\n]*\n$/.test(output.text) ? [output.text.slice(0, -1)] : null;
}

/** The output without what is only certain of the command that printed it. */
export function withoutResult(output: Output): Output {
  if ((output.kind !== 'names' && output.kind !== 'text') || output.isResult !== true) return output;
  if (output.kind === 'text') return { kind: output.kind, text: output.text };
  const { isResult: _, isSure: __, ...rest } = output;
  return rest;
}

/** The words themselves, or names that git may take for commits and that are plain; null for other outputs. */
function asWords(output: Output): WordsOutput | null {
  if (output.kind === 'words') return output;
  if (output.kind !== 'names') return null;
  const { names, separator, mayRunOn } = output;
  const areRefs = names.texts.every((name) => /^[A-Za-z0-9][\w./-]*$/.test(name));
  return areRefs && !names.open && separator === '\n' && mayRunOn !== true
    ? { kind: 'words', areIds: true }
    : null;
}

function bothWords(one: WordsOutput | null, other: WordsOutput | null): Output {
  if (one === null || other === null) return unknownOutput;
  return {
    kind: 'words',
    ...(one.areIds && other.areIds && { areIds: true }),
    ...((one.areSeveral || other.areSeveral) && { areSeveral: true }),
  };
}

/** The output of one of several commands. */
export function outputOfOne([first = noOutput, ...others]: readonly Output[]): Output {
  const isSame = others.every(({ kind }) => kind === first.kind);
  if (others.length === 0) return first;
  if (isSame && first.kind === 'number') return Object.assign({}, first, ...others);
  return [first, ...others].map(repeatedOutput).reduce(both);
}

/** The most texts with which names may begin. */
const mostBeginnings = 10_000;

/** The beginning of an output, which may end at any character: so may its last name. */
export function beginningOf(output: Output): Output {
  if (output.kind !== 'names' || output.names.open) return isNothing(output) ? output : unknownOutput;
  const { isResult: _, ...lines } = output;
  const texts = new Set(
    output.names.texts.flatMap((name) => Array.from(name, (_, at) => name.slice(0, at + 1))),
  );
  const isPlain = texts.size <= mostBeginnings && [...texts].every((name) => /^[ -~]+$/.test(name));
  return isPlain ? { ...lines, names: onlyNames([...texts]), mayRunOn: true } : unknownOutput;
}

/** Some of its lines, unchanged. */
export function someOf(input: Output, separator: '\n' | '\0'): Output {
  if (isNothing(input)) return noOutput;
  if (input.kind === 'names') return input.separator === separator ? input : unknownOutput;
  if (separator === '\0') return unknownOutput;
  if (input.kind === 'words' || input.kind === 'table') return input;
  if (input.kind === 'number') return { ...input, mayBeMissing: true };
  if (input.kind !== 'text') return unknownOutput;
  const texts = linesIn(input.text);
  const [names, isOne, mayRunOn] = [onlyNames(texts), texts.length === 1, !input.text.endsWith('\n')];
  return { kind: 'names', names, separator: '\n', ...(mayRunOn && { mayRunOn }), ...(isOne && { isOne }) };
}
