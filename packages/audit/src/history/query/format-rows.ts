import { counted, printable, shortened } from '@ambit/core';
import { short } from '../calls/format-event.js';
import { formatSections } from '../calls/format-sections.js';
import { answerInWords, type CallRow } from './call-row.js';
import type { Count, Statistics } from './statistics.js';

/** One line for a person; escaped. */
export function formatRow(row: CallRow): string {
  const { time, call, chain, tool, subject, decision, rules, answer, outcome } = row;
  const words = [
    time,
    short(call),
    chain,
    [tool, shortened(subject.replace(/\s+/g, ' ').trim(), longest)].join(' ').trimEnd(),
    decision ?? 'not judged',
    rules.join(', '),
    answer === null ? '' : answerInWords(answer),
    outcome ?? 'open',
  ];
  return printable(words.filter((word) => word !== '').join('  '));
}

const longest = 80;

const most = 10;

export function formatStatistics(of: Statistics): string {
  const { calls, runs, from, to, people, fatigue } = of;
  const lists: readonly (readonly [string, readonly Count[]])[] = [
    ['decisions', of.decisions],
    ['outcomes', of.outcomes],
    ['tools', of.tools],
    ['workers', of.workers],
    [
      'rules that decided',
      of.decisive.map(({ name, count, decision }) => ({ name: `${name}: ${decision}`, count })),
    ],
    [
      'questions',
      of.questions.map(({ name, count, approved, refused }) => ({
        name: `${name}: ${approved} approved by people, ${refused} refused`,
        count,
      })),
    ],
    ['answers without a question', of.unasked],
  ];
  const span = from === null ? '' : `, from ${from} to ${to}`;
  const answered = people.map(
    ({ person, approved, refused }) => `  ${person}: approved ${approved}, refused ${refused}`,
  );
  const asked = [
    'how much was asked',
    `  ${counted(fatigue.asked, 'question')}: ${fatigue.per_run} a run, ${fatigue.per_hundred_calls} in a hundred calls; ${fatigue.equal} repeated an earlier one`,
  ];
  if (fatigue.median_answer !== null)
    asked.push(
      `  people answered after ${durationText(fatigue.median_answer)} (median); ${fatigue.approved_at_once} were approved within two seconds`,
    );
  return formatSections([
    [`${counted(calls, 'call')} in ${counted(runs, 'run')}${span}`],
    ...lists.filter(([, list]) => list.length > 0).map(([title, list]) => [title, ...countLines(list)]),
    answered.length === 0 ? [] : ['people', ...answered],
    asked,
  ]);
}

function durationText(milliseconds: number): string {
  const units = [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ] as const;
  const [size, unit] = units.find(([least]) => milliseconds >= least) ?? [1, 'ms'];
  return `${Number((milliseconds / size).toPrecision(2))} ${unit}`;
}

function countLines(list: readonly Count[]): readonly string[] {
  const width = String(list[0]?.count ?? 0).length;
  const rest = list.length - most;
  return [
    ...list.slice(0, most).map(({ name, count }) => `  ${String(count).padStart(width)}  ${name}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}
