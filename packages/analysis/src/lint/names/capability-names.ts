import { isWithin, vocabulary } from '@ambit/core';
import { type Entry, editDistance, nearCapability, oneOf, quote, type Span } from '@ambit/policy/internal';
import { heardSites, type Lint, type LintedFile } from '../subject/scope.js';
import { entryOf, itemsOf } from '../subject/sites.js';
import { definedNames } from '../subject/toolset-definition.js';

/** Names that are one slip away from one of a given toolset. */
export const unknownNames: Lint = ({ file, toolsets }, report) => {
  const defined = definedNames(toolsets);
  for (const { name, span } of defined.length === 0 ? [] : capabilityNames(file)) {
    // A misspelt shared name is reported when the file is loaded.
    const isKnown = isDefined(name, defined) || vocabulary.some((shared) => isWithin(shared.name, name));
    if (isKnown || nearCapability(name) !== null) continue;
    const near = defined.find((each) => editDistance(name, each) === 1);
    if (near === undefined) continue;
    report('UNKNOWN_CAPABILITY', span, {
      message: `no known toolset reports a capability called ${quote(name)}`,
      help: `did you mean \`${near}\`?`,
    });
  }
};

/** Whether a toolset was given that reports this name, or one under it. */
export function isDefined(name: string, defined: readonly string[]): boolean {
  return defined.some((each) => isWithin(each, name) || isWithin(name, each));
}

export function capabilityNames({
  sites,
}: LintedFile): readonly { readonly name: string; readonly span: Span }[] {
  const rules = sites.rules.flatMap(({ rule, name: span, entry }) => {
    if (rule.about === 'capability') return [{ name: rule.name, span }];
    return rule.about === 'combination' ? listedNames(entry('capabilities')) : [];
  });
  const invariants = itemsOf(sites.section('invariants')).flatMap((item) =>
    listedNames(entryOf(item, 'capabilities')),
  );
  const carried = sites.section('carries')?.value;
  return [
    ...rules,
    ...invariants,
    ...(carried?.kind === 'map' ? carried.entries.flatMap((entry) => listedNames(entry)) : []),
  ];
}

/** The names of a list: texts, and maps with a `name`. */
export function listedNames(
  entry: Entry | undefined,
): readonly { readonly name: string; readonly span: Span }[] {
  return itemsOf(entry).flatMap((item) => {
    const name = item.kind === 'map' ? entryOf(item, 'name')?.value : item;
    return name?.kind === 'text' ? [{ name: name.value, span: name.span }] : [];
  });
}

/** A permission for a name of which only refinements are reported: `net: pre_approved`. */
export const barePermissions: Lint = ({ file, files, toolsets }, report) => {
  const known = [...vocabulary.map(({ name }) => name), ...definedNames(toolsets)];
  const carried = new Set(
    files.flatMap(({ policy }) => policy.carries.map(({ capability }) => capability.name)),
  );
  for (const { rule, name: span } of heardSites(file)) {
    if (rule.about !== 'capability' || rule.decision !== 'pre_approved' || rule.below) continue;
    const refined = known.filter((name) => isWithin(name, rule.name));
    if (refined.length === 0 || refined.includes(rule.name) || carried.has(rule.name)) continue;
    const plain = refined.filter((name) => !refined.some((other) => other !== name && isWithin(name, other)));
    const message = `no known capability is called \`${rule.name}\`, only what is under it: this permits none of that`;
    const help = `name one of these (${oneOf(plain.map((name) => `\`${name}\``))}), or say \`below: true\``;
    report('BARE_PERMISSION', span, { message, help });
  }
};
