import { columnsOf, wrap } from '@ambit/core';
import { escapeText } from '../text/escape.js';
import type { ShowRow } from './show.js';
import type { ShowNote } from './show-notes.js';

const usualWidth = 80;
const indent = ' '.repeat(6);

const headings = {
  runs: 'RUNS, without a question',
  asks: 'ASKS, and runs when an allowed person approves',
  never: 'NEVER',
  observed: 'OBSERVED: applies to nothing, and what it would have said is recorded',
} as const;

const noteHeadings = {
  carries: 'ADDED to what calls carry, for all policies',
  answers: 'ANSWERS that count',
  claims: 'CLAIMED',
  callers: 'CALLERS',
} as const;

/** 80 columns, or fewer for a narrow terminal. */
export function formatShow(
  rows: readonly ShowRow[],
  notes: readonly ShowNote[] = [],
  columns = usualWidth,
): string {
  const width = Math.min(usualWidth, columns);
  const count = new Set(rows.map(({ policy }) => policy)).size;
  const intro = wrap(
    `${count === 1 ? 'One policy judges' : `${count} policies judge`} each capability of a call, and the strictest line that applies wins: never, then asks, then runs. A condition that cannot be decided counts as whichever is stricter. sys.guard is always blocked.`,
    width,
  );
  const sections = (['runs', 'asks', 'never', 'observed'] as const).flatMap((outcome) => {
    const lines = rows.filter((row) => row.outcome === outcome).flatMap((row) => rowLines(row, width));
    if (outcome === 'observed' && lines.length === 0) return [];
    return ['', ...wrap(headings[outcome], width), ...(lines.length === 0 ? ['  nothing'] : lines)];
  });
  const beside = (['carries', 'answers', 'claims', 'callers'] as const).flatMap((about) => {
    const lines = notes
      .filter((note) => note.about === about)
      .flatMap(({ policy, text }) =>
        wrap(policy === null ? text : `${escapeText(policy)}: ${text}`, width, '  '),
      );
    return lines.length === 0 ? [] : ['', noteHeadings[about], ...lines];
  });
  return [...intro, ...sections, ...beside, ''].join('\n');
}

function rowLines(row: ShowRow, width: number): readonly string[] {
  const what = `  ${row.what}${row.worker === null ? '' : `, for ${escapeText(row.worker)}`}`;
  const at = escapeText(row.at);
  const room = width - columnsOf(what) - columnsOf(at);
  const head =
    room >= 2
      ? [`${what}${' '.repeat(room)}${at}`]
      : [...wrap(what.trim(), width, '  '), ...wrap(at, width, indent)];
  const details = [
    ...row.conditions,
    ...row.remarks,
    ...(row.reason === null ? [] : [`because ${escapeText(row.reason)}`]),
  ];
  return [...head, ...details.flatMap((detail) => wrap(detail, width, indent))];
}
