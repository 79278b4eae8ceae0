import fc from 'fast-check';
import {
  asksIfUndecided,
  type CallDecision,
  type Capability,
  equalJson,
  fileSetOf,
  isStricter,
  type Json,
  membersOf,
  type NonEmpty,
} from '../../src/index.js';
import type { FileSet } from '../../src/words/files/file-set.js';
import { capability, fileSet } from '../arbitrary/capability.js';
import { type Case, someCase } from '../arbitrary/case.js';
import { paths } from '../arbitrary/universe.js';
import { type Engine, isLooser } from '../engine.js';
import { type Law, law } from './law.js';

/** A call that also carries a capability with a file set. */
const withSet = fc.record({ given: someCase(), shape: capability, set: fileSet });

export const lawsOfFileSets: readonly Law[] = [
  law(
    'a file set is judged as its members one by one, whatever their order and repetition',
    fc.record({ of: withSet, seed: fc.nat() }),
    (engine, { of: { given, shape, set }, seed }) => {
      const whole = decided(engine, given, [{ ...shape, path: set }]);
      const apart = decided(engine, given, membersOf({ ...shape, path: set }));
      // Beside no other, also none of `carries:`, since a call carries what it repeats only once.
      const alone = {
        ...given,
        request: { ...given.request, capabilities: [] as never },
        policies: given.policies.map((policy) => ({ ...policy, carries: [] })) as never,
      };
      const ordered = decided(engine, alone, [{ ...shape, path: set }]);
      const mixed = decided(engine, alone, [{ ...shape, path: stirred(set, seed) }]);
      return (
        whole.decision === apart.decision &&
        equalJson(strictestOf(whole) as Json, strictestOf(apart) as Json) &&
        equalJson(ordered.judgements as unknown as Json, mixed.judgements as unknown as Json)
      );
    },
  ),
  law(
    'another member of a set that has one, or is open, never loosens a decision',
    fc.record({ of: withSet, member: fc.constantFrom(...paths) }),
    (engine, { of: { given, shape, set }, member }) => {
      const { paths: members, ...rest } = fileSetOf(set) as FileSet;
      const before = decided(engine, given, [{ ...shape, path: set }]);
      const after = decided(engine, given, [{ ...shape, path: { ...rest, paths: [...members, member] } }]);
      return !isLooser(after, before);
    },
  ),
  law(
    'an open set is never judged looser than with any members that it may have, except for blocks that say `undecided: needs_approval`, which then ask a person',
    fc.record({
      given: someCase({ absence: true }),
      shape: capability,
      members: fc.array(fc.constantFrom('/w/a', '/w/b', '/w/deep/c'), { maxLength: 2 }),
      more: fc.array(fc.constantFrom('/w/a', '/w/b', '/w/deep/c', '/w/deep'), { minLength: 1, maxLength: 3 }),
      under: fc.constantFrom(undefined, '/', '/w', '/w/deep', '/w/a'),
    }),
    (engine, { given, shape, members, more, under }) => {
      const may = more.filter((path) => under === undefined || isInside(path, under));
      const open = { paths: members, open: true, ...(under !== undefined && { under }) };
      const unknown = decided(engine, given, [{ ...shape, path: open }]);
      const known = decided(engine, given, [{ ...shape, path: { ...open, paths: [...members, ...may] } }]);
      const closed = [...members, ...may];
      const listed =
        closed.length === 0 ? unknown : decided(engine, given, [{ ...shape, path: { paths: closed } }]);
      return [known, listed].every(
        (sure) => !isLooser(unknown, sure) || (asksSomewhere(given) && isAskingPerson(unknown)),
      );
    },
  ),
];

/** Before grants: a kept answer to the whole set is none to a member. */
function decided(engine: Engine, { request, policies }: Case, more: readonly Capability[]): CallDecision {
  const capabilities = [...request.capabilities, ...more] as unknown as NonEmpty<Capability>;
  return engine.decide({ ...request, capabilities }, policies);
}

/** By policy, the strictest of what it says. */
function strictestOf({ judgements }: CallDecision): Record<string, string> {
  const strictest: Record<string, string> = {};
  for (const { policy, decision } of judgements) {
    const known = strictest[policy];
    if (known === undefined || isStricter(decision, known as never)) strictest[policy] = decision;
  }
  return strictest;
}

function stirred(set: Json, seed: number): Json {
  const { paths: members, ...rest } = fileSetOf(set) as FileSet;
  const cut = members.length === 0 ? 0 : seed % members.length;
  return { ...rest, paths: [...members.slice(cut), ...members.slice(0, cut), ...members].reverse() };
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function asksSomewhere({ policies }: Case): boolean {
  return policies.some(({ rules }) => rules.some(asksIfUndecided));
}

function isAskingPerson({ decision, judgements }: CallDecision): boolean {
  return decision === 'blocked' || judgements.some(({ answer }) => answer === 'person');
}
