import { type Coverage, coverageOf } from './coverage.js';
import type { LoadedSuite } from './load-suite.js';
import { type MutationReport, mutate } from './mutation/mutate.js';
import { type Counts, runSuite, type SuiteResult } from './run-suite.js';

export interface SuitesReport {
  readonly suites: readonly SuiteResult[];
  readonly counts: Counts;
  /** Whether every suite could be used. */
  readonly ok: boolean;
  readonly coverage: Coverage | null;
  /** The unnoticed changes, on request and only without failures: a failing case cannot notice a change. */
  readonly mutation: MutationReport | null;
}

export function reportSuites(
  loaded: readonly LoadedSuite[],
  wanted: { readonly coverage?: boolean; readonly mutation?: boolean },
): SuitesReport {
  const suites = loaded.map(runSuite);
  const usable = loaded.flatMap((each) => (each.ok ? [each.suite] : []));
  const sum = (key: keyof Counts) => suites.reduce((total, { counts }) => total + counts[key], 0);
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const ok = usable.length === loaded.length;
  return {
    suites,
    counts,
    ok,
    coverage: wanted.coverage === true ? coverageOf(usable) : null,
    mutation: wanted.mutation === true && ok && counts.failed === 0 ? mutate(usable) : null,
  };
}
