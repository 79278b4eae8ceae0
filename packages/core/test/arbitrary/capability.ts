import fc from 'fast-check';
import type { Capability } from '../../src/index.js';
import { capabilityNames, paths } from './universe.js';

const facts = fc.record(
  { path: fc.constantFrom(...paths), bytes: fc.constantFrom(9, 10, 'nine') },
  { requiredKeys: [] },
);

/** One capability in forty is `sys.guard`, which the built-in layer blocks whoever says otherwise. */
export const capability: fc.Arbitrary<Capability> = fc
  .record({
    name: fc.oneof(
      { weight: 39, arbitrary: fc.constantFrom(...capabilityNames) },
      { weight: 1, arbitrary: fc.constant('sys.guard') },
    ),
    facts,
  })
  .map(({ name, facts: known }) => ({ ...known, name }));
