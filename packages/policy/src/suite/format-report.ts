import { escapeText } from '../text/escape.js';
import type { Coverage, RuleCoverage } from './coverage.js';
import { countsInWords, formatSuiteResult } from './format-suite.js';
import type { MutationReport } from './mutation/mutate.js';
import type { SuitesReport } from './report.js';

/** Escaped. */
export function formatReport(
  { suites, counts, coverage, mutation }: SuitesReport,
  { mutation: wantsMutation = false }: { readonly mutation?: boolean } = {},
): string {
  const none = 'mutants: none are made while a case fails or a suite cannot be used';
  return [
    ...suites.map(formatSuiteResult),
    ...(suites.length === 1 ? [] : [`${suites.length} suites: ${countsInWords(counts)}`]),
    ...(coverage === null ? [] : ['', formatCoverage(coverage)]),
    ...(mutation === null ? (wantsMutation ? ['', none] : []) : ['', formatMutation(mutation)]),
  ].join('\n');
}

/** Escaped. */
function formatCoverage({ total, matched, decisive, rules }: Coverage): string {
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

/** Escaped. */
function formatMutation({ possible, made, noticed, survivors }: MutationReport): string {
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
