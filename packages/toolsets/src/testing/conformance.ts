import type { Toolset } from '@ambit/core';
import { type CheckOptions, checkToolset, type ToolsetReport } from './check-toolset.js';
import type { FindingCode } from './finding.js';
import { formatFinding } from './format-report.js';

export interface ConformanceTest {
  readonly title: string;
  /** Rejects with the findings. */
  readonly check: () => Promise<void>;
}

/** One test for each rule: `for (const { title, check } of conformance(toolset)) it(title, check)`. */
export function conformance(toolset: Toolset, options: CheckOptions = {}): readonly ConformanceTest[] {
  let report: Promise<ToolsetReport> | null = null;
  return rules.map(({ title, codes }) => ({
    title: `${toolset.name} ${title}`,
    check: async () => {
      report ??= checkToolset(toolset, options);
      const { findings } = await report;
      const own = findings.filter(({ code }) => codes.includes(code));
      if (own.length > 0) throw new Error(own.map((one) => formatFinding(toolset.name, one)).join('\n\n'));
    },
  }));
}

const rules: readonly { readonly title: string; readonly codes: readonly FindingCode[] }[] = [
  { title: 'states no opinion', codes: ['NAME_DECIDES'] },
  {
    title: 'describes every call that its schemas accept',
    codes: ['NOT_TOTAL', 'EMPTY', 'NOT_CHECKED', 'SLOW'],
  },
  { title: 'describes equal calls equally', codes: ['NOT_DETERMINISTIC'] },
  { title: 'does nothing while it describes', codes: ['NOT_PURE'] },
  {
    title: 'reports facts of the declared kinds, in canonical form',
    codes: ['UNDECLARED_CAPABILITY', 'UNDECLARED_FACT', 'NOT_CANONICAL'],
  },
  { title: 'does what it reported, in its examples', codes: ['NOT_REPORTED', 'FAILED'] },
  { title: 'needs nothing that decides', codes: ['NOT_NEUTRAL'] },
];
