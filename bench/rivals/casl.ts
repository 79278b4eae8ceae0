import { createMongoAbility, type MongoAbility, type RawRuleOf, subject } from '@casl/ability';
import type { Contender } from '../contender.js';

/** What is under a name is a subject of its own, `name.*`; what is forbidden an action of its own. */
export const casl: Contender = {
  name: '@casl/ability',
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
