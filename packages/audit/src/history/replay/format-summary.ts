import { basename } from 'node:path';
import { counted, memberInWords } from '@ambit/core';
import { formatSections } from '../calls/format-sections.js';
import type { ReplayClass, ReplaySummary } from './summary.js';

export function formatSummary(summary: ReplaySummary): string {
  const { unjudged, decisions, same, looser, stricter, unknown, ways, classes, questions } = summary;
  const calls = summary.calls - unjudged;
  // A call that changed while it waited was described and judged several times.
  const judged = calls === decisions ? '' : `, by ${counted(decisions, 'decision')}`;
  const left = unjudged === 0 ? '' : `; ${counted(unjudged, 'call')} refused before judging`;
  const head = `${counted(calls, 'call')} judged again${judged}: ${same} the same, ${looser} looser, ${stricter} stricter, ${unknown} unknown${left}`;
  const gone = ways.filter((way) => way.calls > 0);
  const days = questions.filter((day) => day.before !== day.after || day.new > 0);
  return formatSections([
    [head],
    gone.map((way) => `  from ${way.from} to ${way.to}: ${way.calls}`),
    ...classes.map(classLines),
    days.length === 0
      ? []
      : [
          'calls that need approval, by day, then and now:',
          ...days.map((day) => `  ${day.day}  ${day.before} → ${day.after}, ${day.new} of them new`),
        ],
  ]);
}

function classLines({
  from,
  to,
  tool,
  capabilities,
  because,
  calls,
  example,
}: ReplayClass): readonly string[] {
  return [
    `${counted(calls, 'decision')}: from ${from} to ${to}`,
    `  ${tool} (${capabilities.join(', ')})`,
    ...because.map((why) => `  because of ${why}`),
    `  for example entry ${example.seq}${example.file === null ? '' : ` of ${basename(example.file)}`}, call ${example.call}${example.member === undefined ? '' : `: ${memberInWords(example.member)}`}`,
  ];
}
