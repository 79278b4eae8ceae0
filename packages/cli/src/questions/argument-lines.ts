import { type JsonObject, jsonText, printable } from '@ambit/core';
import { type Looks, pieces, wrapped } from '../view/text.js';

/**
 * The arguments of a call, one after the other. Text is shown as it is, line by line, each behind a bar that its
 * content cannot imitate; other values are JSON. `elsewhere` is a text that is shown in another place.
 */
export function argumentLines(
  args: JsonObject,
  { width }: Looks,
  elsewhere: string | null = null,
): readonly string[] {
  const entries = Object.entries(args);
  if (entries.length === 0) return ['  none'];
  return entries.flatMap(([name, value]) => {
    const first = `  ${printable(name)}: `;
    if (typeof value !== 'string') return wrapped(`${name}: ${jsonText(value)}`, width, '  ');
    if (elsewhere !== null && value !== '' && value === elsewhere)
      return wrapped(`${name}: the text that is shown below`, width, '  ');
    const lines = value.replace(/\n$/, '').split('\n');
    // Short text on its line, in quotes, so its end is seen.
    if (lines.length === 1 && first.length + value.length + 2 <= width)
      return wrapped(`${name}: ${jsonText(value)}`, width, '  ');
    return [...wrapped(`${name}:`, width, '  '), ...lines.flatMap((line) => barred(line, width))];
  });
}

function barred(line: string, width: number): readonly string[] {
  const [first = '', ...rest] = pieces(printable(line.replaceAll('\t', '    ')), width - 5);
  return [`   │ ${first}`, ...rest.map((more) => `   ↪ ${more}`)];
}
