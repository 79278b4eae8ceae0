import { type Preview, printable } from '@ambit/runtime';
import { structuredPatch } from 'diff';
import { type Looks, styled } from '../text.js';

/** Texts that differ in more lines are shown one after the other: to compare them would take too long. */
const mostEdits = 2000;

/** What a call would change in a file, as a unified diff; escaped, one entry a line. */
export function differenceLines({ path, before, after }: Preview, looks: Looks): readonly string[] {
  const title = before === null ? 'new file' : after === null ? 'deletes' : 'changes';
  const head = styled(`${title} ${printable(path)}`, 'bold', looks);
  if (before === after) return [head, '  (the same text as before)'];
  const options = { context: 3, maxEditLength: mostEdits };
  const patch = structuredPatch('', '', before ?? '', after ?? '', '', '', options);
  if (patch === undefined)
    return [head, ...signed('-', before ?? '', looks), ...signed('+', after ?? '', looks)];
  return [
    head,
    ...patch.hunks.flatMap((hunk) => [
      styled(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, 'dim', looks),
      ...hunk.lines.map((line) => shown(line, looks)),
    ]),
  ];
}

function signed(sign: string, text: string, looks: Looks): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => shown(`${sign}${line}`, looks));
}

function shown(line: string, looks: Looks): string {
  const text = printable(line.replaceAll('\t', '    '));
  if (line.startsWith('+')) return styled(text, 'green', looks);
  return line.startsWith('-') ? styled(text, 'red', looks) : text;
}
