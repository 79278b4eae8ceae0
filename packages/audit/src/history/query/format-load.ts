import { counted } from '@ambit/core';
import { formatSections } from '../calls/format-sections.js';
import type { LearntLoad, Load, RuleLoad } from './load.js';

/** The approval load, for a person; escaped. `why` says why nothing can be learned. */
export function formatLoad(
  { questions, hours, per_hour, busiest, rules }: Load,
  { learnt, why }: { readonly learnt: LearntLoad | null; readonly why: string | null },
): string {
  const most = busiest === null ? '' : `, at most ${busiest.questions} in one (${busiest.hour}:00 UTC)`;
  const warned = rules.filter(({ hardly_read }) => hardly_read);
  return formatSections([
    [`${counted(questions, 'question')} in ${counted(hours, 'hour')} with calls: ${per_hour} an hour${most}`],
    rules.length === 0 ? [] : ['questions by rule', ...rules.map(ruleLine)],
    warned.map(warningOf),
    learnt === null ? [`ambit learn: ${why ?? 'nothing can be learnt'}`] : learntLines(learnt),
  ]);
}

function ruleLine({ rule, questions, per_hour, approved, refused, at_once }: RuleLoad): string {
  const answers = `approved ${approved}, refused ${refused}`;
  return `  ${questions}  ${oneLine(rule)}: ${per_hour} an hour; people ${answers}; ${at_once} approved within two seconds`;
}

function warningOf({ rule, approved, refused, at_once }: RuleLoad): string {
  return (
    `warning: ${at_once} of ${counted(approved + refused, 'answer')} to ${oneLine(rule)} are yes within two ` +
    'seconds, so its questions are hardly read: permit calls that are always approved, or ask less often'
  );
}

function learntLines({ saves, rules }: LearntLoad): readonly string[] {
  if (rules.length === 0) return ['ambit learn: no rule to propose'];
  return [
    `ambit learn would save ${counted(saves, 'question')} by ${counted(rules.length, 'rule')}`,
    ...rules.flatMap(({ words, saves: own, newly_allows }) => [
      `  saves ${own}: ${oneLine(words)}`,
      ...newly_allows.map((call) => `    newly allows ${oneLine(call)}`),
    ]),
  ];
}

function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}
