import type { NonEmpty } from '@ambit/core';
import { createDiagnostic, type Diagnostic } from './diagnostic.js';
import { quote } from './escape.js';
import { lintPolicies } from './lint/lint.js';
import { type LoadedPolicies, loadPolicies } from './load.js';
import { createSource } from './source.js';
import type { PolicyWorld } from './world.js';

/** What is to be said about policies before they are used. */
export interface CheckReport {
  /** Whether they load; their examples are part of that. */
  readonly ok: boolean;
  /** Why they do not load. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is probably a mistake, or cannot be settled. */
  readonly warnings: readonly Diagnostic[];
  readonly files: number;
  readonly rules: number;
  readonly examples: number;
}

/** Loads policies, runs their examples, and looks for what is probably a mistake; without `now` nothing is said about time. */
export async function checkPolicies(
  files: NonEmpty<string>,
  world: PolicyWorld,
  { now = null }: { readonly now?: number | null } = {},
): Promise<CheckReport> {
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
    warnings: [...loaded.warnings, ...lintPolicies(loaded, { now }), ...unsettled(loaded)],
    files: loaded.files.length,
    rules: rules.length,
    examples: rules.reduce((total, rule) => total + rule.examples.length, 0),
  };
}

/** Nothing proves invariants yet, and one that nobody has proved must not look as if it held. */
function unsettled({ policies, files }: LoadedPolicies & { ok: true }): readonly Diagnostic[] {
  return policies.flatMap(({ document }, index) => {
    const source = createSource(document.name, files[index]?.source ?? '');
    return document.invariants.map(({ id, place }) => {
      const start = source.lines.offsetOf(place);
      return createDiagnostic(
        {
          code: 'UNSETTLED_INVARIANT',
          span: { start, end: start + 1 },
          message: `the invariant ${quote(id)} is not settled: this version does not prove invariants`,
          help: 'it is neither known to hold nor to fail; what a combination says under `together:` holds',
        },
        source,
      );
    });
  });
}
