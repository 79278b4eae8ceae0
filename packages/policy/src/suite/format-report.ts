import { formatCoverage, formatMutation } from './format-measures.js';
import { countsInWords, formatSuiteResult } from './format-suite.js';
import type { SuitesReport } from './report.js';

/** The whole report, for people. Every text from data is escaped. */
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
