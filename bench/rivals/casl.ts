import { createMongoAbility, type MongoAbility, type RawRuleOf, subject } from '@casl/ability';
import type { Contender } from '../contender.js';

/** As its guide writes it: what is under a name is a pattern on a field, and what forbids is an inverted rule after the others. */
export const caslPatterns: Contender = {
  name: '@casl/ability, patterns',
  // It keeps a list of all patterns for each subject that it was asked about.
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

/** What is under a name is a subject of its own, `name.*`; what is forbidden an action of its own. */
export const casl: Contender = {
  name: '@casl/ability, look-ups',
  mostRules: 100_000,
  prepare: ({ rules, calls }) => {
    const ability = createMongoAbility(
      rules.map(
        ({ covers, name, allows, most }): RawRuleOf<MongoAbility> => ({
          action: allows ? 'use' : 'forbid',
          subject: covers === 'name' ? name : `${name}.*`,
          ...(most === null ? {} : { conditions: { amount: { $lte: most } } }),
        }),
      ),
    );
    // Put together before the clock runs.
    const carried = calls.map((capabilities) =>
      capabilities.map(({ name, amount, lineage }) => ({
        itself: subject(name, { amount }),
        under: lineage.map((ancestor) => `${ancestor}.*`),
      })),
    );
    return (call) =>
      (carried[call] ?? []).every(
        ({ itself, under }) =>
          (ability.can('use', itself) || under.some((ancestor) => ability.can('use', ancestor))) &&
          !under.some((ancestor) => ability.can('forbid', ancestor)),
      );
  },
};
