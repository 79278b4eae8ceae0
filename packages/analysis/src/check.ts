import type { NonEmpty } from '@ambit/core';
import { type Diagnostic, type LoadedPolicies, loadPolicies, type PolicyWorld } from '@ambit/policy';
import type { Node } from '@ambit/policy/internal';
import { checkInvariants } from './invariants/check-invariants.js';
import { type LintOptions, lintPolicies } from './lint/lint.js';

/** The result of checking policies before they are used. */
export interface CheckReport {
  /** With their examples. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Probable mistakes, and unsettled questions. */
  readonly warnings: readonly Diagnostic[];
  readonly rules: number;
  readonly examples: number;
  readonly invariants: number;
}

/** Loads policies, runs examples, proves invariants and lints. Without `now`, nothing is said about time. */
export async function checkPolicies(
  files: NonEmpty<string>,
  world: PolicyWorld,
  { now = null, toolsets = [] }: Partial<LintOptions> = {},
): Promise<CheckReport> {
  const trees = new Map<string, Node>();
  const loaded = await loadPolicies(files, { ...world, trees });
  if (!loaded.ok)
    return {
      ok: false,
      diagnostics: loaded.diagnostics,
      // A name that a toolset defines may look like a slip: settled once the files load.
      warnings: toolsets.length === 0 ? loaded.warnings : [],
      rules: 0,
      examples: 0,
      invariants: 0,
    };
  const { proved, diagnostics: broken } = checkInvariants(loaded);
  const rules = loaded.policies.flatMap(({ document }) => document.rules);
  return {
    ok: true,
    diagnostics: [],
    warnings: [...lintPolicies(loaded, { now, toolsets, trees }), ...broken],
    rules: rules.length,
    examples: rules.reduce((total, rule) => total + rule.examples.length, 0),
    invariants: proved,
  };
}

/** What `checkPolicies` reports about policies that load. */
export function policyFindings(
  loaded: LoadedPolicies & { readonly ok: true },
  options: LintOptions,
): readonly Diagnostic[] {
  return [...lintPolicies(loaded, options), ...checkInvariants(loaded).diagnostics];
}
