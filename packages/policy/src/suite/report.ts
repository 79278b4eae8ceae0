import type { Diagnostic } from '../text/diagnostic.js';
import { type Coverage, coverageOf } from './coverage.js';
import type { LoadedSuite } from './load-suite.js';
import { type MutationReport, mutate } from './mutation/mutate.js';
import { type CaseResult, runCase } from './run-case.js';

export interface SuitesReport {
  readonly suites: readonly SuiteResult[];
  readonly counts: Counts;
  /** Whether every suite could be used. */
  readonly ok: boolean;
  readonly coverage: Coverage | null;
  /** The unnoticed changes, on request and only without failures: a failing case cannot notice a change. */
  readonly mutation: MutationReport | null;
}

/** The result of a suite: its cases, or why it is unusable. */
export interface SuiteResult {
  readonly file: string;
  /** Whether it is usable; its cases may still fail. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly cases: readonly CaseResult[];
  readonly counts: Counts;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function reportSuites(
  loaded: readonly LoadedSuite[],
  wanted: { readonly coverage?: boolean; readonly mutation?: boolean },
): SuitesReport {
  const suites = loaded.map(runSuite);
  const usable = loaded.flatMap((each) => (each.ok ? [each.suite] : []));
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  const ok = usable.length === loaded.length;
  return {
    suites,
    counts,
    ok,
    coverage: wanted.coverage === true ? coverageOf(usable) : null,
    mutation: wanted.mutation === true && ok && counts.failed === 0 ? mutate(usable) : null,
  };
}

function runSuite(loaded: LoadedSuite): SuiteResult {
  if (!loaded.ok) {
    const { name, diagnostics } = loaded;
    return { file: name, ok: false, diagnostics, cases: [], counts: countsOf([]) };
  }
  const { name, policies, cases } = loaded.suite;
  const results = cases.map((each) => runCase(each, policies));
  return { file: name, ok: true, diagnostics: [], cases: results, counts: countsOf(results) };
}

function countsOf(results: readonly CaseResult[]): Counts {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
