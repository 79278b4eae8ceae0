import { printable } from '@ambit/core';
import { structuredPatch } from 'diff';

/** What changes in a text, as a unified diff; escaped, and empty where nothing does. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return '';
  const { hunks } = structuredPatch(name, name, before, after, '', '', { context: 3 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...changed,
  ]);
  return [`--- ${name}`, `+++ ${name}`, ...lines].map((line) => printable(line)).join('\n');
}
