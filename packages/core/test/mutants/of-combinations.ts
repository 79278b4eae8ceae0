import {
  type CapabilityView,
  type CombinationRule,
  type NonEmpty,
  Run,
  type RunOptions,
} from '../../src/index.js';
import { core } from '../engine.js';
import { misreadingAll } from './broken.js';
import type { Mutant } from './mutant.js';

/** Engines that misjudge combinations, and runs that forget earlier permits. */
export const mutantsOfCombinations: readonly Mutant[] = [
  {
    mistake: 'a combination looks at the call alone, whatever it says',
    dies: 'combination blocks together',
    engine: () => changing((rule) => ({ ...rule, within: 'call' })),
  },
  {
    mistake: 'permits are given before the one before them is recorded',
    dies: 'combination blocks together',
    engine: () => ({
      ...core,
      createRun: (options: RunOptions) =>
        new (class extends Run {
          override inTurn<T>(step: () => Promise<T>): Promise<T> {
            return step();
          }
        })(options),
    }),
  },
  {
    mistake: 'a run remembers a permit only later',
    dies: 'combination blocks together',
    engine: () => ({
      ...core,
      createRun: (options: RunOptions) =>
        new (class extends Run {
          override permit(capabilities: Parameters<Run['permit']>[0]): void {
            setImmediate(() => super.permit(capabilities));
          }
        })(options),
    }),
  },
  {
    mistake: 'one of what a combination lists is enough',
    dies: 'for every way',
    engine: () =>
      changing((rule) => ({ ...rule, members: [rule.members[0]] satisfies CombinationRule['members'] })),
  },
  {
    mistake: 'a combination lists exact names alone',
    dies: 'for every way',
    engine: () =>
      changing((rule) => ({
        ...rule,
        members: rule.members.map(({ name, condition }) => ({
          name,
          condition: (view: CapabilityView) => view.capability.name === name && condition(view),
        })) as unknown as NonEmpty<CombinationRule['members'][number]>,
      })),
  },
  {
    mistake: 'every combination is within the run',
    dies: 'for every way',
    engine: () => changing((rule) => ({ ...rule, within: 'run' })),
  },
  {
    mistake: 'a rule that is only observed applies',
    dies: 'for every way',
    engine: () =>
      misreadingAll(({ rules }) => ({ rules: rules.map((rule) => ({ ...rule, observe: false })) })),
  },
];

function changing(change: (rule: CombinationRule) => CombinationRule) {
  return misreadingAll(({ rules }) => ({
    rules: rules.map((rule) => (rule.about === 'combination' ? change(rule) : rule)),
  }));
}
