import { createdPrefix, isSimpleName, isWorkerName, type NonEmpty } from '@ambit/core';
import type { Atom } from '../formula/atom.js';
import type { Witnesses } from './text-witnesses.js';

/** The most workers of a chain that are distinguished, of those that conditions look for. */
const mostMembers = 4;
/** How many workers are looked at as acting for one another. */
const mostWorkers = 80;

/** Acting workers that atoms distinguish, each alone and behind one other. More workers only add restrictions. */
export function chainClasses(asked: readonly Atom[]): Witnesses<NonEmpty<string>> {
  const cuts = asked.flatMap((atom) => atom.cuts);
  const names = (kinds: readonly string[]) =>
    cuts.flatMap((cut) =>
      'name' in cut && kinds.includes(cut.cut) && isWorkerName(cut.name) ? [cut.name] : [],
    );
  const named = new Set(names(['worker', 'member']));
  const members = new Set(names(['member']));
  const created = [...named].filter(isSimpleName).map((name) => `${createdPrefix}${name}`);
  const known = new Set([...named, ...created]);
  const other = workerBeside(known);
  const workers = [other, ...known, ...(named.size === 0 ? [] : [`${createdPrefix}${other}`])];
  const looked = [...members].slice(0, mostMembers);
  const fronts = subsetsOf(looked);
  const isTooMany = workers.length * fronts.length > mostWorkers;
  const before = isTooMany ? [] : workers.filter((one) => one !== other);
  const values = workers.flatMap((worker) =>
    (isTooMany ? [[]] : fronts).flatMap((front): NonEmpty<string>[] =>
      [[], ...before.filter((one) => !front.includes(one)).map((one) => [one])].map(
        (first) => [...first, ...front, worker] as unknown as NonEmpty<string>,
      ),
    ),
  );
  if (isTooMany) return { values, gap: 'too many workers are named', effort: 0 };
  const gap = members.size > mostMembers ? 'conditions look for more than four workers in the chain' : null;
  return { values, gap, effort: 0 };
}

/** Any other worker, also a created one. */
export function workerBeside(known: ReadonlySet<string>): string {
  return firstFree(
    (suffix) => suffix,
    (name) => known.has(name) || known.has(`${createdPrefix}${name}`),
    'main',
  );
}

function subsetsOf(of: readonly string[]): readonly (readonly string[])[] {
  const [first, ...rest] = of;
  if (first === undefined) return [[]];
  return subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]]);
}

/** `other`, `other2` and so on. */
export function firstFree(
  nameWith: (suffix: string) => string,
  isTaken: (name: string) => boolean,
  first = 'other',
): string {
  for (let count = 1; ; count += 1) {
    const name = nameWith(count === 1 ? first : `${first}${count}`);
    if (!isTaken(name)) return name;
  }
}
