import type { DescribedCall } from '@ambit/core';
import { createMongoAbility, type MongoAbility, type RawRuleOf, subject } from '@casl/ability';
import type { Contender } from '../contender.js';
import { lineageOf, type PlainCapability, type PlainRule } from '../workload.js';

/** As the guide of CASL says: names below a name are a pattern on a field, and prohibitions are inverted rules at the end. */
export const caslPatterns: Contender = {
  name: '@casl/ability, patterns',
  // It keeps a list of all patterns for each subject that was asked about.
  mostRules: 1_000,
  prepare: ({ rules, calls }) => {
    const ability = createMongoAbility(
      [...rules]
        .sort((one, other) => Number(other.allows) - Number(one.allows))
        .map(({ covers, name, allows, most }): RawRuleOf<MongoAbility> => {
          const conditions = {
            ...(covers === 'name' ? {} : { name: { $regex: `^${name.replaceAll('.', '\\.')}(?:\\.|$)` } }),
            ...(most === null ? {} : { amount: { $lte: most } }),
          };
          return {
            action: 'use',
            subject: covers === 'name' ? name : 'all',
            inverted: !allows,
            ...(Object.keys(conditions).length === 0 ? {} : { conditions }),
          };
        }),
    );
    const carried = calls.map((capabilities) =>
      capabilities.map(({ name, amount }) => subject(name, { name, amount })),
    );
    return (call) => (carried[call] ?? []).every((capability) => ability.can('use', capability));
  },
};

/** The names under a name are a subject of their own, `name.*`; a prohibition is an action of its own. */
export const casl: Contender = {
  name: '@casl/ability, look-ups',
  mostRules: 100_000,
  prepare: ({ rules, calls }) => {
    const ability = abilityOf(rules);
    // Built before the time is measured.
    const carried = calls.map((capabilities) => capabilities.map(subjectsOf));
    return (call) => (carried[call] ?? []).every((subjects) => isAllowed(ability, subjects));
  },
};

/** The same, but it builds the subjects from each call. */
export function caslBuilding(rules: readonly PlainRule[]): (call: DescribedCall) => boolean {
  const ability = abilityOf(rules);
  return ({ capabilities }) =>
    capabilities.every(({ name, amount }) =>
      isAllowed(ability, subjectsOf({ name, amount: amount as number, lineage: lineageOf(name) })),
    );
}

function abilityOf(rules: readonly PlainRule[]): MongoAbility {
  return createMongoAbility(
    rules.map(
      ({ covers, name, allows, most }): RawRuleOf<MongoAbility> => ({
        action: allows ? 'use' : 'forbid',
        subject: covers === 'name' ? name : `${name}.*`,
        ...(most === null ? {} : { conditions: { amount: { $lte: most } } }),
      }),
    ),
  );
}

interface Subjects {
  readonly itself: object;
  readonly under: readonly string[];
}

function subjectsOf({ name, amount, lineage }: PlainCapability): Subjects {
  return { itself: subject(name, { amount }), under: lineage.map((ancestor) => `${ancestor}.*`) };
}

function isAllowed(ability: MongoAbility, { itself, under }: Subjects): boolean {
  return (
    (ability.can('use', itself as never) || under.some((ancestor) => ability.can('use', ancestor))) &&
    !under.some((ancestor) => ability.can('forbid', ancestor))
  );
}
