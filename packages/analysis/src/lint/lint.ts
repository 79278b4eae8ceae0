import { isNonEmpty } from '@ambit/core';
import type { Diagnostic, LoadedPolicies, Place } from '@ambit/policy';
import {
  comparePlaces,
  createDiagnostic,
  createSource,
  type Node,
  type Source,
} from '@ambit/policy/internal';
import { unknownAgents } from './names/agents.js';
import { barePermissions, capabilityNames, isDefined, unknownNames } from './names/capability-names.js';
import { foreignFacts, foreignTools, foreignValues } from './names/facts.js';
import { otherSpellings, unlikelyPatterns } from './names/patterns.js';
import { toolsAsCapabilities, unknownTools } from './names/tools.js';
import { opacity, openDefault } from './opacity.js';
import { amplifications } from './rules/amplifications.js';
import { chainConditions, constantConditions, exceptions } from './rules/conditions.js';
import { deadRules } from './rules/dead-rules.js';
import { needlessRules } from './rules/needless-rules.js';
import { overridingGrants } from './rules/overriding-grants.js';
import { Inquiry } from './subject/inquiry.js';
import type { Lint, LintedFile, Report } from './subject/scope.js';
import { sitesOf } from './subject/sites.js';
import { definedNames, type ToolsetDefinition } from './subject/toolset-definition.js';
import { endings, longObserved } from './time.js';

/** In order: of several reasons why a rule is needless, the first is reported. */
const lints: readonly Lint[] = [
  openDefault,
  deadRules,
  needlessRules,
  barePermissions,
  constantConditions,
  chainConditions,
  exceptions,
  unknownNames,
  toolsAsCapabilities,
  foreignFacts,
  foreignValues,
  foreignTools,
  unlikelyPatterns,
  otherSpellings,
  unknownTools,
  unknownAgents,
  overridingGrants,
  amplifications,
  opacity,
  endings,
  longObserved,
];

export interface LintOptions {
  /** Milliseconds since 1970; without it, no finding is about time. */
  readonly now: number | null;
  readonly toolsets?: readonly ToolsetDefinition[];
  /** The trees of the files that were parsed before, by their texts. */
  readonly trees?: ReadonlyMap<string, Node>;
}

/** Probable mistakes in policies that load. Every finding is true; others may be missing. */
export function lintPolicies(
  { policies, files, warnings }: LoadedPolicies & { readonly ok: true },
  { now, toolsets = [], trees }: LintOptions,
): readonly Diagnostic[] {
  const sources = policies.map(({ document }, index) =>
    createSource(document.name, files[index]?.source ?? ''),
  );
  const linted = policies.map((policy, index) => {
    const source = sources[index];
    if (source === undefined) throw new Error('a policy has no file');
    return { policy, sites: sitesOf(policy.document, source, trees?.get(source.text)), source };
  });
  if (!isNonEmpty(linted)) return warnings;
  const defined = definedNames(toolsets);
  const known = new Set(linted.flatMap((file) => definedPlaces(file, defined)));
  const heeded = warnings.filter((each) => each.code !== 'UNKNOWN_CAPABILITY' || !known.has(placeOf(each)));
  const inquiry = new Inquiry(policies);
  const found = linted.flatMap((file) => {
    const reported: Diagnostic[] = [];
    const taken = new Set<number>();
    const report: Report = (code, span, words) => {
      // One reason why a rule does nothing is enough.
      if (needless.includes(code) && taken.has(span.start)) return;
      if (needless.includes(code)) taken.add(span.start);
      reported.push(createDiagnostic({ code, span, ...words }, file.source));
    };
    for (const lint of lints) lint({ file, files: linted, inquiry, now, toolsets }, report);
    return reported.sort(comparePlaces);
  });
  return [...heeded, ...found];
}

function definedPlaces(
  file: LintedFile & { readonly source: Source },
  defined: readonly string[],
): readonly string[] {
  if (defined.length === 0) return [];
  return capabilityNames(file)
    .filter(({ name }) => isDefined(name, defined))
    .map(({ span }) => placeOf({ file: file.source.name, ...file.source.lines.placeOf(span.start) }));
}

function placeOf({ file, line, column }: Place & { readonly file: string }): string {
  return `${line}:${column} ${file}`;
}

const needless: readonly string[] = [
  'SHADOWED_RULE',
  'REPEATED_RULE',
  'OVERRIDDEN_PERMISSION',
  'NEEDLESS_RULE',
];
