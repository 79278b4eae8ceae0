import { type NonEmpty, opaque } from '@ambit/core';
import type { WrittenPolicy, WrittenRule } from '@ambit/policy';
import type { Problem } from '@ambit/policy/internal';
import type { Inquiry } from './inquiry.js';
import type { RuleSite, Sites } from './sites.js';
import type { ToolsetDefinition } from './toolset-definition.js';

/** One file of those that are looked at together. */
export interface LintedFile {
  readonly policy: WrittenPolicy;
  readonly sites: Sites;
}

/** What lint looks at: a file, and all that it extends. */
export interface Scope {
  readonly file: LintedFile;
  readonly files: NonEmpty<LintedFile>;
  readonly inquiry: Inquiry;
  /** Milliseconds since 1970; without it nothing is said about time. */
  readonly now: number | null;
  /** Toolsets besides the built-in ones. */
  readonly toolsets: readonly ToolsetDefinition[];
}

/** Finds one kind of mistake in one file. What it says is true, or it says nothing. */
export type Lint = (scope: Scope) => readonly Problem[];

/** The rules of a file that decide something: not those that are only observed. */
export function heardSites({ sites }: LintedFile): readonly RuleSite[] {
  return sites.rules.filter(({ rule }) => !rule.observe);
}

/** Whether a rule stands in the place of the implied one, which would judge opaque programs if it went. */
export function standsForImplied({ policy }: LintedFile, rule: WrittenRule): boolean {
  return (
    policy.document.default.decision === 'pre_approved' && rule.about === 'capability' && rule.name === opaque
  );
}
