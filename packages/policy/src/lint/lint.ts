import { isNonEmpty } from '@ambit/core';
import { createDiagnostic, type Diagnostic } from '../diagnostic.js';
import type { LoadedPolicies } from '../load.js';
import { comparePlaces } from '../place.js';
import { createSource } from '../source.js';
import { amplifications } from './amplifications.js';
import { barePermissions } from './bare-permissions.js';
import { constantConditions } from './conditions.js';
import { deadRules } from './dead-rules.js';
import { endings } from './endings.js';
import { exceptions } from './exceptions.js';
import { foreignFacts } from './facts.js';
import { longObserved } from './long-observed.js';
import { needlessRules } from './needless-rules.js';
import { openDefault } from './open-default.js';
import { overridingGrants } from './overriding-grants.js';
import type { Lint } from './scope.js';
import { sitesOf } from './sites.js';
import { unknownTools } from './tools.js';

/** In the order in which one finding about a place goes before another. */
const lints: readonly Lint[] = [
  openDefault,
  deadRules,
  needlessRules,
  barePermissions,
  constantConditions,
  exceptions,
  foreignFacts,
  unknownTools,
  overridingGrants,
  amplifications,
  endings,
  longObserved,
];

/**
 * What is probably a mistake in policies that load: in each file, seen together with the others. Every finding is true; that
 * there is none does not mean that there is nothing to find.
 */
export function lintPolicies(
  { policies, files }: LoadedPolicies & { readonly ok: true },
  { now }: { readonly now: number | null },
): readonly Diagnostic[] {
  const sources = policies.map(({ document }, index) =>
    createSource(document.name, files[index]?.source ?? ''),
  );
  const linted = policies.map((policy, index) => {
    const source = sources[index];
    if (source === undefined) throw new Error('a policy has no file');
    return { policy, sites: sitesOf(policy.document, source), source };
  });
  if (!isNonEmpty(linted)) return [];
  return linted.flatMap((file) => {
    const taken = new Set<number>();
    const problems = lints.flatMap((lint) =>
      lint({ file, files: linted, now }).filter(({ code, span }) => {
        // One reason why a rule does nothing is enough.
        if (!needless.includes(code)) return true;
        if (taken.has(span.start)) return false;
        taken.add(span.start);
        return true;
      }),
    );
    return problems
      .map((problem) => createDiagnostic(problem, file.source))
      .sort((one, other) => comparePlaces(one, other));
  });
}

const needless: readonly string[] = [
  'SHADOWED_RULE',
  'REPEATED_RULE',
  'OVERRIDDEN_PERMISSION',
  'NEEDLESS_RULE',
];
