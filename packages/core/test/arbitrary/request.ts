import fc from 'fast-check';
import { createRequest, type DescribedCall, type NonEmpty, type Request } from '../../src/index.js';
import { capability } from './capability.js';
import { tools, workers } from './universe.js';

const worker = fc.constantFrom(...workers);

export const chain: fc.Arbitrary<NonEmpty<string>> = fc.oneof(
  fc.tuple(worker),
  fc.tuple(worker, worker),
  fc.tuple(worker, worker, worker),
);

/** A call as a tool described it; one in eight carries nothing of its own. */
export const describedCall: fc.Arbitrary<DescribedCall> = fc.record({
  tool: fc.constantFrom(...tools),
  chain,
  args: fc.record({ x: fc.constantFrom(1, 2, 'one') }, { requiredKeys: [] }),
  capabilities: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 7, arbitrary: fc.array(capability, { minLength: 1, maxLength: 3 }) },
  ),
  context: fc.record({ env: fc.constantFrom('ci', 'dev', 3) }, { requiredKeys: [] }),
  history: fc.array(capability, { maxLength: 2 }),
  now: fc.constantFrom(0, 1, 2),
});

export const request: fc.Arbitrary<Request> = describedCall.map(createRequest);
