import { escapeText } from '../text/escape.js';
import type { Coverage, RuleCoverage } from './coverage.js';
import type { MutationReport } from './mutation/mutate.js';

/** How far the cases go, for people: how many rules, and which ones they do not reach. Every text from data is escaped. */
export function formatCoverage({ total, matched, decisive, rules }: Coverage): string {
  const unmatched = rules.filter((rule) => rule.matched === 0);
  const idle = rules.filter((rule) => rule.matched > 0 && rule.decisive === 0);
  return [
    `coverage: ${share(matched, total)} rules matched, ${decisive} of ${total} decisive`,
    ...unmatched.map((rule) => `  never matched   ${ruleText(rule)}${undecidedText(rule)}`),
    ...idle.map(
      (rule) => `  never decisive  ${ruleText(rule)}${rule.observed ? ', which is only observed' : ''}`,
    ),
  ].join('\n');
}

/** The unnoticed changes, for people. Data are escaped. */
export function formatMutation({ possible, made, noticed, survivors }: MutationReport): string {
  const bound = made === possible ? '' : ` (of ${possible} that there are)`;
  return [
    `mutants: ${noticed} of ${made} noticed${bound}`,
    ...survivors.map(
      ({ at, rule, change }) =>
        `  not noticed  ${escapeText(at)} ${rule === null ? '' : `${escapeText(rule)}: `}${change}`,
    ),
  ].join('\n');
}

function share(part: number, total: number): string {
  return total === 0 ? '0 of 0' : `${part} of ${total} (${Math.floor((100 * part) / total)} %)`;
}

function ruleText({ at, decision, id }: RuleCoverage): string {
  return `${escapeText(at)} ${decision} ${escapeText(id)}`;
}

function undecidedText({ undecided }: RuleCoverage): string {
  return undecided === 0 ? '' : `, undecided in ${undecided} ${undecided === 1 ? 'case' : 'cases'}`;
}
