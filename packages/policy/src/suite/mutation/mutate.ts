import { isNonEmpty, type NonEmpty, type Policy } from '@ambit/core';
import type { WrittenPolicy } from '../../document/document.js';
import { passes } from '../run-case.js';
import type { Suite } from '../suite.js';
import { type Mutant, mutantsOf } from './mutants.js';

export interface MutationReport {
  readonly possible: number;
  /** The number of tried mutants: all of them up to a limit, and an evenly spread selection beyond it. */
  readonly made: number;
  readonly noticed: number;
  /** The mutants that no case notices, including those that decide every call like the policy. */
  readonly survivors: readonly Survivor[];
}

export interface Survivor {
  /** `file:line:column` of the change. */
  readonly at: string;
  readonly rule: string | null;
  readonly change: string;
}

const mostMutants = 5_000;

/** All cases must pass with the unchanged policies. */
export function mutate(suites: readonly Suite[], most = mostMutants): MutationReport {
  const all = policiesOf(suites).flatMap(({ path, policy }) =>
    mutantsOf(policy).map((mutant) => ({ path, mutant })),
  );
  const made = evenly(all, most);
  const survivors = made.filter(({ path, mutant }) => !suites.some((suite) => notices(suite, path, mutant)));
  return {
    possible: all.length,
    made: made.length,
    noticed: made.length - survivors.length,
    survivors: survivors.map(({ mutant: { at, rule, change } }) => ({ at, rule, change })),
  };
}

function policiesOf(suites: readonly Suite[]): readonly { path: string; policy: WrittenPolicy }[] {
  const found = new Map<string, WrittenPolicy>();
  for (const { files, policies } of suites)
    files.forEach(({ path }, index) => {
      const policy = policies[index];
      if (policy !== undefined && !found.has(path)) found.set(path, policy);
    });
  return [...found].map(([path, policy]) => ({ path, policy }));
}

function notices(suite: Suite, path: string, mutant: Mutant): boolean {
  const index = suite.files.findIndex((file) => file.path === path);
  if (index === -1) return false;
  const changed: readonly Policy[] = suite.policies.map((policy, at) =>
    at === index ? mutant.apply(policy) : policy,
  );
  if (!isNonEmpty(changed)) return false;
  const policies: NonEmpty<Policy> = changed;
  return suite.cases.some((each) => !passes(each, policies));
}

function evenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)] as T);
}
