import fc from 'fast-check';
import type { Capability, Json } from '../../src/index.js';
import { capabilityNames, paths } from './universe.js';

/** A file set: in any order, some members twice; open or not; `w` is not a canonical folder. */
export const fileSet: fc.Arbitrary<Json> = fc.oneof(
  fc.array(fc.constantFrom(...paths), { minLength: 1, maxLength: 4 }).map((members) => ({ paths: members })),
  fc
    .record({
      paths: fc.array(fc.constantFrom(...paths), { maxLength: 3 }),
      under: fc.constantFrom(undefined, '/', '/w', '/w/deep', '/w/a', 'w'),
    })
    .map(({ paths: members, under }) => ({
      paths: members,
      open: true,
      ...(under !== undefined && { under }),
    })),
);

/** Objects that are no file set count as missing. */
const oddSet = fc.constantFrom<Json>(
  { paths: [] },
  { folder: '/w', count: 2, digest: 'd' },
  { paths: ['/w/a'], under: '/w' },
  { paths: ['/w/a'], open: false },
);

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Json>(...paths) },
  { weight: 3, arbitrary: fileSet },
  { weight: 1, arbitrary: oddSet },
);

const facts = fc.record({ path, bytes: fc.constantFrom(9, 10, 'nine') }, { requiredKeys: [] });

/** One capability in forty is `sys.guard`, which the built-in layer blocks under any policy. */
export const capability: fc.Arbitrary<Capability> = fc
  .record({
    name: fc.oneof(
      { weight: 39, arbitrary: fc.constantFrom(...capabilityNames) },
      { weight: 1, arbitrary: fc.constant('sys.guard') },
    ),
    facts,
  })
  .map(({ name, facts: known }) => ({ ...known, name }));
