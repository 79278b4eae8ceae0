import { decidesOpacity, type NonEmpty } from '@ambit/core';
import type { WrittenPolicy, WrittenRule } from '@ambit/policy';
import type { Problem } from '@ambit/policy/internal';
import type { Inquiry } from './inquiry.js';
import type { RuleSite, Sites } from './sites.js';
import type { ToolsetDefinition } from './toolset-definition.js';

export interface LintedFile {
  readonly policy: WrittenPolicy;
  readonly sites: Sites;
}

/** A file, and all that it extends. */
export interface Scope {
  readonly file: LintedFile;
  readonly files: NonEmpty<LintedFile>;
  readonly inquiry: Inquiry;
  /** Milliseconds since 1970; without it, no finding is about time. */
  readonly now: number | null;
  readonly toolsets: readonly ToolsetDefinition[];
}

/** Finds one kind of mistake. Every finding is true. */
export type Lint = (scope: Scope, report: Report) => void;

export type Report = (
  code: Problem['code'],
  span: Problem['span'],
  words: Pick<Problem, 'message' | 'help'>,
) => void;

/** The rules of a file that decide something: not those that are only observed. */
export function heardSites({ sites }: LintedFile): readonly RuleSite[] {
  return sites.rules.filter(({ rule }) => !rule.observe);
}

/** Whether without this rule the implied one would judge opaque programs. */
export function standsForImplied({ policy }: LintedFile, rule: WrittenRule): boolean {
  const isOpen = policy.document.default.decision === 'pre_approved';
  return isOpen && decidesOpacity(rule);
}
