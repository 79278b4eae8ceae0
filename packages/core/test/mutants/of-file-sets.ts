import { type Capability, fileSetOf, type NonEmpty, type Request } from '../../src/index.js';
import type { FileSet } from '../../src/words/files/file-set.js';
import { core, type Engine } from '../engine.js';
import type { Mutant } from './mutant.js';

/** Engines that take a file set for something else. */
export const mutantsOfFileSets: readonly Mutant[] = [
  {
    mistake: 'a file set is its first member',
    dies: 'one by one',
    engine: () => seeing(({ paths, ...rest }) => ({ ...rest, paths: paths.slice(0, 1) })),
  },
  {
    mistake: 'a file set is its last member',
    dies: 'another member of a set',
    engine: () => seeing(({ paths, ...rest }) => ({ ...rest, paths: paths.slice(-1) })),
  },
  {
    mistake: 'a file set of several members is not looked at',
    dies: 'another member of a set',
    engine: () => passingOver(({ paths }) => paths.length > 1),
  },
  {
    mistake: 'an open set is its known members',
    dies: 'an open set is never',
    engine: () => seeing(({ paths, ...rest }) => (paths.length === 0 ? { paths, ...rest } : { paths })),
  },
  {
    mistake: 'an open set without known members touches nothing',
    dies: 'an open set is never',
    engine: () => passingOver(({ paths }) => paths.length === 0),
  },
];

function seeing(change: (set: FileSet) => FileSet): Engine {
  return changing((capabilities) =>
    capabilities.map((capability) => {
      const set = fileSetOf(capability.path);
      return set === null ? capability : ({ ...capability, path: change(set) } as unknown as Capability);
    }),
  );
}

function passingOver(isPassedOver: (set: FileSet) => boolean): Engine {
  return changing((capabilities) =>
    capabilities.filter(({ path }) => {
      const set = fileSetOf(path);
      return set === null || !isPassedOver(set);
    }),
  );
}

function changing(change: (capabilities: readonly Capability[]) => readonly Capability[]): Engine {
  return {
    ...core,
    decide: (request, policies) => {
      const [first = { name: 'fs' }, ...others] = change(request.capabilities);
      const capabilities: NonEmpty<Capability> = [first, ...others];
      return core.decide({ ...request, capabilities } satisfies Request, policies);
    },
  };
}
