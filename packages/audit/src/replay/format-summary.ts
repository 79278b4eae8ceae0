import { printable } from '@ambit/core';
import type { ReplayClass, ReplaySummary } from './summary.js';

/** What would change, for a person; escaped. */
export function formatSummary(summary: ReplaySummary): string {
  const { calls, same, looser, stricter, unknown, classes, questions } = summary;
  const head = `${counted(calls, 'decision')} judged again: ${same} the same, ${looser} looser, ${stricter} stricter, ${unknown} unknown`;
  const days = questions.filter(({ before, after }) => before !== after);
  const sections = [
    head,
    ...classes.map(classText),
    ...(days.length === 0
      ? []
      : [
          [
            'questions a day, then and now:',
            ...days.map(({ day, before, after }) => `  ${day}  ${before} → ${after}`),
          ].join('\n'),
        ]),
  ];
  return sections.join('\n\n');
}

function classText({ from, to, tool, capabilities, because, calls, example }: ReplayClass): string {
  const lines = [
    `${counted(calls, 'call')}: from ${from} to ${to}`,
    `  ${tool} (${capabilities.join(', ')})`,
    ...because.map((why) => `  because of ${why}`),
    `  for example entry ${example.seq}, call ${example.call}`,
  ];
  return lines.map((line) => printable(line)).join('\n');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
