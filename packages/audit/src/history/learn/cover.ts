const mostSteps = 20_000;

/** Covers `needed` with as few sets as possible: branch and bound, beginning from the greedy cover. */
export function fewest(sets: readonly bigint[], needed: bigint) {
  const search = { steps: 0 };
  let best = greedy(sets, needed);
  const all = sets.map((_, index) => index);
  descend(all, needed, []);
  const exact = search.steps <= mostSteps;
  return {
    /** Indices of sets, in order. */
    chosen: [...best].sort((one, other) => one - other),
    /** Whether it is certain that fewer sets are not enough; at least `atLeast` are needed. */
    exact,
    /** No cover has fewer. */
    atLeast: exact ? best.length : independent(sets, needed),
  };

  function descend(open: readonly number[], left: bigint, taken: readonly number[]): void {
    search.steps += 1;
    if (search.steps > mostSteps) return;
    if (left === 0n) {
      if (taken.length < best.length) best = taken;
      return;
    }
    if (taken.length + Math.max(1, independent(sets, left, open)) >= best.length) return;
    const useful = withoutInner(sets, open, left);
    const element = scarcest(sets, useful, left);
    for (const index of useful.filter((one) => ((sets[one] as bigint) & element) !== 0n))
      descend(useful, left & ~(sets[index] as bigint), [...taken, index]);
  }
}

function greedy(sets: readonly bigint[], needed: bigint): readonly number[] {
  const chosen: number[] = [];
  for (let left = needed; left !== 0n; ) {
    const counts = sets.map((set) => count(set & left));
    const index = counts.indexOf(Math.max(...counts));
    if (index === -1 || counts[index] === 0) throw new Error('no set covers a needed element');
    chosen.push(index);
    left &= ~(sets[index] as bigint);
  }
  return chosen;
}

/** Elements that share no set: each needs a set of its own. */
function independent(sets: readonly bigint[], needed: bigint, open?: readonly number[]): number {
  const those = open === undefined ? sets : open.map((index) => sets[index] as bigint);
  let found = 0;
  for (let left = needed; left !== 0n; found += 1) {
    const element = left & -left;
    let reached = element;
    for (const set of those) if ((set & element) !== 0n) reached |= set;
    left &= ~reached;
  }
  return found;
}

/** Drops dominated sets; of equal ones the first stays. */
function withoutInner(sets: readonly bigint[], open: readonly number[], left: bigint): readonly number[] {
  const firsts = new Map<bigint, number>();
  for (const index of open) {
    const part = (sets[index] as bigint) & left;
    if (part !== 0n && !firsts.has(part)) firsts.set(part, index);
  }
  const parts = [...firsts];
  return parts
    .filter(([own]) => !parts.some(([theirs]) => own !== theirs && (own & theirs) === own))
    .map(([, index]) => index);
}

function scarcest(sets: readonly bigint[], open: readonly number[], left: bigint): bigint {
  let best = { element: left & -left, holders: Number.POSITIVE_INFINITY };
  for (let rest = left; rest !== 0n; rest &= rest - 1n) {
    const element = rest & -rest;
    const holders = open.filter((index) => ((sets[index] as bigint) & element) !== 0n).length;
    if (holders < best.holders) best = { element, holders };
    if (holders <= 1) break;
  }
  return best.element;
}

function count(bits: bigint): number {
  let found = 0;
  for (let left = bits; left !== 0n; left &= left - 1n) found += 1;
  return found;
}
