import { type Preview, pieces, printable } from '@ambit/core';
import { structuredPatch } from 'diff';
import { type Looks, styled, wrapped } from '../view/text.js';

/** Comparing more lines would take too long. */
const mostEdits = 2000;

/** The changes of a call to a file, as a unified diff; escaped, one entry a line. */
export function differenceLines({ path, before, after }: Preview, looks: Looks): readonly string[] {
  const title = before === null ? 'new file' : after === null ? 'deletes' : 'changes';
  const head = wrapped(path, looks.width, `${title} `).map((line) => styled(line, 'bold', looks));
  if (before === after) return [...head, '  (the same text as before)'];
  const options = { context: 3, maxEditLength: mostEdits };
  const patch = structuredPatch('', '', before ?? '', after ?? '', '', '', options);
  if (patch === undefined)
    return [...head, ...signedLines('-', before ?? '', looks), ...signedLines('+', after ?? '', looks)];
  return [
    ...head,
    ...patch.hunks.flatMap((hunk) => [
      styled(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, 'dim', looks),
      ...hunk.lines.flatMap((line) => wrappedLine(line, looks)),
    ]),
  ];
}

function signedLines(sign: string, text: string, looks: Looks): readonly string[] {
  return text === '' ? [] : text.split('\n').flatMap((line) => wrappedLine(`${sign}${line}`, looks));
}

/** A mark continues a line: its rest cannot imitate ours. */
function wrappedLine(line: string, looks: Looks): readonly string[] {
  const sign = line.slice(0, 1);
  const text = printable(line.slice(1).replaceAll('\t', '    '));
  const [first = '', ...rest] = pieces(text, looks.width - 2);
  const lines = [`${sign}${first}`, ...rest.map((more) => `${sign}↪${more}`)];
  const style = sign === '+' ? 'green' : sign === '-' ? 'red' : null;
  return style === null ? lines : lines.map((one) => styled(one, style, looks));
}

/** Escaped; empty without a change. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return '';
  const { hunks } = structuredPatch(name, name, before, after, '', '', { context: 3 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...changed,
  ]);
  return [`--- ${name}`, `+++ ${name}`, ...lines].map((line) => printable(line)).join('\n');
}
