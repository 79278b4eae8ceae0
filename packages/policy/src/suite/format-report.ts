import { counted, type Judgement, remembered } from '@ambit/core';
import { formatDiagnostics } from '../text/diagnostic.js';
import { escapeText, quote } from '../text/escape.js';
import type { Coverage, RuleCoverage } from './coverage.js';
import type { MutationReport } from './mutation/mutate.js';
import type { Counts, SuiteResult, SuitesReport } from './report.js';
import type { CaseResult, Mismatch } from './run-case.js';

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
function formatSuiteResult({ file, ok, diagnostics, cases, counts }: SuiteResult): string {
  const name = escapeText(file);
  if (!ok) return `${formatDiagnostics(diagnostics)}\n\n${name}: cannot be used`;
  const shown = cases.filter(({ status }) => status !== 'passed').map(caseText);
  return [...shown, `${name}: ${countsInWords(counts)}`].join('\n');
}

function countsInWords({ passed, failed, skipped }: Counts): string {
  return [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(', ');
}

function caseText(result: CaseResult): string {
  const at = `${escapeText(result.at)} ${result.status}: ${escapeText(result.name)}`;
  if (result.status === 'skipped') return `${at} (${escapeText(result.skip ?? '')})\n`;
  const mismatches = result.mismatches.map(mismatchText).join('; ');
  return [`${at}: ${mismatches}`, ...whyLines(result).map((line) => `  ${line}`), ''].join('\n');
}

function mismatchText({ of, expected, found }: Mismatch): string {
  switch (of) {
    case 'decision':
      return `expected ${expected}, found ${found}`;
    case 'rules': {
      const missing = expected.filter((id) => !found?.includes(id)).map((id) => quote(id));
      return `expected ${missing.join(', ')} to decide, and ${missing.length === 1 ? 'it does' : 'they do'} not`;
    }
    case 'default':
      return expected
        ? 'expected a default to decide, and none does'
        : 'expected no default to decide, and one does';
    case 'answer':
      return `expected a question for ${expected === 'any' ? 'anybody' : 'a person'}, found ${
        found === null ? 'none' : found === 'any' ? 'one for anybody' : 'one for a person'
      }`;
    case 'reason':
    case 'instead':
      return `expected the ${of} ${quote(expected)}, found ${found === null ? 'none' : quote(found)}`;
  }
}

function whyLines({ decision, deciding, cannot }: CaseResult): readonly string[] {
  if (decision === null || deciding === null) return [];
  return [
    ...deciding.rules.map((rule) => {
      const why = rule.undecided === null ? '' : `, undecided: ${escapeText(rule.undecided)}`;
      return `decided by ${escapeText(rule.id)} (${escapeText(rule.at)}) ${rule.decision}${why}`;
    }),
    ...deciding.defaults.map((policy) => {
      const by = (one: Judgement) =>
        one.policy === policy && one.default && one.decision === decision.decision;
      const { name = 'it' } = decision.capabilities[decision.judgements.find(by)?.capability ?? -1] ?? {};
      return `decided by the default of ${escapeText(policy)}: no rule covers ${escapeText(name)}`;
    }),
    ...(decision.reason === null ? [] : [`reason: ${escapeText(decision.reason)}`]),
    ...(cannot === null ? [] : [`the tool says that it cannot be done: ${escapeText(cannot)}`]),
  ];
}

/** Escaped. */
function formatCoverage({ total, matched, decisive, rules }: Coverage): string {
  const unmatched = rules.filter((rule) => rule.matched === 0);
  const idle = rules.filter((rule) => rule.matched > 0 && rule.decisive === 0);
  const words = ({ at, decision, id }: RuleCoverage) => `${escapeText(at)} ${decision} ${escapeText(id)}`;
  const share = total === 0 ? '' : ` (${Math.floor((100 * matched) / total)} %)`;
  return [
    `coverage: ${matched} of ${total}${share} rules matched, ${decisive} of ${total} decisive`,
    ...unmatched.map(
      (rule) =>
        `  never matched   ${words(rule)}${rule.undecided === 0 ? '' : `, undecided in ${counted(rule.undecided, 'case')}`}`,
    ),
    ...idle.map(
      (rule) => `  never decisive  ${words(rule)}${rule.observed ? ', which is only observed' : ''}`,
    ),
  ].join('\n');
}

/** Of each rule and default. */
const mostSurvivors = 3;

/** Escaped. */
function formatMutation({ possible, made, noticed, survivors }: MutationReport): string {
  const bound = made === possible ? '' : ` (of ${possible} possible)`;
  const places = new Map<string, MutationReport['survivors'][number][]>();
  for (const survivor of survivors) remembered(places, survivor.at, () => []).push(survivor);
  const lines = [...places].flatMap(([at, all]) => [
    ...all
      .slice(0, mostSurvivors)
      .map(
        ({ rule, change }) =>
          `  not noticed  ${escapeText(at)} ${rule === null ? '' : `${escapeText(rule)}: `}${change}`,
      ),
    ...(all.length > mostSurvivors
      ? [`  not noticed  ${escapeText(at)} ${all.length - mostSurvivors} more; --json lists all`]
      : []),
  ]);
  return [`mutants: ${noticed} of ${made} noticed${bound}`, ...lines].join('\n');
}
