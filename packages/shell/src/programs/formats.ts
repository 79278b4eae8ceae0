import { linesByFormat, namedLines } from '../columns.js';
import { anyNumber } from '../number.js';
import { type Names, type Output, textOf, unknownOutput } from '../word.js';
import { optionsNamed, type Reading } from './reading.js';

/** Directives of `date` that print digits in every language, and other characters of a plain word. */
const plain = /^\+(?:%[CdFgGHIjmMNsSTuUVwWyY]|\w)(?:%[CdFgGHIjmMNRsSTuUVwWyYz]|[\w.:+-])*$/;
/** Times whose year is positive: it has no sign. */
const near =
  /^(?:now|today|yesterday|tomorrow|[-+]?\d{1,3} (?:second|minute|hour|day|week|month)s?(?: ago)?|[12]\d{3}-\d\d-\d\d)$/;

/** `date +FORMAT`, `date -I`: one plain word. */
export function timeOf({ operands, options, open }: Reading): Output {
  const format = operands.map(textOf);
  const isShort = (text: string | null) => text !== null && near.test(text);
  const areKnown = options.every(({ entry: { names }, values }) =>
    names.some((name) => /^(?:-d|--date)$/.test(name))
      ? values.every((value) => isShort(textOf(value)))
      : names.some((name) => /^(?:-u|--utc|-I|--iso-8601)$/.test(name)),
  );
  const isIso = optionsNamed({ options }, '-I --iso-8601').length > 0;
  const isPlain = isIso ? format.length === 0 : format.length === 1 && plain.test(format[0] ?? '');
  if (open !== null || !areKnown || !isPlain) return unknownOutput;
  const isDay = isIso && options.every(({ values }) => values.length === 0);
  const shape = shapeOfTime(isDay ? '%F' : (format[0] ?? '%N'));
  return { kind: 'words', isOne: true, ...(shape !== null && { shape }) };
}

/** Null where a part may be more than digits: some programs know no `%N`, and `%z` has a sign. */
function shapeOfTime(format: string): string | null {
  if (/%[Nz]/.test(format)) return null;
  const parts = format
    .replace(/^\+/, '')
    .replaceAll('%F', '%Y-%m-%d')
    .replaceAll('%T', '%H:%M:%S')
    .replaceAll('%R', '%H:%M');
  return parts.replace(/%./g, anyNumber);
}

/** `stat -c FORMAT`. `isSingle`: whether it is about one file. */
export function formattedBy(format: string | null, names: Names, isSingle: boolean): Output {
  const isNumber = (part: string) => /^%[aghisu]$/.test(part);
  const isTime = (part: string) => /^%[XYZ]$/.test(part);
  if (format !== null && (isNumber(format) || isTime(format)))
    return isSingle ? { kind: 'number', ...(isTime(format) && { mayBeNegative: true }) } : unknownOutput;
  return linesByFormat(format ?? '', (part) => {
    if (part === '%n') return names;
    if (isNumber(part)) return 'number';
    if (isTime(part)) return 'word';
    return /^(?:[^%\n]|%[aAbBdDfFgGhiostTuUwWxXyYzZ])*$/.test(part) ? 'line' : null;
  });
}

/** `file FILE…`. */
export function locatedIn(names: Names): Output {
  // What is not printable it writes in another way.
  const isPrintable = names.texts.every((name) => /^[ -~]*$/.test(name) && name !== '-');
  return isPrintable ? namedLines(names) : unknownOutput;
}

/** `md5sum FILE…`. It changes lines with odd names. */
export function sumsOf(names: Names): Output {
  const isPlain = names.texts.length > 0 && !names.open && !names.texts.some((name) => /[\\\n\r]/.test(name));
  return isPlain ? { kind: 'table', columns: ['text'], rest: names, separator: null } : unknownOutput;
}
