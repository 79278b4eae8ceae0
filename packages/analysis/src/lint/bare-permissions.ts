import { isWithin, vocabulary } from '@ambit/core';
import { oneOf } from '@ambit/policy/internal';
import { heardSites, type Lint } from './scope.js';
import { definedNames } from './toolset-definition.js';

/** Permissions for a name that nothing reports, only refinements of it: `net: pre_approved`. */
export const barePermissions: Lint = ({ file, files, toolsets }) => {
  const known = [...vocabulary.map(({ name }) => name), ...definedNames(toolsets)];
  const carried = new Set(
    files.flatMap(({ policy }) => policy.carries.map(({ capability }) => capability.name)),
  );
  return heardSites(file).flatMap(({ rule, name: span }) => {
    if (rule.about !== 'capability' || rule.decision !== 'pre_approved' || rule.below) return [];
    const refined = known.filter((name) => isWithin(name, rule.name));
    if (refined.length === 0 || refined.includes(rule.name) || carried.has(rule.name)) return [];
    const plain = refined.filter((name) => !refined.some((other) => other !== name && isWithin(name, other)));
    const message = `no known capability is called \`${rule.name}\`, only what is under it: this permits none of that`;
    const help = `name what is meant (${oneOf(plain.map((name) => `\`${name}\``))}), or say \`below: true\``;
    return [{ code: 'BARE_PERMISSION', span, message, help }];
  });
};
