import { printable } from '@ambit/core';
import { structuredPatch } from 'diff';

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
