import type { NonEmpty } from '@ambit/core';
import type { Diagnostic } from './diagnostic.js';
import { loadPolicies } from './load.js';
import type { PolicyWorld } from './world.js';

/** What is to be said about policies before they are used. */
export interface CheckReport {
  /** Whether they load; their examples are part of that. */
  readonly ok: boolean;
  /** Why they do not load. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is probably a mistake. */
  readonly warnings: readonly Diagnostic[];
  readonly files: number;
  readonly rules: number;
  readonly examples: number;
}

/** Loads policies and runs their examples. */
export async function checkPolicies(files: NonEmpty<string>, world: PolicyWorld): Promise<CheckReport> {
  const loaded = await loadPolicies(files, world);
  if (!loaded.ok)
    return {
      ok: false,
      diagnostics: loaded.diagnostics,
      warnings: [],
      files: files.length,
      rules: 0,
      examples: 0,
    };
  const rules = loaded.policies.flatMap(({ document }) => document.rules);
  return {
    ok: true,
    diagnostics: [],
    warnings: loaded.warnings,
    files: loaded.files.length,
    rules: rules.length,
    examples: rules.reduce((total, rule) => total + rule.examples.length, 0),
  };
}
