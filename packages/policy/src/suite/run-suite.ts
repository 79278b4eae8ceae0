import type { Diagnostic } from '../text/diagnostic.js';
import type { LoadedSuite } from './load-suite.js';
import { type CaseResult, runCase } from './run-case.js';

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

export function runSuite(loaded: LoadedSuite): SuiteResult {
  if (!loaded.ok) {
    const { name, diagnostics } = loaded;
    return { file: name, ok: false, diagnostics, cases: [], counts: countsOf([]) };
  }
  const { name, policies, cases } = loaded.suite;
  const results = cases.map((each) => runCase(each, policies));
  return { file: name, ok: true, diagnostics: [], cases: results, counts: countsOf(results) };
}

export function countsOf(results: readonly CaseResult[]): Counts {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
